#include "coppice/analysis/evaluation_json.h"
#include "coppice/core/text.h"
#include "coppice/run/model_file.h"
#include "coppice/run/read.h"

#include "cli/answer_options.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/results.h"
#include "cli/streams.h"
#include "cli/terminal/styled.h"
#include "cli/terminal/table.h"

#include <cmath>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coppice::cli {

namespace {

nlohmann::ordered_json evaluation_json(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  nlohmann::ordered_json json{{"rows", metrics.rows}, {"error", metrics.error}};
  json.update(metrics_json(evaluation));
  if (evaluation.task == Task::classification) {
    json["classes"] = evaluation.class_names;
    json["confusion"] = std::vector(metrics.confusion.begin(), metrics.confusion.end() - 1);
    if (evaluation.unseen_rows > 0) json["never_seen"] = metrics.confusion.back();
  }
  return json;
}

/// "-" where it is not defined.
std::string fraction_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.4f}", value) : "-";
}

std::string class_table(const Evaluation& evaluation) {
  TextTable table({"class", "rows", "precision", "recall", "F1"});
  for (std::size_t k = 0; k < evaluation.class_names.size(); ++k) {
    const ClassMetrics& metrics = evaluation.metrics.classes[k];
    table.add({" " + evaluation.class_names[k], std::to_string(evaluation.metrics.rows_of(k)),
               fraction_text(metrics.precision), fraction_text(metrics.recall), fraction_text(metrics.f1)});
  }
  return table.text();
}

/// Where the probability of the second class had better be cut, were these rows all there are.
std::string thresholds_text(const Evaluation& evaluation) {
  if (!evaluation.best_f1 || !evaluation.best_balanced_error) return "";
  return fmt::format(
      "\nbest threshold for {} on these rows (on others another may be): {:.4g} for F1 ({:.4f}), {:.4g} for "
      "the "
      "balanced error ({})\n",
      cited(evaluation.class_names[1]), evaluation.best_f1->threshold, evaluation.best_f1->value,
      evaluation.best_balanced_error->threshold, share_text(evaluation.best_balanced_error->value));
}

/// What is to be said about a model that gives every row the same answer; empty if it does not.
std::string one_answer_text(const Evaluation& evaluation) {
  if (!evaluation.one_answer || evaluation.metrics.rows < 2) return "";
  constexpr double tells_apart = 0.55;
  if (evaluation.task == Task::regression)
    return "the model gives the same number for every row: it has learned nothing; look for columns or rows "
           "that tell more";
  std::size_t answer = 0;
  for (const std::vector<std::size_t>& actual : evaluation.metrics.confusion) {
    for (std::size_t k = 0; k < actual.size(); ++k) answer = actual[k] > 0 ? k : answer;
  }
  const std::string what =
      fmt::format("the model answers {} for every row", cited(evaluation.class_names[answer]));
  if (!(evaluation.metrics.auc > tells_apart))
    return what + ": it tells rows apart no better than chance; look for columns or rows that tell more";
  return fmt::format(
      "{}, but its probabilities tell rows apart (AUC {:.4f}): rank rows by them{}, or train with "
      "`class-weights` balanced",
      what, evaluation.metrics.auc,
      evaluation.best_f1 ? fmt::format(", cut them by `threshold` {:.4g}", evaluation.best_f1->threshold)
                         : "");
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
    table.add(row);
  }
  return table.text();
}

/// How often intervals, or sets, are right; empty if they were not asked for.
std::string interval_text(const Evaluation& evaluation) {
  if (!evaluation.interval) return "";
  const bool numbers = evaluation.task == Task::regression;
  return fmt::format("\n{} at {:g}: right for {} of the rows, mean {} {:.4g}\n",
                     numbers ? "intervals" : "sets of classes", evaluation.interval->level,
                     share_text(evaluation.interval->coverage), numbers ? "width" : "size",
                     evaluation.interval->mean_size);
}

void print_evaluation(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  if (evaluation.task == Task::regression) {
    show("rows  {}\nRMSE  {:.6g}\nMAE   {:.6g}\nR2    {:.4f}\n", metrics.rows, metrics.rmse, metrics.mae,
         metrics.r2);
    return;
  }
  show(
      "rows            {}\nerror           {}\nbalanced error  {}\nlog-loss        {:.4f}\nAUC             "
      "{}\n"
      "F1              {:.4f}\n\n{}\n{}{}",
      metrics.rows, share_text(metrics.error), share_text(metrics.balanced_error), metrics.log_loss,
      fraction_text(metrics.auc), metrics.f1, confusion_table(evaluation), class_table(evaluation),
      thresholds_text(evaluation));
}

}  // namespace

Action add_evaluate(CLI::App& app) {
  struct Arguments {
    std::string model;
    std::string data;
    std::string weight;
    bool json = false;
    AnswerOptions answers;
    Options options;
  };
  CLI::App* command = app.add_subcommand("evaluate", "how good a model is on rows whose answers are known");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("MODEL", arguments->model, "model file, or the directory of a run or a search")
      ->required();
  command->add_option("DATA", arguments->data, "rows with inputs and target")->required();
  command->add_option("--weight", arguments->weight, "column that says how much each row counts")
      ->type_name("COLUMN");
  add_answer_options(*command, arguments->answers);
  add_device_options(*command, arguments->options);
  command->add_flag("--json", arguments->json, "print as JSON");
  return [arguments] {
    const Model model = Model::load(model_file(arguments->model));
    ReadOptions reading = read_options_for(model, true);
    const std::string weight = to_utf8(arguments->weight);
    if (!weight.empty()) reading.numbers.push_back(weight);
    const Table table = read_table(arguments->data, reading);
    const Evaluation evaluation =
        evaluate(model, table, predict_options(arguments->options, arguments->answers), weight);
    for (const std::string& note : evaluation.notes) say_line(note);
    print_warnings(evaluation.warnings);
    if (arguments->json) {
      show_json(evaluation_json(evaluation).dump(2));
    } else {
      print_evaluation(evaluation);
      show("{}", interval_text(evaluation));
      if (const std::string sentence = one_answer_text(evaluation); !sentence.empty())
        fmt::print("\n{}\n", rendered({{with_dashes(sentence), Style::red}}, with_dashes(sentence).size(),
                                      ::isatty(STDOUT_FILENO) == 1));
    }
    return 0;
  };
}

}  // namespace coppice::cli
