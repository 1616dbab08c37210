#include "coppice/exports/export.h"

#include "coppice/exports/c_header.h"
#include "coppice/exports/lowered.h"
#include "coppice/exports/lowered_json.h"

namespace coppice {

std::string export_model(const Model& model, const ExportOptions& options) {
  switch (options.format) {
    case ExportFormat::json:
      return lowered_json(lower(model)).dump() + "\n";
    case ExportFormat::c:
      return c_header(model, options.name).text;
  }
  return {};
}

}  // namespace coppice
