#include "coppice/analysis/metrics.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/run/read.h"
#include "coppice/run/run.h"

#include "tests/support.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

namespace coppice {
namespace {

using namespace coppice::test;
using Json = nlohmann::json;

/// Trains shortly and returns what was analysed.
class Analysis : public Folder {
 protected:
  static RunOptions options_for(const std::string& data) {
    RunOptions options;
    options.data = data;
    options.options.target = "y";
    options.options.max_epochs = 40;
    options.options.unit_lifetime = 20;
    options.options.threads = 2;
    options.options.ensemble = 1;
    options.options.hidden_layers = 2;
    options.options.encode = Encode::plain;
    return options;
  }

  Json analysis_of(const RunOptions& options) {
    run_ = path(fmt::format("run{}", ++runs_));
    auto run = coppice::Run::create(options, run_);
    run.train(nullptr);
    summary_ = run.finish();
    text_ = read_file(run_ + "/analysis.json");
    return Json::parse(text_);
  }

  /// y is told by a alone; b and colour say nothing.
  std::string table(std::size_t rows) const {
    std::string text = "a,b,colour,y\n";
    for (std::size_t i = 0; i < rows; ++i) {
      text += fmt::format("{},{},{},{}\n", static_cast<int>(i * 7 % 100) - 50,
                          i % 10 == 3 ? "NA" : std::to_string(i % 13),
                          i % 3 == 0   ? "red"
                          : i % 5 == 0 ? ""
                                       : "blue",
                          i * 7 % 100 < 50 ? "low" : "high");
    }
    return write("d.csv", text);
  }

  static double value_of(const Json& list, const std::string& column) {
    for (const Json& entry : list) {
      if (entry["column"] == column) return entry["value"];
    }
    ADD_FAILURE() << column << " is not listed in " << list;
    return 0;
  }

