#include "coppice/analysis/explain.h"

#include "coppice/model/predict.h"

#include "tests/analysis/explained_models.h"
#include "tests/support.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

namespace coppice {
namespace {

using test::message_of;
using test::model_of_all_kinds;
using test::table_of_all_kinds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Explain, SumsToTheScoresOfAllKindsOfColumns) {
  const Table table = table_of_all_kinds(120);
  for (const Activation activation : {Activation::relu, Activation::tanh}) {
    const Model model(model_of_all_kinds(table, "kind", {12, 8}, activation));
    const Explanation all = explain(model, table);
    ASSERT_EQ(all.rows, 120U);
    EXPECT_THAT(all.columns, ElementsAre("age", "income", "city", "size", "when"));
    std::vector<std::string> warnings;
    const Dataset data = encode(table, model.parts().encoding, false, warnings);
    ThreadPool pool(1);
    const Matrix<float> scores = predict_scores(pool, model.folded(), data);
    for (std::size_t row = 0; row < all.rows; ++row) {
      const auto parts = all.contributions_of(row);
      const double sum = std::accumulate(parts.begin(), parts.end(), all.baselines[row]);
      EXPECT_EQ(all.classes[row], all.prediction.classes[row]);
      EXPECT_NEAR(sum, scores(row, all.classes[row]), 1e-5);
      EXPECT_DOUBLE_EQ(sum, all.scores[row]);
    }
  }
}

TEST(Explain, ValuesAreExplainedInTheTargetsOwnNumbers) {
  const Table table = table_of_all_kinds(60);
  ModelParts parts = model_of_all_kinds(table, "price", {9});
  const Model plain(parts);
  const Explanation values = explain(plain, table);
  EXPECT_TRUE(values.classes.empty());
  EXPECT_FALSE(values.logarithms);
  for (std::size_t row = 0; row < values.rows; ++row)
    EXPECT_NEAR(values.scores[row], values.prediction.values[row], 1e-3);
  parts.encoding.target.transform = TargetTransform::log;
  parts.encoding.target.mean = 1;
  parts.encoding.target.deviation = 0.5;
  const Explanation logs = explain(Model(parts), table);
  EXPECT_TRUE(logs.logarithms);
  for (std::size_t row = 0; row < logs.rows; ++row)
    EXPECT_NEAR(logs.scores[row], std::log(logs.prediction.values[row]), 1e-5);
}

TEST(Explain, AColumnThatIsReplacedByItsMeanHasNoContribution) {
  // The inputs of "income" do not reach the net: neither its number nor its bins.
  const Table table = table_of_all_kinds(40);
  ModelParts parts = model_of_all_kinds(table, "kind", {6});
  std::size_t first = 0;
  for (const InputColumn& column : parts.encoding.columns) {
    if (column.name == "income") {
      EXPECT_GT(column.width(), 2U) << "it has bins";
      for (std::size_t j = 0; j < 6; ++j)
        for (std::size_t i = 0; i < column.width(); ++i) parts.network.layers[0].weights(j, first + i) = 0;
    }
    first += column.width();
  }
  const Explanation all = explain(Model(parts), table);
  for (std::size_t row = 0; row < all.rows; ++row) {
    EXPECT_EQ(all.contributions_of(row)[1], 0);
    EXPECT_NE(all.contributions_of(row)[4], 0) << "dates";
  }
}

TEST(Explain, OneClassOrSomeRowsMayBeAskedFor) {
  const Table table = table_of_all_kinds(50);
  const Model model(model_of_all_kinds(table, "kind", {12, 8}));
  const Explanation all = explain(model, table, {.class_name = "b"});
  for (const std::uint32_t label : all.classes) EXPECT_EQ(label, 1U);
  EXPECT_EQ(all.baselines.front(), all.baselines.back());
  const Explanation some = explain(model, table, {.class_name = "b", .rows = {49, 3}});
  ASSERT_EQ(some.rows, 2U);
  EXPECT_THAT(some.row_numbers, ElementsAre(49, 3));
  EXPECT_EQ(some.prediction.rows, 50U);
  EXPECT_EQ(some.scores[0], all.scores[49]);
  EXPECT_EQ(some.contributions_of(1)[2], all.contributions_of(3)[2]);
}

TEST(Explain, IsTheSameForAnyNumberOfThreadsAndOrderOfColumns) {
  const Table table = table_of_all_kinds(200);
  const Model model(model_of_all_kinds(table, "kind", {12, 8}));
  const Explanation one = explain(model, table, {.threads = 1});
  EXPECT_EQ(explain(model, table, {.threads = 3}).contributions, one.contributions);
  Table turned;
  for (const char* name : {"when", "size", "city", "income", "age"}) {
    std::vector<std::string> cells;
    for (std::size_t row = 0; row < table.rows(); ++row) cells.push_back(table.text(name, row));
    turned.add_texts(name, cells);
  }
  const Explanation other = explain(model, turned);
  EXPECT_EQ(other.columns, one.columns) << "as the model has them";
  for (std::size_t i = 0; i < one.contributions.size(); ++i)
    EXPECT_NEAR(other.contributions[i], one.contributions[i], 1e-4);
}

TEST(Explain, WhatIsNotThereIsRefused) {
  const Table table = table_of_all_kinds(50);
  const Model model(model_of_all_kinds(table, "kind", {4}));
  EXPECT_THAT(
      message_of([&] { explain(model, table, {.class_name = "bb"}); }),
      HasSubstr(
          "`class` \"bb\": the model has no such class (did you mean \"b\"?); its classes are a, b, c"));
  EXPECT_THAT(message_of([&] { explain(model, table, {.rows = {3, 50}}); }), HasSubstr("there is no row 51"));
  const Model numbers(model_of_all_kinds(table, "price", {4}));
  EXPECT_THAT(message_of([&] { explain(numbers, table, {.class_name = "b"}); }),
              HasSubstr("predicts numbers"));
  Table narrow;
  narrow.add_numbers("age", std::vector<int>{1});
  EXPECT_THAT(message_of([&] { explain(model, narrow); }), HasSubstr("the model needs the columns"));
  int asked = 0;
  EXPECT_THAT(message_of([&] { explain(model, table, {.stop = [&] { return ++asked > 2; }}); }),
              HasSubstr("explaining was stopped"));
}

}  // namespace
}  // namespace coppice
