#include "coppice/exports/export.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/run/model_file.h"

#include "cli/commands.h"
#include "cli/own_files.h"

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
  std::string out;
};

ExportFormat format_of(const std::string& word) {
  const auto format = from_name<ExportFormat>(word);
  if (!format)
    fail_option("to", "`to` {}: a model is exported to {}", cited(word), listed(all_names<ExportFormat>()));
  return *format;
}

/// What a flag of onnx says; none if it is not given.
template <class E>
std::optional<E> given(const std::string& flag, const std::string& word) {
  if (word.empty()) return std::nullopt;
  const auto value = from_name<E>(word);
  if (!value) fail_option(flag, "`{}` {}: it can be {}", flag, cited(word), joined(all_names<E>(), " or "));
  return value;
}

void refuse_overwriting_model(const ExportArguments& arguments) {
  std::error_code absent;
  if (std::filesystem::equivalent(arguments.out, arguments.model, absent))
    fail("-o {}: the export would overwrite the model; choose another file", arguments.out);
  check_not_own_file(arguments.out);
}

int export_file(ExportArguments& arguments) {
  const ExportOptions options{.format = format_of(arguments.to),
                              .onnx_inputs = given<OnnxInputs>("onnx-inputs", arguments.onnx_inputs),
                              .onnx_texts = given<OnnxTexts>("onnx-texts", arguments.onnx_texts)};
  arguments.model = model_file(arguments.model);
  if (!arguments.out.empty()) refuse_overwriting_model(arguments);
  const std::string text = export_model(Model::load(arguments.model), options);
  if (arguments.out.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
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
  command->add_option("-o,--out", arguments->out, "file to write (default: standard output)");
  return [arguments] { return export_file(*arguments); };
}

}  // namespace coppice::cli
