#include "tests/data/encoding_tables.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using namespace coppice::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Planned {
  std::vector<std::string> notes, warnings;
  TrainingPlan plan;

  explicit Planned(const Written& file, const EncodingOptions& options = {}) {
    plan = plan_training(file.table(hints_for(options)), options, notes, warnings);
  }
  ColumnUse first() const { return plan.uses.front(); }
};

/// The given column first, then a useful input and the target.
Written file_with(const Cells& column) {
  const std::size_t n = column.size();
  return Written{{{"c", column},
                  {"x", cells(n, [](auto i) { return std::to_string(i); })},
                  {"y", cells(n, [](auto i) { return i % 2 == 0 ? "no" : "yes"; })}}};
}

TEST(EncodingPlan, NumbersAndTextsAreToldApart) {
  EXPECT_EQ(Planned(file_with({"1", "2.5", "", "-3e2"})).first(), ColumnUse::number);
  EXPECT_EQ(Planned(file_with({"red", "blue", "?", "red"})).first(), ColumnUse::text);
  EXPECT_EQ(Planned(file_with({"1", "2", "red", "blue"})).first(), ColumnUse::text);
  EXPECT_THAT(Planned(file_with({"1", "2", "3", "4"})).warnings, IsEmpty());
}

TEST(EncodingPlan, StrayTextInANumberColumnNamesThePlaceAndTheRemedies) {
  const Written file = file_with({"1", "2", "3", "oops"});
  EXPECT_THAT(message_of([&] { Planned{file}; }),
              AllOf(HasSubstr("data.csv: line 5, column 1 (\"c\")"), HasSubstr("\"oops\""),
                    HasSubstr("`categorical` c"), HasSubstr("NA")));
  EncodingOptions options;
  options.categorical = {"c"};
  EXPECT_EQ(Planned(file, options).first(), ColumnUse::text);
  options = {};
  options.ignore = {"c"};
  EXPECT_EQ(Planned(file, options).first(), ColumnUse::skip);
  options = {};
  options.ids = {"c"};
  EXPECT_EQ(Planned(file, options).first(), ColumnUse::text);
}

TEST(EncodingPlan, ManyDifferentTextsAmongNumbersAreCodesNotSlips) {
  const auto mixed = [](std::size_t texts, std::size_t distinct, std::size_t rows) {
    return file_with(cells(rows, [=](std::size_t i) {
      return i < texts ? fmt::format("A/{}", i % distinct) : std::to_string(i % 30);
    }));
  };
  const Planned planned(mixed(20, 10, 100));
  EXPECT_EQ(planned.first(), ColumnUse::text);
  EXPECT_THAT(planned.notes, ::testing::Contains(AllOf(HasSubstr("\"c\" is taken as text"),
                                                       HasSubstr("20 of its 100"), HasSubstr("\"A/0\""))));
  EXPECT_THAT(planned.warnings, IsEmpty());
  EXPECT_THAT(message_of([&] { Planned{mixed(20, 9, 100)}; }), HasSubstr("\"A/0\""))
      << "only nine different ones";
  EXPECT_THAT(message_of([&] { Planned{mixed(10, 10, 100)}; }), HasSubstr("\"A/0\""))
      << "no more than a tenth";
}

TEST(EncodingPlan, DeclaredKindsAreObeyed) {
  Written file = file_with({"1", "2", "1", "2"});
  file.declared = {{"c", ColumnKind::text}};
  EXPECT_EQ(Planned(file).first(), ColumnUse::text);
}

TEST(EncodingPlan, EmptyColumnsAreLeftOutWithAWarning) {
  const Planned planned(file_with({"", "NA", "?", ""}));
  EXPECT_EQ(planned.first(), ColumnUse::skip);
  EXPECT_THAT(planned.warnings, ElementsAre(AllOf(HasSubstr("without any value"), HasSubstr(": c"))));
}

TEST(EncodingPlan, IdentifiersAreLeftOutUnlessAskedFor) {
  for (const std::size_t rows : {60U, 1200U}) {
    const Written file = file_with(cells(rows, [](auto i) { return fmt::format("n{}", i); }));
    const Planned planned(file);
    EXPECT_EQ(planned.first(), ColumnUse::skip);
    EXPECT_THAT(planned.warnings, ElementsAre(AllOf(HasSubstr("column \"c\" looks like an identifier"),
                                                    HasSubstr("`id` c"), HasSubstr("`categorical` c"))));
    EncodingOptions options;
    options.categorical = {"c"};
    EXPECT_EQ(Planned(file, options).first(), ColumnUse::text);
  }
  const Written small = file_with(cells(40, [](auto i) { return fmt::format("n{}", i); }));
  EXPECT_EQ(Planned(small).first(), ColumnUse::text);
}

TEST(EncodingPlan, WithoutAnyInputThereIsNothingToTrainOn) {
  EncodingOptions options;
  options.ignore = {"c", "x"};
  EXPECT_THAT(message_of([&] {
                Planned(file_with({"1", "2"}), options);
              }),
              HasSubstr("no input columns are left"));
  const Written names{{{"name", cells(60, [](auto i) { return fmt::format("n{}", i); })},
                       {"nothing", cells(60, [](auto) { return std::string(); })},
                       {"y", cells(60, [](auto i) { return i % 2 == 0 ? "no" : "yes"; })}}};
  EXPECT_THAT(message_of([&] { Planned{names}; }),
              AllOf(HasSubstr("without any value: nothing"), HasSubstr("nearly every row"),
                    HasSubstr("`categorical` name")));
}

}  // namespace
}  // namespace coppice
