#include "coppice/exports/export.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/exports/c_header.h"
#include "coppice/exports/lowered.h"
#include "coppice/exports/lowered_json.h"
#include "coppice/exports/onnx.h"

namespace coppice {

namespace {

template <class E>
E said(const std::string& option, const std::string& name) {
  const auto value = from_name<E>(name);
  if (!value)
    fail_option(option, "`{}` {}: it can be {}", option, cited(name), joined(all_names<E>(), " or "));
  return *value;
}

void refuse_if_given(bool given, const std::string& option) {
  if (given) fail_option(option, "`{}`: only an export to onnx has such; leave it out", option);
}

std::string as_c(const Model& model, const ExportOptions& options) {
  if (!options.int8) return c_header(model, options.name).text;
  if (!options.calibrate)
    fail_option("calibrate",
                "`int8` needs rows such as those of training to find what 8 bits stand for; name them with "
                "`calibrate`");
  return c_int8_header(model, options.name, *options.calibrate).text;
}

}  // namespace

ExportFormat export_format(const std::string& name) {
  const auto format = from_name<ExportFormat>(name);
  if (!format)
    fail_option("to", "`to` {}: a model is exported to {}", cited(name), listed(all_names<ExportFormat>()));
  return *format;
}

OnnxInputs onnx_inputs(const std::string& name) {
  return said<OnnxInputs>("onnx-inputs", name);
}

OnnxTexts onnx_texts(const std::string& name) {
  return said<OnnxTexts>("onnx-texts", name);
}

std::string export_model(const Model& model, const ExportOptions& options) {
  if (options.int8 && options.format != ExportFormat::c)
    fail_option("int8", "`int8` is for c; leave it out, or export to c");
  if (options.calibrate && !options.int8)
    fail_option("calibrate", "`calibrate` is for `int8`; give that too, or leave it out");
  if (options.format != ExportFormat::onnx) {
    refuse_if_given(options.onnx_inputs.has_value(), "onnx-inputs");
    refuse_if_given(options.onnx_texts.has_value(), "onnx-texts");
    refuse_if_given(options.onnx_opset.has_value(), "onnx-opset");
  }
  switch (options.format) {
    case ExportFormat::json:
      return lowered_json(lower(model)).dump() + "\n";
    case ExportFormat::c:
      return as_c(model, options);
    case ExportFormat::onnx:
      return onnx_file(lower(model), options);
  }
  return {};
}

}  // namespace coppice
