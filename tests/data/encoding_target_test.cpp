#include "tests/data/encoding_tables.h"

#include <cmath>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using namespace coppice::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

struct PlannedTarget {
  std::vector<std::string> notes, warnings;
  TrainingPlan plan;

  PlannedTarget(const Written& file, const EncodingOptions& options) {
    plan = plan_training(file.table(hints_for(options)), options, notes, warnings);
  }
};

std::string plan_error(const Written& file, const EncodingOptions& options = {}) {
  return message_of([&] { PlannedTarget(file, options); });
}

/// A table with one useful input and the given target.
Written table_with(const Cells& target, const std::string& name = "target") {
  return {{{"x", cells(target.size(), [](std::size_t i) { return std::to_string(i % 7) + ".5"; })},
           {name, target}}};
}

Task task_of(const Cells& target) {
  return PlannedTarget(table_with(target), {}).plan.task;
}

TEST(EncodingTarget, TheOnlyColumnWithAUsualNameIsTheTarget) {
  for (const char* name : {"target", "Class", "LABEL", "y"}) {
    const PlannedTarget planned(table_with({"a", "b", "a"}, name), {});
    EXPECT_EQ(planned.plan.target, name);
    EXPECT_THAT(planned.notes.front(), AllOf(HasSubstr(name), HasSubstr("`target`")));
  }
}

TEST(EncodingTarget, TheFilesOwnLabelComesBeforeNamesAndTheFlagBeforeBoth) {
  Written file = table_with({"a", "b", "a"}, "y");
  file.columns.push_back({"mark", {"u", "v", "u"}});
  file.own_target = "mark";
  EXPECT_EQ(PlannedTarget(file, {}).plan.target, "mark");
  EXPECT_EQ(PlannedTarget(file, with_target("y")).plan.target, "y");
}

TEST(EncodingTarget, AnUnclearTargetListsTheColumns) {
  EXPECT_THAT(plan_error(table_with({"a", "b"}, "species")),
              AllOf(HasSubstr("data.csv"), HasSubstr("`target`"), HasSubstr("x, species")));
  Written two = table_with({"a", "b"}, "y");
  two.columns.push_back({"class", {"a", "b"}});
  EXPECT_THAT(plan_error(two), HasSubstr("x, y, class"));
}

TEST(EncodingTarget, UnknownNamesListTheColumnsAndSuggestTheNearest) {
  const Written file = table_with({"a", "b"}, "species");
  EXPECT_THAT(plan_error(file, with_target("specis")),
              AllOf(HasSubstr("`target`"), HasSubstr("\"specis\""), HasSubstr("did you mean \"species\""),
                    HasSubstr("x, species")));
  EncodingOptions options = with_target("species");
  options.ignore = {"z"};
  EXPECT_THAT(plan_error(file, options), AllOf(HasSubstr("`ignore`"), HasSubstr("\"z\"")));
  options.ignore = {};
  options.ids = {"id"};
  EXPECT_THAT(plan_error(file, options), AllOf(HasSubstr("`id`"), HasSubstr("\"id\"")));
  options.ids = {};
  options.categorical = {"colour"};
  EXPECT_THAT(plan_error(file, options), AllOf(HasSubstr("`categorical`"), HasSubstr("\"colour\"")));
  options.categorical = {};
  options.ignore = {"species"};
  EXPECT_THAT(plan_error(file, options), AllOf(HasSubstr("`ignore`"), HasSubstr("names the target")));
}

TEST(EncodingTarget, TextIsClassificationAndTheClassesAreSaid) {
  const PlannedTarget planned(table_with({"rose", "lily", "rose"}), {});
  EXPECT_EQ(planned.plan.task, Task::classification);
  EXPECT_THAT(planned.plan.uses, ElementsAre(ColumnUse::number, ColumnUse::text));
  EXPECT_THAT(planned.notes.back(), AllOf(HasSubstr("2 classes (rose, lily)"), HasSubstr("classification"),
                                          Not(HasSubstr("regression"))));
}

