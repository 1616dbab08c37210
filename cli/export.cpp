#include "coppice/exports/export.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/exports/c_names.h"
#include "coppice/run/model_file.h"
#include "coppice/run/read.h"

#include "cli/commands.h"
#include "cli/own_files.h"
#include "cli/streams.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

struct ExportArguments {
  std::string model;
  std::string to;
  std::string onnx_inputs;
  std::string onnx_texts;
  std::optional<std::size_t> onnx_opset;
  std::string out;
  std::string name;
  std::string calibrate;
  bool int8 = false;
};

/// iris of dir/iris.h; `model` where that is no name of C.
std::string c_name_of_file(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  return is_c_name(stem) ? stem : ExportOptions().name;
}

void refuse_overwriting_model(const ExportArguments& arguments) {
  std::error_code absent;
  if (std::filesystem::equivalent(arguments.out, arguments.model, absent))
    fail("-o {}: the export would overwrite the model; choose another file", arguments.out);
  check_not_own_file(arguments.out);
}

int export_file(ExportArguments& arguments) {
  ExportOptions options{.format = export_format(arguments.to)};
  if (!arguments.onnx_inputs.empty()) options.onnx_inputs = onnx_inputs(arguments.onnx_inputs);
  if (!arguments.onnx_texts.empty()) options.onnx_texts = onnx_texts(arguments.onnx_texts);
  if (!arguments.name.empty()) {
    if (options.format != ExportFormat::c) fail("--name: only an export to c has names; leave it out");
    options.name = arguments.name;
  } else if (!arguments.out.empty()) {
    options.name = c_name_of_file(arguments.out);
  }
  options.onnx_opset = arguments.onnx_opset;
  arguments.model = model_file(arguments.model);
  if (!arguments.out.empty()) refuse_overwriting_model(arguments);
  const Model model = Model::load(arguments.model);
  options.int8 = arguments.int8;
  if (!arguments.calibrate.empty()) {
    ReadOptions reading = read_options_for(model, true);
    reading.test_part = false;  // what training saw
    options.calibrate = read_table(arguments.calibrate, reading);
  }
  const std::string text = export_model(model, options);
  if (arguments.out.empty()) {
    show_bytes(text);
  } else {
    write_file(arguments.out, text);
  }
  return 0;
}

}  // namespace

Action add_export(CLI::App& app) {
  CLI::App* command = app.add_subcommand("export", "writes a model for use without this program");
  auto arguments = std::make_shared<ExportArguments>();
  command->add_option("MODEL", arguments->model, "model file, or the directory of a run or a search")
      ->required();
  command->add_option("--to", arguments->to, "what to write")
      ->type_name(joined(all_names<ExportFormat>(), "|"))
      ->required();
  command
      ->add_option("--onnx-inputs", arguments->onnx_inputs,
                   "of onnx: one input for each column, or one for all numbers (default: columns, but matrix "
                   "for images)")
      ->type_name(joined(all_names<OnnxInputs>(), "|"));
  command
      ->add_option("--onnx-texts", arguments->onnx_texts,
                   "of onnx: how texts and classes stand there; codes for runtimes that have no strings "
                   "(default: strings)")
      ->type_name(joined(all_names<OnnxTexts>(), "|"));
  command
      ->add_option("--onnx-opset", arguments->onnx_opset,
                   "of onnx: the version of the operators that it names, 13 to 17 (default: 13)")
      ->type_name("N");
  command->add_option("-o,--out", arguments->out, "file to write (default: standard output)");
  command
      ->add_option("--name", arguments->name,
                   "c: what all names begin with (default: that of the file to write, or model)")
      ->type_name("NAME");
  command->add_flag("--int8", arguments->int8, "c: weights, and what goes from layer to layer, in 8 bits");
  command
      ->add_option("--calibrate", arguments->calibrate,
                   "int8: the rows of training, which say what 8 bits stand for, and what they cost")
      ->type_name("DATA");
  return [arguments] { return export_file(*arguments); };
}

}  // namespace coppice::cli
