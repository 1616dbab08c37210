// Weights, metrics and thresholds as flags.
#include "tests/cli/program.h"

#include <cmath>
#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Weights : public Program {
 protected:
  /// One input; the class "yes" is rare; row i counts i % 4 times, or as `weight` says.
  std::string rare_csv(std::size_t rows, const std::string& weight = "") const {
    std::string text = "x,w,y\n";
    for (std::size_t i = 0; i < rows; ++i) {
      const double x = std::sin(static_cast<double>(i * i));
      const bool yes = x > 0.8 ? i % 3 == 0 : i % 40 == 1;
      text += fmt::format("{:.6f},{},{}\n", x, weight.empty() ? std::to_string(i % 4) : weight,
                          yes ? "yes" : "no");
    }
    return text;
  }
};

TEST_F(Weights, AColumnWeighsRowsAndIsNoInput) {
  write("d.csv", rare_csv(600));
  const Outcome trained = ok({"train", "d.csv", "--target", "y", "--weight", "w", "--effort", "quick",
                              "--lambda", "1e-2", "-o", "run"});
  EXPECT_THAT(trained.errors,
              AllOf(HasSubstr("\"w\""), HasSubstr("150 rows of weight 0"), HasSubstr("1 input;")));
  EXPECT_EQ(read_json("run/config.json")["weight"], "w");
  const Json weighted = ok({"evaluate", "run", "d.csv", "--weight", "w", "--json"}).json();
  const Json plain = ok({"evaluate", "run", "d.csv", "--json"}).json();
  EXPECT_EQ(weighted["rows"], 450);
  EXPECT_EQ(plain["rows"], 600);
  EXPECT_NE(weighted["log_loss"], plain["log_loss"]);
  ok({"train", "d.csv", "--target", "y", "--weight", "w", "--warm-start", "run", "--effort", "quick",
      "--lambda", "1e-2", "--max-epochs", "3", "-o", "again", "--quiet"});
}

TEST_F(Weights, MistakesNameTheirPlace) {
  write("d.csv", rare_csv(60) + "0.5,-3,no\n");
  refused({"train", "d.csv", "--target", "y", "--weight", "w"}, {"d.csv", "row 61", "\"w\"", "-3"});
  write("d.csv", rare_csv(60) + "0.5,,no\n");
  refused({"train", "d.csv", "--target", "y", "--weight", "w"}, {"d.csv", "line 62", "\"w\"", "missing"});
  write("d.csv", rare_csv(60));
  refused({"train", "d.csv", "--target", "y", "--weight", "v"}, {"--weight", "\"v\""});
  refused({"train", "d.csv", "--target", "y", "--class-weights", "maybe=2"},
          {"--class-weights", "\"maybe\""});
  refused({"train", "d.csv", "--target", "x", "--class-weights", "balanced"}, {"--class-weights", "numbers"});
  refused({"train", "d.csv", "--target", "y", "--metric", "mae"}, {"--metric mae", "auc"});
  refused({"train", "d.csv", "--target", "x", "--metric", "auc"}, {"--metric auc", "rmse or mae"});
}

TEST_F(Weights, TheMetricThatDecidesStandsInTheTable) {
  write("d.csv", rare_csv(400, "1"));
  for (const auto& [metric, heading] :
       {std::pair("auc", "AUC"), std::pair("balanced-error", "balanced error"), std::pair("f1", "F1"),
        std::pair("log-loss", "log-loss")}) {
    const Outcome trained = ok({"train", "d.csv", "--target", "y", "--metric", metric, "--class-weights",
                                "balanced", "--effort", "quick", "--lambda", "1e-2", "-o", metric});
    EXPECT_THAT(trained.out, HasSubstr(heading));
    EXPECT_EQ(read_json(std::string(metric) + "/summary.json")["metric"], metric);
  }
  const Outcome mae = ok({"train", "d.csv", "--target", "x", "--metric", "mae", "--effort", "quick",
                          "--lambda", "1e-2", "-o", "mae"});
  EXPECT_THAT(mae.out, HasSubstr("MAE"));
}

