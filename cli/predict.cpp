#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/model/model.h"
#include "coppice/run/model_file.h"
#include "coppice/run/read.h"

#include "cli/answer_options.h"
#include "cli/commands.h"
#include "cli/csv_cell.h"
#include "cli/own_files.h"
#include "cli/results.h"
#include "cli/streams.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// The names of the classes in a row's set, the most likely first, with | between them; a | or \ in a name has a \ before it.
std::string set_text(const Prediction& prediction, std::size_t row) {
  std::string text;
  for (const std::uint32_t k : prediction.set_of(row)) {
    if (!text.empty()) text += '|';
    for (const char c : prediction.class_names[k]) {
      if (c == '|' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

std::string csv_text(const Prediction& prediction) {
  std::string out;
  for (const std::string& name : prediction.id_names) out += csv_cell(name) + ",";
  out += "prediction";
  for (const std::string& name : prediction.class_names) out += "," + csv_cell("probability_" + name);
  const bool bounds = !prediction.lower.empty();
  const bool sets = !prediction.sets.empty();
  if (bounds) out += ",lower,upper";
  if (sets) out += ",set,set_size";
  out += '\n';
  for (std::size_t row = 0; row < prediction.rows; ++row) {
    for (const auto& column : prediction.ids) out += csv_cell(column[row]) + ",";
    if (prediction.class_names.empty()) {
      out += fmt::format("{:.7g}", prediction.values[row]);
    } else {
      out += csv_cell(prediction.class_of(row));
      for (const double p : prediction.probabilities_of(row)) out += fmt::format(",{:.6f}", p);
    }
    if (bounds) out += fmt::format(",{:.7g},{:.7g}", prediction.lower[row], prediction.upper[row]);
    if (sets)
      out += "," + csv_cell(set_text(prediction, row)) + fmt::format(",{}", prediction.set_of(row).size());
    out += '\n';
  }
  return out;
}

}  // namespace

Action add_predict(CLI::App& app) {
  struct Arguments {
    std::string model;
    std::string data;
    std::string out;
    AnswerOptions answers;
    Options options;
  };
  CLI::App* command =
      app.add_subcommand("predict", "class and probabilities, or value, for every row of a file");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("MODEL", arguments->model, "model file, or the directory of a run or a search")
      ->required();
  command->add_option("DATA", arguments->data, "rows with the columns the model was trained on")->required();
  command->add_option("-o,--out", arguments->out, "csv file to write (default: standard output)");
  add_answer_options(*command, arguments->answers);
  add_device_options(*command, arguments->options);
  return [arguments] {
    arguments->model = model_file(arguments->model);
    for (const std::string& input : {arguments->model, arguments->data}) {
      std::error_code absent;
      if (!arguments->out.empty() && std::filesystem::equivalent(arguments->out, input, absent)) {
        fail("-o {}: the predictions would overwrite what they are made from; choose another file",
             arguments->out);
      }
    }
    if (!arguments->out.empty()) check_not_own_file(arguments->out);
    const Model model = Model::load(arguments->model);
    const Table table = read_table(arguments->data, read_options_for(model));
    const Prediction prediction =
        model.predict(table, predict_options(arguments->options, arguments->answers));
    for (const std::string& note : prediction.notes) say_line(note);
    print_warnings(prediction.warnings);
    const std::string text = csv_text(prediction);
    if (arguments->out.empty()) {
      show_bytes(text);
    } else {
      write_file(arguments->out, text);
    }
    return 0;
  };
}

}  // namespace coppice::cli
