#include "coppice/analysis/analysis.h"

#include "coppice/model/parts.h"

#include "tests/model/models.h"

#include <gmock/gmock.h>
#include <numeric>

namespace coppice {
namespace {

using Json = nlohmann::ordered_json;

/// Two classes told by the first of two inputs, on which every tenth row is wrong; or numbers, ten times that input.
struct Problem {
  explicit Problem(bool classes = true) {
    parts.encoding.task = classes ? Task::classification : Task::regression;
    parts.encoding.columns = {{.name = "decides", .categories = {}}, {.name = "useless", .categories = {}}};
    parts.encoding.offset.resize(2);
    parts.encoding.factor.assign(2, 1);
    parts.encoding.target = {.name = "y", .classes = {}, .mean = 100, .deviation = 10};
    parts.origin.train_rows = 70;
    parts.origin.validation_rows = 20;
    if (classes) parts.encoding.target.classes = {"low", "high"};
    parts.network.activation = Activation::identity;
    add_layer({{1, 0}});
    add_layer(classes ? std::vector<std::vector<float>>{{-1}, {1}} : std::vector<std::vector<float>>{{1}});
    data.inputs = Matrix<float>(200, 2);
    for (std::uint32_t i = 0; i < 200; ++i) {
      const bool high = i % 2 == 1;
      data.inputs(i, 0) = high ? 1 : -1;
      data.inputs(i, 1) = static_cast<float>(i % 7);
      if (classes) {
        data.labels.push_back(high == (i % 10 != 0) ? 1 : 0);
      } else {
        data.targets.push_back(data.inputs(i, 0));
      }
    }
    summary.columns = {{.name = "decides", .role = ColumnRole::number, .mean = 1.0 / 3},
                       {.name = "useless", .role = ColumnRole::category}};
    summary.columns_total = 2;
    summary.target.class_rows = {120, 80};
    held.held = &data;
    held.summary = &summary;
    held.rows.resize(200);
    std::iota(held.rows.begin(), held.rows.end(), 0U);
  }

  void add_layer(const std::vector<std::vector<float>>& weights) {
    Matrix<float> matrix(weights.size(), weights[0].size());
    for (std::size_t j = 0; j < weights.size(); ++j) std::ranges::copy(weights[j], matrix[j]);
    parts.network.layers.push_back({std::move(matrix), std::vector<std::uint32_t>(weights.size())});
    parts.statistics.mean.emplace_back(weights.size(), 0.0F);
    parts.statistics.divisor.emplace_back(weights.size(), 1.0F);
  }

  Json json(std::size_t threads = 1) const {
    ThreadPool pool(threads);
    return analysis_json(pool, Model(parts), 3, held);
  }

  ModelParts parts;
  Dataset data;
  DataSummary summary;
  AnalysedData held;
};

TEST(AnalysisJson, OfClasses) {
  const Json json = Problem().json();
  EXPECT_EQ(json["net"], 3);
  EXPECT_EQ(json["rows"], "validation");
  EXPECT_EQ(json["n"], 200);
  EXPECT_EQ(json["confusion"]["classes"], (Json{"low", "high"}));
  EXPECT_EQ(json["confusion"]["counts"], (Json{{80, 0}, {20, 100}}));
  EXPECT_EQ(json["confusion"]["never_seen"], (Json{0, 0}));
  EXPECT_TRUE(json["actual_predicted"].is_null());
  EXPECT_EQ(json["out_of_fold"], false);
  EXPECT_EQ(json["one_answer"], false);
  EXPECT_EQ(json["metrics"]["error"], 0.1);
  EXPECT_EQ(json["per_class"][0]["rows"], 80);
  EXPECT_EQ(json["calibration"]["crossed"], true) << "validation rows";
  EXPECT_EQ(json["importance"]["fan_out"][0]["column"], "decides");
  EXPECT_EQ(json["importance"]["permutation"][0]["column"], "decides");
  EXPECT_GT(json["importance"]["permutation"][0]["value"], 0.2);
  EXPECT_EQ(json["importance"]["permutation"][1]["value"], 0);
  EXPECT_EQ(json["network"]["layers"][0]["names"], (Json{"decides", "useless"}));
  EXPECT_EQ(json["network"]["layers"][2]["names"], (Json{"low", "high"}));
  EXPECT_EQ(json["network"]["links"].size(), 3U);
}

TEST(AnalysisJson, TellsAboutTheData) {
  Problem problem;
  EXPECT_TRUE(problem.json()["data"]["file"].is_null()) << "a table in memory";
  problem.held.file = "/there/d.csv";
  problem.held.test = true;
  const Json json = problem.json();
  EXPECT_EQ(json["rows"], "test");
  EXPECT_EQ(json["calibration"]["crossed"], false) << "no temperature was fitted on test rows";
  const Json& data = json["data"];
  EXPECT_EQ(data["file"], "/there/d.csv");
  EXPECT_EQ(data["format"], "csv");
  EXPECT_EQ(data["rows"], (Json{{"train", 70}, {"validation", 20}, {"test", 200}}));
  EXPECT_EQ(data["target"]["classes"],
            (Json{{{"name", "low"}, {"rows", 120}}, {{"name", "high"}, {"rows", 80}}}));
  EXPECT_EQ(data["columns"][0]["kind"], "number");
  EXPECT_EQ(data["columns"][0]["mean"], 0.333333) << "six digits";
  EXPECT_EQ(data["columns"][1]["kind"], "category");
  EXPECT_FALSE(data["columns"][1].contains("mean"));
}

TEST(AnalysisJson, OfNumbers) {
  const Json json = Problem(false).json();
  EXPECT_TRUE(json["confusion"].is_null());
  EXPECT_TRUE(json["calibration"].is_null());
  EXPECT_EQ(json["metrics"]["r2"], 1);
  EXPECT_FALSE(json.contains("per_class"));
  EXPECT_EQ(json["actual_predicted"]["actual"][1], 110) << "in the target's units";
  EXPECT_EQ(json["actual_predicted"]["actual"], json["actual_predicted"]["predicted"]);
  EXPECT_EQ(json["network"]["layers"][2]["names"], (Json{"y"}));
}

TEST(AnalysisJson, OnlyTheRowsThatAreHeldCount) {
  Problem problem;
  problem.held.rows = {0, 10, 20, 1};  // the first three are wrong
  const Json json = problem.json();
  EXPECT_EQ(json["n"], 4);
  EXPECT_EQ(json["confusion"]["counts"], (Json{{0, 0}, {3, 1}}));
}

/// Rows that one net of an ensemble answers.
TEST(AnalysisJson, OutOfFoldRowsAreCalledSo) {
  Problem problem;
  problem.held.net_of.assign(200, 0);
  EXPECT_EQ(problem.json()["out_of_fold"], true);
}

TEST(AnalysisJson, TheNumberOfThreadsDoesNotShow) {
  EXPECT_EQ(Problem().json(1), Problem().json(3));
}

}  // namespace
}  // namespace coppice
