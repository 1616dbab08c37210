#include "coppice/exports/c_self_test.h"

#include "coppice/exports/cells.h"

#include <cmath>

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

}  // namespace

void write_self_test(CWriter& out, const Model& model, const LoweredModel& lowered) {
  const std::size_t cells = std::max<std::size_t>(1, lowered.features.size());
  const std::size_t rows = std::clamp<std::size_t>(most_cells / cells, 1, most_rows);
  const Table table = trial_rows(lowered, rows);
  const Prediction prediction = model.predict(table, {.threads = 1});
  std::vector<float> row_cells;
  std::vector<float> outputs;
  std::vector<std::uint32_t> answers(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (const float cell : cells_of_row(lowered, table, row))
      row_cells.push_back(std::isnan(cell) ? std::numeric_limits<float>::max() : cell);
  }
  if (model.task() == Task::classification) {
    answers = prediction.classes;
    for (const double chance : prediction.probabilities) outputs.push_back(static_cast<float>(chance));
  } else {
    for (const double value : prediction.values) outputs.push_back(static_cast<float>(value));
  }
  out.code("\n#ifdef @_SELF_TEST\n/* FLT_MAX stands for a missing cell. */\n");
  out.line("enum {{ @_TEST_ROWS = {} }};", rows);
  out.floats("test_rows", row_cells);
  out.floats("test_outputs", outputs);
  out.whole_numbers<std::uint32_t>("int", "test_answers", answers);
  out.code(testing);
}

}  // namespace coppice
