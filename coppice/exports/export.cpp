#include "coppice/exports/export.h"

#include "coppice/exports/lowered.h"
#include "coppice/exports/lowered_json.h"

namespace coppice {

std::string export_model(const Model& model, const ExportOptions& options) {
  const LoweredModel lowered = lower(model);
  switch (options.format) {
    case ExportFormat::json:
      return lowered_json(lowered).dump() + "\n";
  }
  return {};
}

}  // namespace coppice
