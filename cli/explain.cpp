#include "coppice/analysis/explain.h"

#include "coppice/api/setting_builder.h"
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/run/model_file.h"
#include "coppice/run/read.h"

#include "cli/commands.h"
#include "cli/csv_cell.h"
#include "cli/own_files.h"
#include "cli/results.h"
#include "cli/streams.h"
#include "cli/terminal/contribution_table.h"

#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coppice::cli {

namespace {

struct ExplainArguments {
  std::string model;
  std::string data;
  std::string out;
  std::string class_name;
  std::optional<std::string> row;
  bool json = false;
  Options options;
};

/// What is predicted for the row that stands there in the explanation: a class, or a number.
std::string prediction_of(const Explanation& all, std::size_t i) {
  const std::uint32_t row = all.row_numbers[i];
  return all.classes.empty() ? fmt::format("{:.7g}", all.prediction.values[row])
                             : all.prediction.class_of(row);
}

std::string explanation_csv(const Explanation& all) {
  const Prediction& prediction = all.prediction;
  std::string out;
  for (const std::string& name : prediction.id_names) out += csv_cell(name) + ",";
  out += all.classes.empty() ? "prediction,baseline,score" : "prediction,class,baseline,score";
  for (const std::string& name : all.columns) out += "," + csv_cell(name);
  out += '\n';
  for (std::size_t i = 0; i < all.rows; ++i) {
    for (const auto& column : prediction.ids) out += csv_cell(column[all.row_numbers[i]]) + ",";
    out += csv_cell(prediction_of(all, i));
    if (!all.classes.empty()) out += "," + csv_cell(prediction.class_names[all.classes[i]]);
    out += fmt::format(",{:.9g},{:.9g}", all.baselines[i], all.scores[i]);
    for (const double part : all.contributions_of(i)) out += fmt::format(",{:.9g}", part);
    out += '\n';
  }
  return out;
}

nlohmann::ordered_json explanation_json(const Model& model, const Explanation& all) {
  nlohmann::ordered_json json{{"target", model.target()}, {"columns", all.columns}};
  json["score"] = !all.classes.empty() ? "class score" : all.logarithms ? "logarithm of the value" : "value";
  json["rows"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < all.rows; ++i) {
    nlohmann::ordered_json row{{"row", all.row_numbers[i] + 1}};
    if (all.classes.empty()) {
      row["prediction"] = all.prediction.values[all.row_numbers[i]];
    } else {
      row["prediction"] = prediction_of(all, i);
      row["class"] = all.prediction.class_names[all.classes[i]];
    }
    row["baseline"] = all.baselines[i];
    row["score"] = all.scores[i];
    const auto parts = all.contributions_of(i);
    row["contributions"] = std::vector<double>(parts.begin(), parts.end());
    json["rows"].push_back(std::move(row));
  }
  return json;
}

void print_row(const Model& model, const Table& table, const Explanation& all) {
  const std::uint32_t row = all.row_numbers.front();
  std::string score = "the value";
  std::string chance;
  if (!all.classes.empty()) {
    const std::uint32_t label = all.classes.front();
    score = fmt::format("the score of {}", all.prediction.class_names[label]);
    chance = fmt::format(", {} for {}", share_text(all.prediction.probabilities_of(row)[label]),
                         all.prediction.class_names[label]);
  } else if (all.logarithms) {
    score = "the logarithm of the value";
  }
  show("row {}: {} {}{}\n{} is {:.4g}: {:.4g} for the mean input, and from the columns\n\n", row + 1,
       model.target(), prediction_of(all, 0), chance, score, all.scores.front(), all.baselines.front());
  std::vector<ColumnPart> parts;
  for (std::size_t k = 0; k < all.columns.size(); ++k) {
    const std::string& name = all.columns[k];
    const std::string cell = table.find(name) ? table.text(name, row) : "";
    parts.push_back({.column = name, .cell = cell, .part = all.contributions_of(0)[k]});
  }
  show("{}", contribution_table(std::move(parts)));
}

void refuse_overwriting(const ExplainArguments& arguments) {
  if (arguments.out.empty()) return;
  if (arguments.json) fail("-o writes csv and --json prints JSON; leave one of them out");
  for (const std::string& input : {arguments.model, arguments.data}) {
    std::error_code absent;
    if (std::filesystem::equivalent(arguments.out, input, absent))
      fail("-o {}: the explanations would overwrite what they are made from; choose another file",
           arguments.out);
  }
  check_not_own_file(arguments.out);
}

int explain_rows(ExplainArguments& arguments) {
  arguments.model = model_file(arguments.model);
  refuse_overwriting(arguments);
  ExplainOptions options{.class_name = arguments.class_name,
                         .threads = arguments.options.threads.value_or(0)};
  if (arguments.row) {
    const std::size_t row =
        checked_whole("row", *arguments.row, 1, std::numeric_limits<std::uint32_t>::max());
    options.rows = {static_cast<std::uint32_t>(row - 1)};
  }
  const Model model = Model::load(arguments.model);
  const Table table = read_table(arguments.data, read_options_for(model));
  const Explanation all = explain(model, table, options);
  print_warnings(all.prediction.warnings);
  if (!arguments.out.empty()) {
    write_file(arguments.out, explanation_csv(all));
  } else if (arguments.json) {
    show_json(explanation_json(model, all).dump());
  } else if (!options.rows.empty()) {
    print_row(model, table, all);
  } else {
    const std::string text = explanation_csv(all);
    show_bytes(text);
  }
  return 0;
}

}  // namespace

Action add_explain(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("explain", "what each column contributes to what a model says about rows");
  auto arguments = std::make_shared<ExplainArguments>();
  command->add_option("MODEL", arguments->model, "model file, or the directory of a run or a search")
      ->required();
  command->add_option("DATA", arguments->data, "rows with the columns the model was trained on")->required();
  command->add_option("-o,--out", arguments->out, "csv file to write (default: standard output)");
  command
      ->add_option("--row", arguments->row, "explain this row alone, the first being 1, for people to read")
      ->type_name("N");
  command
      ->add_option("--class", arguments->class_name,
                   "class whose score is explained (default: for each row the class that is predicted)")
      ->type_name("NAME");
  command->add_flag("--json", arguments->json, "print as JSON");
  add_setting(*command, "threads", arguments->options, "processor threads (default: all)");
  return [arguments] { return explain_rows(*arguments); };
}

}  // namespace coppice::cli
