#include "coppice/exports/export.h"

#include "coppice/c_interface/handles.h"

using namespace coppice;
using namespace coppice::c;

namespace {

ExportOptions export_options_of(const char* format, const coppice_export_options* options) {
  const coppice_export_options given = taken(options, "the options");
  ExportOptions result{.format = export_format(required_text(format, "the format"))};
  if (given.name != nullptr) result.name = given.name;
  result.int8 = given.int8 != 0;
  if (given.calibrate != nullptr) result.calibrate = given.calibrate->value;
  if (given.onnx_inputs != nullptr) result.onnx_inputs = onnx_inputs(given.onnx_inputs);
  if (given.onnx_texts != nullptr) result.onnx_texts = onnx_texts(given.onnx_texts);
  if (given.onnx_opset != 0) result.onnx_opset = given.onnx_opset;
  return result;
}

}  // namespace

coppice_status coppice_model_export(const coppice_model* model, const char* format,
                                    const coppice_export_options* options, coppice_text** text) {
  return guarded([&] {
    coppice_text*& to = place_for(text, "the text");
    to = new coppice_text{
        export_model(required(model, "the model").value, export_options_of(format, options))};
  });
}
