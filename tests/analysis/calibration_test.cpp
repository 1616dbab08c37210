#include "coppice/analysis/calibration.h"

#include "coppice/analysis/metrics.h"
#include "coppice/model/predict.h"

#include "tests/model/models.h"

#include <cmath>
#include <limits>

namespace coppice {
namespace {

using namespace coppice::test;

/// Two classes; the first one has probability p.
Matrix<float> scores_for(const std::vector<double>& p) {
  Matrix<float> scores(p.size(), 2);
  for (std::size_t i = 0; i < p.size(); ++i) scores(i, 0) = static_cast<float>(std::log(p[i] / (1 - p[i])));
  return scores;
}

TEST(Calibration, BinsHoldEveryRowOnce) {
  const Matrix<float> scores = scores_for({0.95, 0.97, 0.93, 0.55, 0.52, 0.3});
  const std::vector<std::uint32_t> labels{0, 0, 1, 0, 1, 1};
  const Calibration calibration = calibrate(scores, labels, 1);
  ASSERT_EQ(calibration.bins.size(), 3U) << "0.5 to 0.6, 0.7 to 0.8 (0.3 is 0.7 for the other), 0.9 to 1";
  EXPECT_EQ(calibration.bins[0].rows, 2U);
  EXPECT_EQ(calibration.bins[1].rows, 1U);
  EXPECT_EQ(calibration.bins[2].rows, 3U);
  EXPECT_NEAR(calibration.bins[2].confidence, 0.95, 1e-6);
  EXPECT_NEAR(calibration.bins[2].accuracy, 2.0 / 3, 1e-12);
  EXPECT_NEAR(calibration.bins[0].accuracy, 0.5, 1e-12);
  const double expected = (2 * (0.535 - 0.5) + (1 - 0.7) + 3 * (0.95 - 2.0 / 3)) / 6;
  EXPECT_NEAR(calibration.error, expected, 1e-6);
}

TEST(Calibration, LogLossIsThatOfEvaluate) {
  const ModelParts model = small_model();
  Matrix<float> scores(4, 3);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      scores(i, k) = static_cast<float>(std::sin(static_cast<double>(7 * i + 3 * k)));
  }
  const std::vector<std::uint32_t> labels{2, 0, 3, 1};
  const Calibration calibration = calibrate(scores, labels, model.temperature);
  EXPECT_DOUBLE_EQ(calibration.log_loss, measure(model, scores, labels, {}).log_loss);
  std::size_t rows = 0;
  for (const CalibrationBin& bin : calibration.bins) rows += bin.rows;
  EXPECT_EQ(rows, 4U) << "a row of an unknown class counts, as wrong";
}

TEST(Calibration, TheTemperatureMovesConfidenceOnly) {
  const Matrix<float> scores = scores_for({0.9, 0.9, 0.9});
  const std::vector<std::uint32_t> labels{0, 0, 1};
  const Calibration cool = calibrate(scores, labels, 1);
  const Calibration warm = calibrate(scores, labels, 3);
  EXPECT_EQ(cool.bins[0].accuracy, warm.bins[0].accuracy);
  EXPECT_LT(warm.bins[0].confidence, cool.bins[0].confidence);
}

TEST(Calibration, ScoresThatAreNoNumbersAreLeftOut) {
  Matrix<float> scores(2, 2);
  scores(0, 0) = scores(0, 1) = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::uint32_t> labels{0, 0};
  EXPECT_EQ(calibrate(scores, labels, 1).bins.size(), 1U);
  EXPECT_TRUE(calibrate(Matrix<float>(0, 2), {}, 1).bins.empty());
}

}  // namespace
}  // namespace coppice