TEST_F(Weights, AThresholdDecidesAndEvaluateProposesOne) {
  write("d.csv", rare_csv(600, "1"));
  ok({"train", "d.csv", "--target", "y", "--effort", "quick", "--lambda", "1e-2", "-o", "run", "--quiet"});
  const std::string shown = ok({"evaluate", "run", "d.csv"}).out;
  EXPECT_THAT(shown, AllOf(HasSubstr("AUC"), HasSubstr("balanced error"), HasSubstr("precision  recall"),
                           HasSubstr("best threshold for \"yes\" on these rows")));
  EXPECT_THAT(shown, AllOf(HasSubstr("the model answers \"no\" for every row"), HasSubstr("--threshold 0."),
                           HasSubstr("--class-weights balanced")));
  const Json json = ok({"evaluate", "run", "d.csv", "--json"}).json();
  EXPECT_EQ(json["one_answer"], true);
  EXPECT_TRUE(json["per_class"][1]["precision"].is_null()) << "never answered";
  EXPECT_EQ(json["curves"][0]["class"], "yes");
  EXPECT_EQ(json["curves"][0]["roc"][0], Json::parse("[0.0,0.0,null]"));
  EXPECT_EQ(json["curves"][0]["roc"].back()[0], 1.0);
  const std::string threshold = fmt::format("{}", json["best_f1"]["threshold"].get<double>());
  const Json cut = ok({"evaluate", "run", "d.csv", "--threshold", threshold, "--json"}).json();
  EXPECT_NEAR(cut["f1"].get<double>(), json["best_f1"]["f1"].get<double>(), 1e-9);
  EXPECT_EQ(cut["one_answer"], false);
  std::size_t yes = 0;
  for (const std::vector<std::string>& row :
       cells_of(ok({"predict", "run", "d.csv", "--threshold", threshold}).out)) {
    if (row[0] == "prediction") continue;
    EXPECT_EQ(row[0] == "yes", std::stod(row[2]) >= std::stod(threshold)) << row[2];
    yes += row[0] == "yes" ? 1 : 0;
  }
  EXPECT_EQ(yes, cut["confusion"][0][1].get<std::size_t>() + cut["confusion"][1][1].get<std::size_t>());
  const auto all_no = cells_of(ok({"predict", "run", "d.csv", "--threshold", "0", "--positive", "no"}).out);
  for (std::size_t i = 1; i < all_no.size(); ++i) EXPECT_EQ(all_no[i][0], "no");
  refused({"predict", "run", "d.csv", "--threshold", "1.5"}, {"--threshold", "between 0 and 1"});
  refused({"predict", "run", "d.csv", "--threshold", "0.5", "--positive", "maybe"},
          {"--positive", "\"maybe\""});
  refused({"predict", "run", "d.csv", "--threshold", "x"}, {"--threshold"});
}

TEST_F(Weights, ANumberHasNoThreshold) {
  write("d.csv", rare_csv(200, "1"));
  ok({"train", "d.csv", "--target", "x", "--effort", "quick", "--lambda", "1e-2", "-o", "run", "--quiet"});
  refused({"predict", "run", "d.csv", "--threshold", "0.5"}, {"--threshold", "numbers"});
}

/// Train and evaluate measure the same rows alike.
TEST_F(Weights, TheShareOfVarianceIsOne) {
  write("d.csv", linear_csv(300));
  write("test.csv", linear_csv(60, 5));
  ok({"train", "d.csv", "--target", "y", "--effort", "quick", "--lambda", "1e-2", "--test", "test.csv", "-o",
      "run", "--quiet"});
  const Json summary = read_json("run/summary.json");
  const Json measured = ok({"evaluate", "run", "test.csv", "--json"}).json();
  const double error = summary["nets"][0]["test_error"];
  EXPECT_NEAR(error, 1 - measured["r2"].get<double>(), 1e-9);
  EXPECT_NEAR(error, measured["error"].get<double>(), 1e-9);
}

}  // namespace
}  // namespace coppice::test
