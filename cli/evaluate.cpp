#include "coppice/model/metrics.h"
#include "coppice/model/predict.h"
#include "coppice/report/table.h"
#include "coppice/run/model_file.h"
#include "coppice/run/prepare.h"
#include "coppice/run/run.h"

#include "cli/commands.h"
#include "cli/results.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coppice::cli {

namespace {

nlohmann::ordered_json metrics_json(const Model& model, const Metrics& metrics) {
  nlohmann::ordered_json json{{"rows", metrics.rows}, {"error", metrics.error}};
  if (model.encoding.task == Task::classification) {
    json["log_loss"] = metrics.log_loss;
    json["classes"] = model.encoding.target.classes;
    // The last row is that of classes the model does not know.
    const auto known = metrics.confusion.end() - 1;
    json["confusion"] = std::vector(metrics.confusion.begin(), known);
    if (std::ranges::any_of(*known, [](std::size_t count) { return count > 0; })) json["never_seen"] = *known;
  } else {
    json["rmse"] = metrics.rmse;
    json["mae"] = metrics.mae;
    json["r2"] = metrics.r2;
  }
  return json;
}

/// Rows are actual classes, columns predicted ones; a row for classes never seen only if there are any.
std::string confusion_table(const Model& model, const Metrics& metrics) {
  const std::vector<std::string>& classes = model.encoding.target.classes;
  std::vector<std::string> heading{"actual \\ predicted"};
  heading.insert(heading.end(), classes.begin(), classes.end());
  heading.emplace_back("wrong");
  TextTable table(heading);
  for (std::size_t actual = 0; actual <= classes.size(); ++actual) {
    std::size_t total = 0;
    std::vector<std::string> row{actual < classes.size() ? " " + classes[actual]
                                                         : " (never seen in training)"};
    for (const std::size_t count : metrics.confusion[actual]) {
      row.push_back(std::to_string(count));
      total += count;
    }
    if (actual == classes.size() && total == 0) break;
    const std::size_t right = actual < classes.size() ? metrics.confusion[actual][actual] : 0;
    row.push_back(total > 0 ? percent_text(static_cast<double>(total - right) / static_cast<double>(total))
                            : "-");
    table.add(std::move(row));
  }
  return table.text();
}

void print_metrics(const Model& model, const Metrics& metrics) {
  if (model.encoding.task == Task::regression) {
    fmt::print("rows  {}\nRMSE  {:.6g}\nMAE   {:.6g}\nR2    {:.4f}\n", metrics.rows, metrics.rmse,
               metrics.mae, metrics.r2);
    return;
  }
  fmt::print("rows      {}\nerror     {}\nlog-loss  {:.4f}\n\n{}", metrics.rows, percent_text(metrics.error),
             metrics.log_loss, confusion_table(model, metrics));
}

}  // namespace

Action add_evaluate(CLI::App& app) {
  struct Arguments {
    std::string model;
    std::string data;
    bool json = false;
    RunOptions options;
  };
  CLI::App* command = app.add_subcommand("evaluate", "how good a model is on rows whose answers are known");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("MODEL", arguments->model, "model file, or the directory of a run or a search")
      ->required();
  command->add_option("DATA", arguments->data, "rows with inputs and target")->required();
  add_device_options(*command, arguments->options);
  command->add_flag("--json", arguments->json, "print as JSON");
  return [arguments] {
    const Model model = load_model(model_file(arguments->model));
    std::vector<std::string> warnings;
    const LoadedData loaded = load_for(model.encoding, arguments->data, true, warnings);
    print_warnings(warnings);
    ThreadPool pool(thread_count(arguments->options));
    const Device device = device_for(arguments->options);
    const Matrix<float> scores = run_or_leave_gpu(arguments->options, [&](bool again) {
      return predict_scores(pool, model, loaded.data, again ? Device::cpu : device);
    });
    const Metrics metrics = measure(model, scores, loaded.data.labels, loaded.data.targets);
    if (arguments->json) {
      fmt::print("{}\n", metrics_json(model, metrics).dump(2));
    } else {
      print_metrics(model, metrics);
    }
    return 0;
  };
}

}  // namespace coppice::cli
