#include "coppice/analysis/metrics.h"
#include "coppice/core/text.h"
#include "coppice/run/model_file.h"
#include "coppice/run/read.h"

#include "cli/commands.h"
#include "cli/results.h"
#include "cli/terminal/table.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coppice::cli {

namespace {

nlohmann::ordered_json evaluation_json(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  nlohmann::ordered_json json{{"rows", metrics.rows}, {"error", metrics.error}};
  if (evaluation.task == Task::classification) {
    json["log_loss"] = metrics.log_loss;
    json["classes"] = evaluation.class_names;
    json["confusion"] = std::vector(metrics.confusion.begin(), metrics.confusion.end() - 1);
    if (evaluation.unseen_rows > 0) json["never_seen"] = metrics.confusion.back();
  } else {
    json["rmse"] = metrics.rmse;
    json["mae"] = metrics.mae;
    json["r2"] = metrics.r2;
  }
  return json;
}

/// Rows are actual classes, columns predicted ones; a row for classes never seen only if there are any.
std::string confusion_table(const Evaluation& evaluation) {
  const std::vector<std::string>& classes = evaluation.class_names;
  const Metrics& metrics = evaluation.metrics;
  std::vector<std::string> heading{"actual \\ predicted"};
  heading.insert(heading.end(), classes.begin(), classes.end());
  heading.emplace_back("wrong");
  TextTable table(heading);
  const std::size_t actual_classes = classes.size() + (evaluation.unseen_rows > 0 ? 1 : 0);
  for (std::size_t actual = 0; actual < actual_classes; ++actual) {
    std::vector<std::string> row{actual < classes.size() ? " " + classes[actual]
                                                         : " (never seen in training)"};
    for (const std::size_t count : metrics.confusion[actual]) row.push_back(std::to_string(count));
    const auto rows = static_cast<double>(metrics.rows_of(actual));
    row.push_back(rows > 0 ? share_text(static_cast<double>(metrics.wrong_of(actual)) / rows) : "-");
    table.add(std::move(row));
  }
  return table.text();
}

void print_evaluation(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  if (evaluation.task == Task::regression) {
    fmt::print("rows  {}\nRMSE  {:.6g}\nMAE   {:.6g}\nR2    {:.4f}\n", metrics.rows, metrics.rmse,
               metrics.mae, metrics.r2);
    return;
  }
  fmt::print("rows      {}\nerror     {}\nlog-loss  {:.4f}\n\n{}", metrics.rows, share_text(metrics.error),
             metrics.log_loss, confusion_table(evaluation));
}

}  // namespace

Action add_evaluate(CLI::App& app) {
  struct Arguments {
    std::string model;
    std::string data;
    bool json = false;
    Options options;
  };
  CLI::App* command = app.add_subcommand("evaluate", "how good a model is on rows whose answers are known");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("MODEL", arguments->model, "model file, or the directory of a run or a search")
      ->required();
  command->add_option("DATA", arguments->data, "rows with inputs and target")->required();
  add_device_options(*command, arguments->options);
  command->add_flag("--json", arguments->json, "print as JSON");
  return [arguments] {
    const Model model = Model::load(model_file(arguments->model));
    const Table table = read_table(arguments->data, read_options_for(model, true));
    const Options& options = arguments->options;
    const Evaluation evaluation =
        evaluate(model, table, {.threads = options.threads.value_or(0), .device = options.device});
    for (const std::string& note : evaluation.notes) fmt::print(stderr, "{}\n", note);
    print_warnings(evaluation.warnings);
    if (arguments->json) {
      fmt::print("{}\n", evaluation_json(evaluation).dump(2));
    } else {
      print_evaluation(evaluation);
    }
    return 0;
  };
}

}  // namespace coppice::cli
