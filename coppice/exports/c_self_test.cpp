#include "coppice/exports/c_self_test.h"

#include "coppice/exports/cells.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace coppice {

namespace {

constexpr std::size_t most_rows = 8;
/// Of all rows together: images need but a few.
constexpr std::size_t most_cells = 2000;

constexpr std::string_view testing = R"C(
static inline int $_self_test(void) {
  int i, k;
  for (i = 0; i < @_TEST_ROWS; i++) {
    float row[@_CELLS], out[@_OUTPUTS];
    for (k = 0; k < @_CELLS; k++) {
      const float cell = $_test_rows[i * @_CELLS + k];
      row[k] = cell == FLT_MAX ? NAN : cell;
    }
    if ($_predict(row, out) != $_test_answers[i]) return i + 1;
    for (k = 0; k < @_OUTPUTS; k++) {
      const float right = $_test_outputs[i * @_OUTPUTS + k];
      const float size = right > 1.0f ? right : right < -1.0f ? -right : 1.0f;
      const float off = (out[k] - right) / size;
      if (!(off < 1e-5f && off > -1e-5f)) return i + 1;
    }
  }
  return 0;
}
#endif
)C";

std::size_t row_count(const LoweredModel& model) {
  return std::clamp<std::size_t>(most_cells / std::max<std::size_t>(1, model.features.size()), 1, most_rows);
}

/// How far the levels of a row are from where another one begins, at the least.
double margin_of(const LoweredModel& lowered, const QuantizedModel& quantized,
                 std::span<const float> inputs) {
  double margin = 1;
  for (const float level : levels_of(lowered, quantized, inputs)) {
    const double above = level - std::floor(level);
    margin = std::min(margin, std::fabs(above - 0.5));
  }
  return margin;
}

}  // namespace

SelfTest self_test_of(const Model& model, const LoweredModel& lowered) {
  const Table table = trial_rows(lowered, row_count(lowered));
  const Prediction prediction = model.predict(table, {.threads = 1});
  SelfTest test;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    test.cells.push_back(cells_of_row(lowered, table, row));
    if (model.task() == Task::regression) {
      test.outputs.push_back({static_cast<float>(prediction.values[row])});
      test.answers.push_back(0);
    } else {
      const auto chances = prediction.probabilities_of(row);
      test.outputs.emplace_back(chances.begin(), chances.end());
      test.answers.push_back(prediction.classes[row]);
    }
  }
  return test;
}

SelfTest self_test_of(const Model& model, const LoweredModel& lowered, const QuantizedModel& quantized) {
  constexpr std::size_t candidates = 40;
  const Table table = trial_rows(lowered, candidates);
  std::vector<std::string> warnings;
  const Dataset data = encode(table, model.parts().encoding, false, warnings);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t row = 0; row < candidates; ++row)
    order.emplace_back(-margin_of(lowered, quantized, data.inputs.row(row)), row);
  std::ranges::sort(order);
  const Matrix<float> scores = quantized_scores(lowered, quantized, data.inputs);
  SelfTest test;
  for (std::size_t k = 0; k < row_count(lowered); ++k) {
    const std::size_t row = order[k].second;
    test.cells.push_back(cells_of_row(lowered, table, row));
    if (model.task() == Task::regression) {
      test.outputs.push_back({static_cast<float>(model.parts().encoding.target.value(scores(row, 0)))});
      test.answers.push_back(0);
    } else {
      const std::vector<double> chances = probabilities(scores.row(row), model.temperature());
      test.outputs.emplace_back(chances.begin(), chances.end());
      test.answers.push_back(static_cast<std::uint32_t>(best_class(scores.row(row))));
    }
  }
  return test;
}

void write_self_test(CWriter& out, const SelfTest& test) {
  std::vector<float> cells;
  std::vector<float> outputs;
  for (std::size_t row = 0; row < test.cells.size(); ++row) {
    for (const float cell : test.cells[row])
      cells.push_back(std::isnan(cell) ? std::numeric_limits<float>::max() : cell);
    outputs.insert(outputs.end(), test.outputs[row].begin(), test.outputs[row].end());
  }
  out.code("\n#ifdef @_SELF_TEST\n/* FLT_MAX stands for a missing cell. */\n");
  out.line("enum {{ @_TEST_ROWS = {} }};", test.cells.size());
  out.floats("test_rows", cells);
  out.floats("test_outputs", outputs);
  out.whole_numbers<std::uint32_t>("int", "test_answers", test.answers);
  out.code(testing);
}

}  // namespace coppice