TEST(EncodingTarget, FewWholeNumbersAreClassesManyOrBrokenOnesAreNot) {
  EXPECT_EQ(task_of(cells(150, [](auto i) { return std::to_string(i / 50); })), Task::classification);
  EXPECT_EQ(task_of(cells(9, [](auto i) { return std::to_string(1 + i % 3); })), Task::classification);
  EXPECT_EQ(task_of(cells(8, [](auto i) { return i % 2 == 0 ? "0.5" : "-0.5"; })), Task::classification);
  EXPECT_EQ(task_of(cells(1000, [](auto i) { return std::to_string(18 + i * 7 % 60); })), Task::regression);
  EXPECT_EQ(task_of(cells(10, [](auto i) { return std::to_string(100 + i * 7 % 5); })), Task::regression);
  EXPECT_EQ(task_of(cells(500, [](auto i) { return std::to_string(i % 5) + ".25"; })), Task::regression);
  EXPECT_EQ(task_of(cells(3000, [](auto i) { return std::to_string(i); })), Task::regression);
  for (const std::size_t rows : {14, 15})
    EXPECT_EQ(task_of(cells(rows, [](auto i) { return std::to_string(10 + i % 3 * 10); })),
              rows < 15 ? Task::regression : Task::classification);
  for (const std::size_t rows : {9, 10})
    EXPECT_EQ(task_of(cells(rows, [](auto i) { return std::to_string(i % 5); })),
              rows < 10 ? Task::regression : Task::classification);
}

TEST(EncodingTarget, RegressionIsSaidAndCanBeOverridden) {
  const Written file = table_with(cells(60, [](auto i) { return std::to_string(i * 3); }));
  const PlannedTarget planned(file, {});
  EXPECT_THAT(planned.plan.uses, ElementsAre(ColumnUse::number, ColumnUse::number));
  EXPECT_THAT(planned.notes.back(), AllOf(HasSubstr("60 distinct values"), HasSubstr("so regression"),
                                          HasSubstr("`task` classification")));
  EncodingOptions options;
  options.task = Task::classification;
  EXPECT_EQ(PlannedTarget(file, options).plan.task, Task::classification);
  options.task.reset();
  options.categorical = {"target"};
  EXPECT_EQ(PlannedTarget(file, options).plan.task, Task::classification);
}

TEST(EncodingTarget, OnlyClassesAskedForMakeTheTargetsCellsTexts) {
  EncodingOptions options = with_target("y");
  EXPECT_TRUE(hints_for(options).texts.empty());
  options.task = Task::classification;
  EXPECT_THAT(hints_for(options).texts, ElementsAre("y"));
  options.target.clear();
  EXPECT_TRUE(hints_for(options).texts.empty());
}

TEST(EncodingTarget, IdxLabelsAndDeclaredNominalsAreClassesHoweverMany) {
  Written file = table_with(cells(30, [](auto i) { return std::to_string(i % 15 * 10); }));
  EXPECT_EQ(PlannedTarget(file, {}).plan.task, Task::regression);
  Written nominal = file;
  nominal.declared = {{"target", ColumnKind::text}};
  EXPECT_EQ(PlannedTarget(nominal, {}).plan.task, Task::classification);
  file.format = Format::idx;
  EXPECT_EQ(PlannedTarget(file, {}).plan.task, Task::classification);
}

TEST(EncodingTarget, TargetsThatCannotBeLearnedAreRefused) {
  EncodingOptions regression, classification;
  regression.task = Task::regression;
  classification.task = Task::classification;
  EXPECT_THAT(plan_error(table_with({"1", "2", "three"}), regression),
              AllOf(HasSubstr("data.csv: line 4, column 2 (\"target\")"), HasSubstr("\"three\""),
                    HasSubstr("`task` regression needs")));
  EXPECT_THAT(plan_error(table_with(cells(1500, [](auto i) { return std::to_string(i); })), classification),
              AllOf(HasSubstr("more than 1000"), HasSubstr("`task` regression")));
  EXPECT_THAT(plan_error(table_with({"a", "a", "a"})), AllOf(HasSubstr("single class"), HasSubstr("\"a\"")));
  EXPECT_THAT(plan_error(table_with({"1", "1.0", "1"})), HasSubstr("single class"));
  EXPECT_THAT(plan_error(table_with({"a"})), AllOf(HasSubstr("1 row,"), HasSubstr("two")));
  EXPECT_THAT(plan_error(table_with({"", "NA"})), HasSubstr("has no values"));
}

