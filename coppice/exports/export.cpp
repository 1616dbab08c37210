#include "coppice/exports/export.h"

#include "coppice/core/fail.h"
#include "coppice/exports/lowered.h"
#include "coppice/exports/lowered_json.h"
#include "coppice/exports/onnx.h"

namespace coppice {

std::string export_model(const Model& model, const ExportOptions& options) {
  if (options.onnx_inputs && options.format != ExportFormat::onnx)
    fail_option("onnx-inputs", "`onnx-inputs`: only an export to onnx has such inputs; leave it out");
  const LoweredModel lowered = lower(model);
  switch (options.format) {
    case ExportFormat::json:
      return lowered_json(lowered).dump() + "\n";
    case ExportFormat::onnx:
      return onnx_file(lowered, options.onnx_inputs);
  }
  return {};
}

}  // namespace coppice
