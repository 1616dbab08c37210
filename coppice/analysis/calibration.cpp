#include "coppice/analysis/calibration.h"

#include "coppice/core/elementary.h"
#include "coppice/model/predict.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace coppice {

Calibration calibrate(const Matrix<float>& scores, std::span<const std::uint32_t> labels,
                      double temperature) {
  constexpr double least_probability = 1e-15;
  std::array<CalibrationBin, Calibration::intervals> bins{};
  Calibration calibration;
  std::size_t known = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::vector<double> p = probabilities(scores.row(i), temperature);
    const std::size_t top = best_class(scores.row(i));
    if (labels[i] < p.size()) {
      calibration.log_loss -= elementary::log(std::max(least_probability, p[labels[i]]));
      ++known;
    }
    if (!std::isfinite(p[top])) continue;  // the scores of a net that failed
    const auto interval = static_cast<std::size_t>(p[top] * Calibration::intervals);
    CalibrationBin& bin = bins[std::min(interval, bins.size() - 1)];
    ++bin.rows;
    bin.confidence += p[top];
    bin.accuracy += top == labels[i] ? 1 : 0;
  }
  if (known > 0) calibration.log_loss /= static_cast<double>(known);
  for (CalibrationBin& bin : bins) {
    if (bin.rows == 0) continue;
    const auto rows = static_cast<double>(bin.rows);
    calibration.error += std::abs(bin.accuracy - bin.confidence) / static_cast<double>(labels.size());
    bin.confidence /= rows;
    bin.accuracy /= rows;
    calibration.bins.push_back(bin);
  }
  return calibration;
}

}  // namespace coppice