  std::string run_;
  std::string text_;
  Summary summary_;
  int runs_ = 0;
};

TEST_F(Analysis, OfAnEnsembleIsOverAllRowsEachByTheNetThatDidNotLearnFromIt) {
  RunOptions options = options_for(table(300));
  options.options.ensemble = 3;
  options.options.max_epochs.reset();
  options.options.effort = Effort::quick;
  const Json json = analysis_of(options);
  const NetResult& chosen = summary_.nets[summary_.chosen.value()];
  ASSERT_EQ(chosen.members.size(), 3U);
  EXPECT_EQ(json["net"], chosen.id);
  EXPECT_EQ(json["rows"], "validation");
  EXPECT_EQ(json["out_of_fold"], true);
  EXPECT_NEAR(json["metrics"]["log_loss"], chosen.log_loss.value(), 1e-5);
  EXPECT_EQ(json["dependence"][0]["column"], "a") << "by importance";
  EXPECT_EQ(json["typical"].size(), 3U);
  EXPECT_EQ(json["n"], 300);
  EXPECT_EQ(json["data"]["rows"], (Json{{"train", 300}, {"validation", 300}, {"test", 0}}));
  const Json& counts = json["confusion"]["counts"];
  const auto wrong = counts[0][1].get<std::size_t>() + counts[1][0].get<std::size_t>();
  EXPECT_NEAR(static_cast<double>(wrong) / 300, chosen.validation_error, 1e-9);
  EXPECT_GT(value_of(json["importance"]["permutation"], "a"), 0.3);
}

TEST_F(Analysis, OfClassesHasEveryPart) {
  RunOptions options = options_for(table(900));
  options.options.test = 0.3;
  const Json json = analysis_of(options);
  EXPECT_EQ(json["net"], summary_.chosen.value());
  EXPECT_EQ(json["rows"], "test");
  EXPECT_EQ(json["n"], 270);
  EXPECT_TRUE(is_utf8(text_));

  const Json& data = json["data"];
  EXPECT_EQ(data["file"], path("d.csv"));
  EXPECT_EQ(data["format"], "csv");
  EXPECT_EQ(data["rows"], (Json{{"train", 567}, {"validation", 63}, {"test", 270}}));
  EXPECT_EQ(data["target"]["kind"], "classes");
  EXPECT_EQ(data["target"]["classes"][0], (Json{{"name", "high"}, {"rows", 450}}));
  EXPECT_EQ(data["columns_total"], 3);
  EXPECT_EQ(data["columns"][1]["missing"], 90);
  EXPECT_EQ(data["columns"][1]["kind"], "number");
  EXPECT_EQ(data["columns"][1]["inputs"], 2);
  EXPECT_EQ(data["columns"][2]["kind"], "category");
  EXPECT_EQ(data["columns"][2]["missing"], 120);
  EXPECT_TRUE(data["image"].is_null());

  EXPECT_TRUE(json["actual_predicted"].is_null());
  EXPECT_TRUE(json["image_importance"].is_null());
  const Json& network = json["network"];
  EXPECT_EQ(network["layers"].size(), 4U);
  EXPECT_EQ(network["layers"][0]["units"], 7);
  EXPECT_EQ(network["layers"][3]["names"], (Json{"high", "low"}));
}

TEST_F(Analysis, FindsTheColumnThatDecides) {
  for (const HeldOut& test : {HeldOut(0.3), HeldOut()}) {
    RunOptions options = options_for(table(900));
    options.options.test = test;
    const Json json = analysis_of(options);
    ASSERT_LT(summary_.nets[0].validation_error, 0.1);
    for (const char* kind : {"fan_out", "permutation"}) {
      const Json& list = json["importance"][kind];
      ASSERT_EQ(list.size(), 3U);
      EXPECT_EQ(list[0]["column"], "a") << list;
    }
    EXPECT_GT(value_of(json["importance"]["permutation"], "a"), 0.3);
    EXPECT_NEAR(value_of(json["importance"]["permutation"], "colour"), 0, 0.05);
  }
}

TEST_F(Analysis, AgreesWithEvaluate) {
  RunOptions options = options_for(table(900));
  options.options.max_epochs = 3;
  options.test = table(200);
  options.data = write("e.csv", read_file(path("d.csv")));
  const Json json = analysis_of(options);
  const Model model = Model::load(run_ + "/model.coppice");
  const Metrics metrics = evaluate(model, read_table(options.test, read_options_for(model, true))).metrics;
  EXPECT_EQ(json["confusion"]["counts"][0], Json(metrics.confusion[0]));
  EXPECT_EQ(json["confusion"]["counts"][1], Json(metrics.confusion[1]));
  EXPECT_EQ(json["confusion"]["counts"].size(), 2U);
  EXPECT_EQ(json["confusion"]["never_seen"], Json(metrics.confusion[2]));
  EXPECT_NEAR(json["calibration"]["log_loss_after"], metrics.log_loss, 1e-5);
  for (const char* when : {"before", "after"}) {
    std::size_t rows = 0;
    double right = 0;
    for (const Json& bin : json["calibration"][when]) {
      rows += bin["rows"].get<std::size_t>();
      right += bin["accuracy"].get<double>() * bin["rows"].get<double>();
    }
    EXPECT_EQ(rows, 200U);
    EXPECT_NEAR(right, 200 * (1 - metrics.error), 1e-2);
  }
}

/// train, evaluate and the analysis share one definition: squared error over the variance of the rows that are measured.
TEST_F(Analysis, TheShareOfVarianceIsThatOfEvaluate) {
  const auto numbers = [&](const char* name, int rows, int step) {
    std::string text = "a,b,y\n";
    for (int i = 0; i < rows; ++i)
      text += fmt::format("{},{},{}\n", i * step % 50, i % 7, std::exp(0.1 * (i * step % 50)) + i % 3);
    return write(name, text);
  };
  for (const TargetTransform transform : {TargetTransform::none, TargetTransform::log}) {
    RunOptions options = options_for(numbers("n.csv", 400, 1));
    options.options.task = Task::regression;
    options.options.target_transform = transform;
    options.options.max_epochs = 5;
    options.test = numbers("t.csv", 90, 3);
    const Json json = analysis_of(options);
    const Model model = Model::load(run_ + "/model.coppice");
    const Metrics metrics = evaluate(model, read_table(options.test, read_options_for(model, true))).metrics;
    EXPECT_NEAR(summary_.nets[summary_.chosen.value()].test_error.value(), metrics.error, 1e-12);
    EXPECT_NEAR(metrics.error, 1 - metrics.r2, 1e-12);
    EXPECT_NEAR(json["metrics"]["error"], metrics.error, 1e-5 * metrics.error);
    EXPECT_NEAR(json["metrics"]["rmse"], metrics.rmse, 1e-5 * metrics.rmse);
  }
}

TEST_F(Analysis, TheNumberOfThreadsDoesNotShow) {
  RunOptions options = options_for(table(300));
  options.options.threads = 1;
  analysis_of(options);
  const std::string one = text_;
  options.options.threads = 3;
  analysis_of(options);
  EXPECT_EQ(one, text_);
}

TEST_F(Analysis, OfNumbersIsInTheTargetsUnits) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < 3000; ++i) text += fmt::format("{},{},{}\n", i % 50, i % 7, 1000 + 20 * (i % 50));
  RunOptions options = options_for(write("d.csv", text));
  options.options.task = Task::regression;
  options.options.test = 0.5;
  const Json json = analysis_of(options);
  EXPECT_TRUE(json["confusion"].is_null());
  EXPECT_TRUE(json["calibration"].is_null());
  EXPECT_EQ(json["data"]["target"]["min"], 1000);
  EXPECT_EQ(json["data"]["target"]["max"], 1980);
  const Json& points = json["actual_predicted"];
  ASSERT_EQ(points["actual"].size(), 1000U) << "of 1500 rows";
  ASSERT_EQ(points["predicted"].size(), 1000U);
  double worst = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_GE(points["actual"][i], 999.9);
    EXPECT_LE(points["actual"][i], 1980.1);
    worst =
        std::max(worst, std::abs(points["actual"][i].get<double>() - points["predicted"][i].get<double>()));
  }
  EXPECT_LT(worst, 400) << "the line is learned roughly";
  EXPECT_EQ(json["importance"]["permutation"][0]["column"], "a");
  EXPECT_GT(json["importance"]["permutation"][0]["value"], 0.5);
}

