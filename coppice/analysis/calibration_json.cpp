#include "coppice/analysis/calibration_json.h"

#include "coppice/analysis/calibration.h"
#include "coppice/analysis/data_json.h"
#include "coppice/analysis/temperature.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace coppice {

namespace {

nlohmann::ordered_json bins_json(const Calibration& calibration) {
  nlohmann::ordered_json bins = nlohmann::ordered_json::array();
  for (const CalibrationBin& bin : calibration.bins) {
    bins.push_back(
        {{"confidence", rounded(bin.confidence)}, {"accuracy", rounded(bin.accuracy)}, {"rows", bin.rows}});
  }
  return bins;
}

/// The temperature that every other row asks for, from the first or from the second.
double temperature_of_half(const Matrix<float>& scores, const KnownRows& known, std::size_t half) {
  Matrix<float> own((scores.rows() + 1 - half) / 2, scores.cols());
  std::vector<std::uint32_t> labels;
  std::vector<float> weights;
  for (std::size_t row = half; row < scores.rows(); row += 2) {
    std::ranges::copy(scores.row(row), own.row(labels.size()).begin());
    labels.push_back(known.labels[row]);
    if (!known.weights.empty()) weights.push_back(known.weights[row]);
  }
  return fit_temperature(own, labels, weights);
}

/// The scores of each row divided by the temperature that the other half asks for.
Matrix<float> crossed_scores(const Matrix<float>& scores, const KnownRows& known) {
  const std::array<double, 2> temperatures{temperature_of_half(scores, known, 1),
                                           temperature_of_half(scores, known, 0)};
  Matrix<float> divided(scores.rows(), scores.cols());
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    for (std::size_t k = 0; k < scores.cols(); ++k)
      divided(row, k) = static_cast<float>(scores(row, k) / temperatures.at(row % 2));
  }
  return divided;
}

}  // namespace

nlohmann::ordered_json calibration_json(const Matrix<float>& scores, const KnownRows& known,
                                        double temperature, bool crossed) {
  const Calibration before = calibrate(scores, known.labels, 1);
  const Calibration after = crossed ? calibrate(crossed_scores(scores, known), known.labels, 1)
                                    : calibrate(scores, known.labels, temperature);
  return {{"before", bins_json(before)},
          {"after", bins_json(after)},
          {"crossed", crossed},
          {"temperature", temperature},
          {"log_loss_before", rounded(before.log_loss)},
          {"log_loss_after", rounded(after.log_loss)},
          {"ece_before", rounded(before.error)},
          {"ece_after", rounded(after.error)}};
}

}  // namespace coppice
