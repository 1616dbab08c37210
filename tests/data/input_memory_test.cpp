#include "coppice/data/input_memory.h"

#include "tests/data/encoding_tables.h"

#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(InputMemory, MoreInputsThanFitAreRefusedByTheirWidestColumn) {
  const Trained t({{{"x", {"1", "2", "3", "4"}}, {"c", {"u", "v", "w", "u"}}, {"y", {"a", "b", "a", "b"}}}});
  const auto message = [&](std::size_t rows, std::size_t inputs) {
    return message_of([&] { require_input_memory(t.table, t.encoding, rows, inputs); });
  };
  EXPECT_THAT(message(1'000'000'000'000, 50),
              AllOf(HasSubstr("data.csv: 1000000000000 rows of 50 inputs need 200000.0 GB"),
                    HasSubstr("\"c\" makes 4")));
  EXPECT_NO_THROW(require_input_memory(t.table, t.encoding, 1000, 5));
}

}  // namespace
}  // namespace coppice