TEST_F(Analysis, OfImagesIsAHeatMap) {
  // 8 x 8 pixels of noise; the class is how bright one pixel of the lower right square is.
  std::string text;
  unsigned noise = 1;
  for (int i = 0; i < 800; ++i) {
    int decides = 0;
    for (int pixel = 0; pixel < 64; ++pixel) {
      noise = noise * 1664525U + 1013904223U;
      const int value = static_cast<int>(noise >> 28U);
      if (pixel == 53) decides = value;
      text += fmt::format("{} ", value);
    }
    text += fmt::format("{}\n", decides > 7 ? 1 : 0);
  }
  RunOptions options = options_for(write("d.amat", text));
  options.options.target.reset();
  options.options.test = 0.3;
  const Json json = analysis_of(options);
  EXPECT_TRUE(json["importance"].is_null());
  EXPECT_EQ(json["data"]["image"], (Json{{"rows", 8}, {"cols", 8}}));
  EXPECT_EQ(json["data"]["columns_total"], 64);
  const Json& heat = json["image_importance"];
  EXPECT_EQ(heat["block"], 4);
  ASSERT_EQ(heat["fan_out"].size(), 64U);
  ASSERT_EQ(heat["permutation"].size(), 64U);
  EXPECT_EQ(std::ranges::max_element(heat["fan_out"]) - heat["fan_out"].begin(), 53);
  EXPECT_GT(heat["permutation"][53], 0.2);
  EXPECT_EQ(heat["permutation"][53], heat["permutation"][36]) << "one square";
  EXPECT_NEAR(heat["permutation"][0], 0, 0.1);
}

TEST_F(Analysis, ManyClassesHaveNoConfusionTable) {
  std::string text = "a,y\n";
  for (int i = 0; i < 600; ++i) text += fmt::format("{},k{}\n", i % 60, i % 60);
  RunOptions options = options_for(write("d.csv", text));
  options.options.max_epochs = 2;
  const Json json = analysis_of(options);
  EXPECT_TRUE(json["confusion"].is_null());
  EXPECT_EQ(json["data"]["target"]["classes"].size(), 60U);
  EXPECT_EQ(json["network"]["layers"].back()["names"].size(), 40U);
}

}  // namespace
}  // namespace coppice
