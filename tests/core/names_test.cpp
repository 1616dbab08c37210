#include "coppice/core/names.h"

#include <cstdint>
#include <gmock/gmock.h>
#include <stdexcept>

namespace coppice {

namespace {
enum class Season : std::uint8_t { spring, late_summer };
enum class Nameless : std::uint8_t { one };
}  // namespace

template <>
constexpr std::array<std::string_view, 2> names_of<Season>{"spring", "late-summer"};

namespace {

static_assert(Named<Season>);
static_assert(!Named<Nameless>, "an enum without words must not compile, instead of failing at run time");

TEST(Names, AreThoseOfTheEnumeratorsInTheirOrder) {
  EXPECT_EQ(name_of(Season::spring), "spring");
  EXPECT_EQ(name_of(Season::late_summer), "late-summer");
  EXPECT_THAT(all_names<Season>(), ::testing::ElementsAre("spring", "late-summer"));
  EXPECT_THROW(name_of(static_cast<Season>(2)), std::out_of_range);
}

TEST(Names, AreFoundAgain) {
  EXPECT_EQ(from_name<Season>("late-summer"), Season::late_summer);
  EXPECT_EQ(from_name<Season>("Spring"), std::nullopt);
  EXPECT_EQ(from_name<Season>(""), std::nullopt);
}

}  // namespace
}  // namespace coppice
