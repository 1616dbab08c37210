#include "coppice/analysis/performance_json.h"

#include "coppice/analysis/calibration.h"
#include "coppice/analysis/calibration_json.h"
#include "coppice/analysis/data_json.h"
#include "coppice/analysis/temperature.h"
#include "coppice/core/random.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include "tests/model/models.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coppice {
namespace {

/// Scores of so many classes that tell the label more often than not.
struct Scored {
  ModelParts parts = test::small_model();
  Matrix<float> scores;
  KnownRows known;

  explicit Scored(std::size_t classes, std::size_t rows = 300) : scores(rows, classes) {
    Random random(3, Purpose::generator);
    parts.encoding.target.classes.clear();
    for (std::size_t k = 0; k < classes; ++k)
      parts.encoding.target.classes.push_back(fmt::format("{}", static_cast<char>('a' + k)));
    parts.temperature = 1.5;
    for (std::size_t i = 0; i < rows; ++i) {
      known.labels.push_back(static_cast<std::uint32_t>(random.below(classes)));
      for (std::size_t k = 0; k < classes; ++k)
        scores(i, k) = static_cast<float>(random.normal() + (known.labels[i] == k ? 1 : 0));
    }
  }
  nlohmann::ordered_json json() const { return performance_json(Model(parts), scores, known); }
};

TEST(PerformanceJson, ThresholdsAreCountedExactly) {
  Scored scored(2);
  scored.scores(0, 0) = scored.scores(0, 1);  // a probability of exactly 0.5
  for (const bool weighted : {false, true}) {
    for (std::size_t i = 0; i < 300 && weighted; ++i) scored.known.weights.push_back(i % 3 == 0 ? 2 : 1);
    const nlohmann::ordered_json json = scored.json();
    const nlohmann::ordered_json& thresholds = json["thresholds"];
    EXPECT_EQ(thresholds["class"], "b");
    EXPECT_EQ(thresholds["at"].size(), 107U);
    double positives = 0;
    for (const nlohmann::ordered_json& at : thresholds["at"]) {
      double right = 0;
      double wrong = 0;
      positives = 0;
      for (std::size_t i = 0; i < 300; ++i) {
        const double weight = weighted ? scored.known.weights[i] : 1;
        const bool answered = probabilities(scored.scores.row(i), 1.5)[1] >= at[0].get<double>();
        const bool own = scored.known.labels[i] == 1;
        positives += own ? weight : 0;
        (own ? right : wrong) += answered ? weight : 0;
      }
      EXPECT_NEAR(at[1], right, 1e-3) << at[0];
      EXPECT_NEAR(at[2], wrong, 1e-3) << at[0];
    }
    EXPECT_NEAR(thresholds["positives"], positives, 1e-3);
  }
}

TEST(PerformanceJson, EachClassAndItsCurve) {
  const Scored scored(4);
  const nlohmann::ordered_json json = scored.json();
  const Metrics metrics = measure(scored.parts, scored.scores, scored.known, {.auc = true});
  EXPECT_TRUE(json["thresholds"].is_null());
  ASSERT_EQ(json["curves"].size(), 4U);
  EXPECT_EQ(json["curves"][3]["class"], "d");
  EXPECT_EQ(json["metrics"]["auc"], rounded(metrics.auc));
  EXPECT_EQ(json["metrics"]["log_loss"], rounded(metrics.log_loss));
  ASSERT_EQ(json["per_class"].size(), 4U);
  EXPECT_EQ(json["per_class"][2]["recall"], rounded(metrics.classes[2].recall));
  EXPECT_EQ(json["per_class"][2]["rows"], metrics.rows_of(2));
  EXPECT_FALSE(json["one_answer"]);
}

TEST(PerformanceJson, ManyClassesHaveNoCurves) {
  EXPECT_TRUE(Scored(51).json()["curves"].empty());
}

TEST(PerformanceJson, AConstantModelIsCalledSo) {
  Scored scored(2);
  for (std::size_t i = 0; i < scored.scores.rows(); ++i) scored.scores(i, 0) = 9;
  EXPECT_TRUE(scored.json()["one_answer"]);
}

/// Half of the rows is surer than it may be, the other half is not: each is judged by the other's temperature.
TEST(CalibrationJson, ATemperatureIsNotJudgedOnTheRowsItWasFittedOn) {
  Scored scored(3);
  for (std::size_t i = 0; i < scored.scores.rows(); i += 2)
    for (float& score : scored.scores.row(i)) score *= 5;
  Matrix<float> even(150, 3);
  Matrix<float> odd(150, 3);
  std::vector<std::uint32_t> even_labels;
  std::vector<std::uint32_t> odd_labels;
  for (std::size_t i = 0; i < 300; ++i) {
    std::ranges::copy(scored.scores.row(i), (i % 2 == 0 ? even : odd).row(i / 2).begin());
    (i % 2 == 0 ? even_labels : odd_labels).push_back(scored.known.labels[i]);
  }
  const double loss = (calibrate(even, even_labels, fit_temperature(odd, odd_labels)).log_loss +
                       calibrate(odd, odd_labels, fit_temperature(even, even_labels)).log_loss) /
                      2;
  const nlohmann::ordered_json crossed = calibration_json(scored.scores, scored.known, 2, true);
  EXPECT_NEAR(crossed["log_loss_after"], loss, 1e-4);
  EXPECT_EQ(crossed["temperature"], 2);
  const nlohmann::ordered_json plain = calibration_json(scored.scores, scored.known, 2, false);
  EXPECT_EQ(plain["log_loss_after"], rounded(calibrate(scored.scores, scored.known.labels, 2).log_loss));
  EXPECT_EQ(plain["log_loss_before"], crossed["log_loss_before"]);
}

}  // namespace
}  // namespace coppice
