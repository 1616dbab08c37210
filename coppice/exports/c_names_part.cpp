#include "coppice/exports/c_names.h"
#include "coppice/exports/c_parts.h"

namespace coppice {

namespace {

/// What a cell holds, where that is no plain number.
std::string_view meaning(const Feature& feature) {
  switch (feature.part) {
    case CellPart::number:
      return feature.wide() ? " /* less its base: by its $_set_ function */" : "";
    case CellPart::category:
    case CellPart::rank:
      return " /* by $_category() */";
    case CellPart::day:
      return " /* days */";
    case CellPart::month:
      return " /* 1 to 12 */";
    case CellPart::weekday:
      return " /* 1 (Monday) to 7 */";
    case CellPart::hour:
      return " /* 0 to 24 */";
  }
  return "";
}

}  // namespace

std::vector<std::string> cell_constants(const CWriter& out, const LoweredModel& model) {
  std::vector<std::string> names;
  for (const Feature& feature : model.features) names.push_back(feature.name);
  const std::vector<std::string> taken = c_constants(
      out.prefix(),
      std::vector<std::string>{"CELLS", "OUTPUTS", "INPUTS", "H", "EXPF", "SELF_TEST", "TEST_ROWS"}, {});
  return c_constants(out.prefix(), names, taken);
}

void write_names(CWriter& out, const LoweredModel& model) {
  const std::vector<std::string> cells = cell_constants(out, model);
  out.code("\n/* The cells of a row. */\nenum {\n");
  for (std::size_t f = 0; f < cells.size(); ++f) {
    const std::string format = "  {}," + std::string(meaning(model.features[f]));
    out.line(format, cells[f]);
  }
  out.line("  @_CELLS,\n  @_INPUTS = {},\n  @_OUTPUTS = {}\n}};", model.inputs.size(), model.outputs());
  if (model.task == Task::classification) {
    out.code("\n/* What the outputs are the probabilities of. */\n");
    out.strings("classes", model.classes);
  }
}

}  // namespace coppice
