#include "coppice/exports/export.h"

#include "coppice/core/fail.h"
#include "coppice/exports/lowered.h"
#include "coppice/exports/lowered_json.h"
#include "coppice/exports/onnx.h"

namespace coppice {

namespace {

void refuse_if_given(bool given, const std::string& option) {
  if (given) fail_option(option, "`{}`: only an export to onnx has such inputs; leave it out", option);
}

}  // namespace

std::string export_model(const Model& model, const ExportOptions& options) {
  if (options.format != ExportFormat::onnx) {
    refuse_if_given(options.onnx_inputs.has_value(), "onnx-inputs");
    refuse_if_given(options.onnx_texts.has_value(), "onnx-texts");
  }
  const LoweredModel lowered = lower(model);
  switch (options.format) {
    case ExportFormat::json:
      return lowered_json(lowered).dump() + "\n";
    case ExportFormat::onnx:
      return onnx_file(lowered, options);
  }
  return {};
}

}  // namespace coppice
