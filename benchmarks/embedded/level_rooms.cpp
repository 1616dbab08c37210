// level_rooms MODEL ROWS OTHERS: what 8 bits cost on other rows than those of the calibration, by the room that ranges have
// beyond these (coppice/exports/quantized.h). Prints room of cells, room of units, error in floats, error in 8 bits, and how far
// the answers are off: the mean divergence of probabilities, or the mean square of scores.
#include "coppice/analysis/metrics.h"
#include "coppice/exports/quantized.h"
#include "coppice/exports/telling_rows.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"
#include "coppice/run/read.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace coppice {
namespace {

constexpr LevelRoom rooms[] = {{0.25, 0.5},  {0.25, 0.25}, {0.1, 0.5},  {0.1, 0.25},
                               {0.05, 0.25}, {0.05, 0.1},  {0.02, 0.1}, {0, 0}};
constexpr std::size_t most_rows = 4096;  // that a calibration looks at

std::vector<double> log_chances(std::span<const float> scores) {
  const double top = std::ranges::max(scores);
  double sum = 0;
  for (const float score : scores) sum += std::exp(score - top);
  std::vector<double> logs;
  for (const float score : scores) logs.push_back(score - top - std::log(sum));
  return logs;
}

double off_by(std::span<const float> before, std::span<const float> after) {
  if (before.size() == 1) return std::pow(static_cast<double>(after[0]) - before[0], 2);
  const std::vector<double> was = log_chances(before);
  const std::vector<double> is = log_chances(after);
  double sum = 0;
  for (std::size_t j = 0; j < was.size(); ++j) sum += std::exp(was[j]) * (was[j] - is[j]);
  return sum;
}

Matrix<float> calibration_rows(const LoweredModel& model, const Matrix<float>& all) {
  const std::vector<std::size_t> chosen = telling_rows(model, all, most_rows);
  Matrix<float> some(chosen.size(), all.cols());
  for (std::size_t i = 0; i < chosen.size(); ++i) std::ranges::copy(all.row(chosen[i]), some.row(i).begin());
  return some;
}

void compare(const std::string& path, const std::string& rows, const std::string& others) {
  const Model model = Model::load(path);
  const Encoding& encoding = model.parts().encoding;
  const LoweredModel lowered = lower(model);
  std::vector<std::string> warnings;
  const auto read = [&](const std::string& file) {
    return encode(read_table(file, read_options_for(model, true)), encoding, true, warnings);
  };
  const Matrix<float> seen = calibration_rows(lowered, read(rows).inputs);
  const Dataset asked = read(others);
  const KnownRows right{.labels = asked.labels, .targets = asked.targets, .weights = {}};
  const Matrix<float> before = predict_scores(model.folded(), asked, PredictOptions(), warnings, warnings);
  for (const LevelRoom& room : rooms) {
    const Matrix<float> after = quantized_scores(lowered, quantize(lowered, seen, room), asked.inputs);
    double off = 0;
    for (std::size_t row = 0; row < before.rows(); ++row) off += off_by(before.row(row), after.row(row));
    fmt::print("{},{},{},{},{}\n", room.cells, room.units, measure(model.parts(), before, right).error,
               measure(model.parts(), after, right).error, off / static_cast<double>(before.rows()));
  }
}

}  // namespace
}  // namespace coppice

int main(int count, char** words) {
  if (count != 4) {
    fmt::print(stderr, "level_rooms MODEL ROWS OTHERS\n");
    return 2;
  }
  try {
    coppice::compare(words[1], words[2], words[3]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "level_rooms: {}\n", error.what());
    return 1;
  }
}
