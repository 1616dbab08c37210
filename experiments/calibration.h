#pragma once

#include "experiments/comparison.h"
#include "experiments/stored.h"

#include <span>
#include <string>
#include <vector>

// Whether probabilities mean what they say, of nets that size themselves and of others.
namespace coppice::experiments {

/// How good probabilities are.
struct ProbabilityScores {
  double log_loss = 0;
  double brier = 0;  ///< mean over rows of the squared differences from 0 and 1, summed over classes
  double calibration_error =
      0;  ///< mean over rows of |share that is right - largest probability|, in ten intervals
};

/// Of rows whose classes are known: `probabilities` row by row, a label per row.
ProbabilityScores score_probabilities(std::span<const double> probabilities,
                                      std::span<const std::size_t> labels);

struct CalibratedNet {
  NetResult net = {};
  double temperature = 1;
  ProbabilityScores before = {};  ///< with a temperature of 1
  ProbabilityScores after = {};
};

struct CalibrationArm {
  std::string way = {};
  std::vector<CalibratedNet> nets = {};

  std::vector<double> all(double (*number)(const CalibratedNet&)) const;
};

struct CalibrationSet {
  std::string title = {};
  double lambda = 0;
  std::vector<CalibrationArm> arms = {};

  const CalibrationArm* find(const std::string& way) const;
};

// Ways that claims look for.
inline constexpr const char* calibrated_itself = "sized by itself";
inline constexpr const char* calibrated_usual = "same size, momentum, batch normalisation";
inline constexpr const char* calibrated_smooth = "same size, momentum, batch normalisation, smoothed labels";
inline constexpr const char* calibrated_same = "same size, AdaRad";
inline constexpr const char* calibrated_uncapped = "same size, AdaRad, output not capped";

std::vector<Claim> calibration_claims(const std::vector<CalibrationSet>& sets);
std::string calibration_details(const std::vector<CalibrationSet>& sets);
Rows calibration_rows(const std::vector<CalibrationSet>& sets);
std::vector<CalibrationSet> stored_calibration(const StoredEntry& stored);
Svg draw_calibration(const std::vector<CalibrationSet>& sets);

}  // namespace coppice::experiments