TEST(EncodingTarget, AnIncompleteCountOfNumbersDoesNotForbidClasses) {
  Written file = table_with(cells(300, [](auto i) { return std::to_string(i % 101); }));
  file.most_distinct = 100;  // as in a wide table
  EXPECT_EQ(PlannedTarget(file, {}).plan.task, Task::regression);
  EncodingOptions options;
  options.task = Task::classification;
  EXPECT_THAT(PlannedTarget(file, options).notes.back(), HasSubstr("more than 100 classes"));
  options.target = "target";
  EXPECT_THAT(PlannedTarget(file, options).notes.back(), HasSubstr(" 101 classes")) << "the reader was told";
}

TEST(EncodingTarget, AStrayTextAmongNumberTargetsIsAnErrorButLettersAmongDigitsAreClasses) {
  Cells prices = cells(60, [](auto i) { return std::to_string(i * 10); });
  prices[5] = "sold";
  EXPECT_THAT(plan_error(table_with(prices)),
              AllOf(HasSubstr("line 7"), HasSubstr("\"sold\""), HasSubstr("`task` classification")));
  const Cells digits = cells(64, [](auto i) { return std::string(1, "0123456789ABCDEF"[i % 16]); });
  EXPECT_EQ(task_of(digits), Task::classification);
  // Up to twenty may be classes.
  const auto with_text = [](std::size_t numbers) {
    return table_with(
        cells(3 * numbers, [&](auto i) { return i == 5 ? "sold" : std::to_string(i % numbers * 10); }));
  };
  EXPECT_EQ(PlannedTarget(with_text(19), {}).plan.task, Task::classification);
  EXPECT_THAT(plan_error(with_text(20)), HasSubstr("\"sold\" is not a number, but 59 of 60 targets are"));
}

TEST(EncodingTarget, TextsThatDifferFromRowToRowAreNoClassesUnlessAskedFor) {
  const auto names = [](std::size_t rows, std::size_t different) {
    return table_with(cells(rows, [&](auto i) { return "n" + std::to_string(i % different); }));
  };
  EXPECT_THAT(plan_error(names(40, 21)),
              AllOf(HasSubstr("data.csv: the target \"target\" has 21 classes for 40 rows"),
                    HasSubstr("\"n0\""), HasSubstr("`task` classification")));
  EXPECT_THAT(plan_error(names(1500, 1500)), HasSubstr("more than 1000 classes for 1500 rows"));
  EXPECT_EQ(PlannedTarget(names(20, 20), {}).plan.task, Task::classification);
  EXPECT_EQ(PlannedTarget(names(42, 21), {}).plan.task, Task::classification);
  EncodingOptions options;
  options.task = Task::classification;
  EXPECT_EQ(PlannedTarget(names(40, 30), options).plan.task, Task::classification);
  options.task.reset();
  options.categorical = {"target"};
  EXPECT_EQ(PlannedTarget(names(40, 30), options).plan.task, Task::classification);
  Written nominal = names(40, 30);
  nominal.declared = {{"target", ColumnKind::text}};
  EXPECT_EQ(PlannedTarget(nominal, {}).plan.task, Task::classification);
}

TEST(EncodingTarget, LogarithmsHaveMeanAndDeviationOfAllRowsAndPredictionsStayWithinTenDeviationsAbove) {
  EncodingOptions options = with_target("target");
  options.task = Task::regression;
  options.transform = TargetTransform::log;
  const Trained t(table_with({"1000", "1", "1", "10", "1"}), options);
  const TargetColumn& target = t.encoding.target;
  const double ten = std::log(10.0);
  EXPECT_NEAR(target.mean, 0.8 * ten, 1e-12);
  EXPECT_NEAR(target.deviation, std::sqrt((9.0 + 1) / 5 - 0.64) * ten, 1e-12);
  EXPECT_NEAR(t.data.targets[0], 2.2 * ten / target.deviation, 1e-6);
  const auto above = [&](double deviations) { return std::exp(target.mean + deviations * target.deviation); };
  EXPECT_NEAR(target.value(9.9) / above(9.9), 1, 1e-9);
  EXPECT_NEAR(target.value(12) / above(10), 1, 1e-9);
}

}  // namespace
}  // namespace coppice
