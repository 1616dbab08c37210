#include "coppice/exports/lowered.h"

#include "tests/exports/exported_models.h"
#include "tests/exports/interpreter.h"
#include "tests/model/models.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using test::Interpreter;
using ::testing::ElementsAre;

/// That the steps give what `predict` gives.
void expect_same(const Model& model, const Table& rows) {
  const LoweredModel lowered = lower(model);
  const Interpreter interpreter(lowered);
  const Prediction prediction = model.predict(rows);
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::vector<double> answer = interpreter.answer(rows, row);
    if (model.task() == Task::regression) {
      const double value = prediction.values[row];
      EXPECT_NEAR(answer.at(0), value, 1e-5 * std::max(1.0, std::fabs(value))) << row;
      continue;
    }
    ASSERT_EQ(answer.size(), model.classes().size());
    for (std::size_t k = 0; k < answer.size(); ++k)
      EXPECT_NEAR(answer[k], prediction.probabilities_of(row)[k], 1e-5) << row;
  }
}

TEST(Lowered, GivesWhatPredictGivesForEveryKindOfModel) {
  for (const test::ExportedCase& one : test::exported_cases()) {
    SCOPED_TRACE(one.name);
    expect_same(one.model, one.rows);
  }
}

TEST(Lowered, FreeMeansAndVariancesAreFoldedIn) {
  ModelParts parts = test::small_model();
  test::make_affine(parts);
  Table table;
  table.add_numbers("age", std::vector<double>{1, 2, std::nan("")});
  table.add_texts("colour \"x\"", std::vector<std::string>{"", "gr\u00fcn", "blue"});
  table.add_numbers("id", std::vector<double>{1, 2, 3});
  expect_same(Model(parts), table);
}

TEST(Lowered, AnOldModelReadFromItsFileIsTheSame) {
  const Model model = Model::from_bytes(Model(test::small_model()).bytes());
  Table table;
  table.add_texts("colour \"x\"", std::vector<std::string>{"gr\u00fcn"});
  table.add_numbers("age", std::vector<double>{-4});
  table.add_texts("id", std::vector<std::string>{"me"});
  expect_same(model, table);
}

TEST(Lowered, ColumnsAreThoseOfTheTableInTheOrderOfTheInputs) {
  const Table table = test::table_of_all_kinds(100);
  const LoweredModel lowered = lower(Model(test::model_of_all_kinds(table, "kind", {3})));
  std::vector<std::string> names;
  for (const RawColumn& column : lowered.columns) names.push_back(column.name);
  EXPECT_THAT(names, ElementsAre("age", "income", "city", "size", "when"));
  std::vector<std::string> parts;
  for (const Feature& feature : lowered.features)
    parts.push_back(lowered.columns[feature.column].name + ":" + name_of(feature.part));
  EXPECT_THAT(parts, ElementsAre("age:number", "income:number", "city:category", "size:category", "size:rank",
                                 "when:day", "when:month", "when:weekday"));
}

TEST(Lowered, InputsThatTellNothingAreLeftOut) {
  const Table table = test::table_of_all_kinds(100);
  ModelParts parts = test::model_of_all_kinds(table, "kind", {3});
  const std::size_t before = lower(Model(parts)).nets.front().inputs.size();
  parts.encoding.factor[2] = 0;
  for (std::size_t j = 0; j < 3; ++j) parts.network.layers[0].weights(j, 4) = 0;
  const LoweredModel lowered = lower(Model(parts));
  const std::vector<std::uint32_t>& inputs = lowered.nets.front().inputs;
  EXPECT_EQ(inputs.size() + 2, before);
  EXPECT_EQ(std::ranges::count(inputs, 2U) + std::ranges::count(inputs, 4U), 0);
  EXPECT_EQ(lowered.nets.front().multiplications(), 3 * inputs.size() + 9);
  expect_same(Model(parts), table);
}

}  // namespace
}  // namespace coppice
