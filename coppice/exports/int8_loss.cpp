#include "coppice/exports/int8_loss.h"

#include "coppice/analysis/metrics.h"
#include "coppice/core/fail.h"
#include "coppice/exports/telling_rows.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"
#include "coppice/network/score_metrics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coppice {

namespace {

/// Means of so many rows are as good as those of all.
constexpr std::size_t most_rows = 4096;

Matrix<float> some_rows(const LoweredModel& model, const Matrix<float>& all) {
  const std::vector<std::size_t> chosen = telling_rows(model, all, most_rows);
  Matrix<float> some(chosen.size(), all.cols());
  for (std::size_t i = 0; i < chosen.size(); ++i) std::ranges::copy(all.row(chosen[i]), some.row(i).begin());
  return some;
}

double change(Task task, const Matrix<float>& before, const Matrix<float>& after) {
  double sum = 0;
  const std::vector<std::uint32_t> old = best_classes(before);
  const std::vector<std::uint32_t> now = best_classes(after);
  for (std::size_t row = 0; row < before.rows(); ++row) {
    const double off = static_cast<double>(after(row, 0)) - before(row, 0);
    sum += task == Task::regression ? off * off : old[row] != now[row] ? 1 : 0;
  }
  const double mean = sum / static_cast<double>(before.rows());
  return task == Task::regression ? std::sqrt(mean) : mean;
}

}  // namespace

CalibratedModel calibrate(const Model& model, const LoweredModel& lowered, const Table& table) {
  if (table.rows() == 0)
    fail_option("calibrate", "`calibrate`: the table has no rows; give rows such as those of training");
  const Encoding& encoding = model.parts().encoding;
  const bool known = table.find(encoding.target.name).has_value();
  std::vector<std::string> warnings;
  Dataset data = encode(table, encoding, known, warnings);
  const LevelRoom room = data.rows() > most_rows ? room_after_many_rows : LevelRoom();
  CalibratedModel made{.quantized = quantize(lowered, some_rows(lowered, data.inputs), room), .loss = {}};
  const Matrix<float> before = predict_scores(model.folded(), data, PredictOptions(), warnings, warnings);
  const Matrix<float> after = quantized_scores(lowered, made.quantized, data.inputs);
  made.loss.rows = data.rows();
  made.loss.changed = change(model.task(), before, after);
  if (!known) return made;
  const KnownRows right{.labels = std::move(data.labels), .targets = std::move(data.targets), .weights = {}};
  made.loss.error_before = measure(model.parts(), before, right).error;
  made.loss.error = measure(model.parts(), after, right).error;
  return made;
}

}  // namespace coppice
