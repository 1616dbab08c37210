#include "coppice/model/predict.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/run/model_file.h"
#include "coppice/run/prepare.h"
#include "coppice/run/run.h"

#include "cli/commands.h"
#include "cli/own_files.h"
#include "cli/results.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + "\"";
}

std::string header(const Model& model, const LoadedData& loaded) {
  std::string line;
  for (const std::string& name : loaded.id_names) line += csv_cell(name) + ",";
  line += "prediction";
  for (const std::string& name : model.encoding.target.classes) line += "," + csv_cell("probability_" + name);
  return line + "\n";
}

std::string predictions(const Model& model, const LoadedData& loaded, std::size_t threads, Device device) {
  ThreadPool pool(threads);
  const Matrix<float> scores = predict_scores(pool, model, loaded.data, device);
  const TargetColumn& target = model.encoding.target;
  std::string out = header(model, loaded);
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    for (const auto& column : loaded.ids) out += csv_cell(column[i]) + ",";
    if (model.encoding.task == Task::regression) {
      out += fmt::format("{:.7g}\n", target.mean + target.deviation * static_cast<double>(scores(i, 0)));
      continue;
    }
    out += csv_cell(target.classes[best_class(scores.row(i))]);
    for (const double p : probabilities(scores.row(i), model.temperature)) out += fmt::format(",{:.6f}", p);
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
    RunOptions options;
  };
  CLI::App* command =
      app.add_subcommand("predict", "class and probabilities, or value, for every row of a file");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("MODEL", arguments->model, "model file, or the directory of a run or a search")
      ->required();
  command->add_option("DATA", arguments->data, "rows with the columns the model was trained on")->required();
  command->add_option("-o,--out", arguments->out, "csv file to write (default: standard output)");
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
    const Model model = load_model(arguments->model);
    std::vector<std::string> warnings;
    const LoadedData loaded = load_for(model.encoding, arguments->data, false, warnings);
    print_warnings(warnings);
    const Device device = device_for(arguments->options);
    const std::string text = run_or_leave_gpu(arguments->options, [&](bool again) {
      return predictions(model, loaded, thread_count(arguments->options), again ? Device::cpu : device);
    });
    if (arguments->out.empty()) {
      std::fwrite(text.data(), 1, text.size(), stdout);
    } else {
      write_file(arguments->out, text);
    }
    return 0;
  };
}

}  // namespace coppice::cli
