#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/device/product.h"
#include "coppice/model/names.h"
#include "coppice/report/report.h"
#include "coppice/report/table.h"
#include "coppice/run/run.h"
#include "coppice/training/schedule.h"

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/signals.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

namespace fs = std::filesystem;

/// What stands on the command line; settings keep their texts until it is known which config file they
/// override.
struct TrainArguments {
  std::string data;
  std::string out;
  std::string config;
  std::string resume;
  bool quiet = false;
  bool json = false;
  Flags settings;
};

/// The JSON object in the file that --config names. `quiet` and `json`, which concern this command alone, are
/// taken out of it.
nlohmann::json read_config(TrainArguments& arguments) {
  require_file(arguments.config, "configuration");
  nlohmann::json config = nlohmann::json::parse(read_file(arguments.config), nullptr, false);
  if (config.is_discarded()) {
    fail("{}: is not valid JSON; see config.json of any run for an example", arguments.config);
  }
  for (const auto& [name, flag] :
       {std::pair("quiet", &arguments.quiet), std::pair("json", &arguments.json)}) {
    if (!config.contains(name)) continue;
    if (!config[name].is_boolean()) fail("{}: {} must be true or false", arguments.config, cited(name));
    *flag = *flag || config[name].get<bool>();
    config.erase(name);
  }
  return config;
}

RunOptions options_for_new_run(TrainArguments& arguments) {
  RunOptions options;
  if (!arguments.config.empty()) {
    const nlohmann::json config = read_config(arguments);
    std::vector<std::string> overridden;
    for (const auto& [name, values] : arguments.settings) {
      if (!values.empty()) overridden.push_back(name);
    }
    apply_config(options, config, arguments.config, overridden);
    if (config.contains("data") && config["data"].is_string()) options.data = config["data"];
  }
  if (!arguments.data.empty()) options.data = arguments.data;
  if (options.data.empty()) fail("train needs a data file or directory: coppice train DATA --target COLUMN");
  if (!arguments.settings.at("lambda").empty() && !arguments.settings.at("path").empty())
    fail("--path finds lambdas by itself; leave it or --lambda out");
  apply_flags(settings_of(options), arguments.settings);
  return options;
}

Run open_run(TrainArguments& arguments) {
  if (arguments.resume.empty()) {
    const RunOptions options = options_for_new_run(arguments);
    return Run::create(options, arguments.out.empty() ? default_directory(options.data) : arguments.out);
  }
  if (!arguments.config.empty()) fail("--resume takes the run's own configuration; leave --config out");
  if (!arguments.out.empty()) fail("--resume writes into the run it continues; leave -o out");
  return Run::resume(arguments.resume, [&](RunOptions& options) {
    if (!arguments.data.empty()) options.data = arguments.data;
    apply_flags(settings_of(options), arguments.settings);
  });
}

/// The name of the step, its words apart by this character.
std::string step_words(const TrainingOptions& training, char between) {
  std::string words(step_name(training));
  std::ranges::replace(words, '_', between);
  return words;
}

void announce(const Run& run) {
  for (const std::string& note : run.data().notes) fmt::print(stderr, "{}\n", note);
  const NetData data = run.data().net_data(run.options().seed);
  const TrainingOptions& training = run.options().training;
  fmt::print(stderr,
             "{} input{}; {} rows to train, {} to validate, {} to test; effort {}, batches of {}, {} {:.3g}; "
             "{} net{}, {} thread{}, {}, products in {}\n",
             run.data().encoding.inputs(), run.data().encoding.inputs() == 1 ? "" : "s",
             data.train_rows.size(), data.validation_rows.size(),
             run.data().test ? run.data().test->rows() : run.data().test_rows.size(),
             name_of(run.options().effort), training.batch_size, step_words(training, ' '),
             first_step(training, run.lambdas().front(), data.train_rows.size()), run.nets(),
             run.nets() > 1 ? "s" : "", thread_count(run.options()),
             thread_count(run.options()) > 1 ? "s" : "", run.device().text, name_of(run.precision()));
  if (run.options().lambdas.empty() && training.fixed_size.empty()) {
    std::vector<std::string> lambdas;
    for (const double lambda : run.lambdas()) lambdas.push_back(fmt::format("{:g}", lambda));
    fmt::print(stderr, "lambdas found from the data: {}; --lambda overrides\n", joined(lambdas, ", "));
  }
}

/// The sentence for a run without any net that could be trained to its end.
std::string every_net_failed(const Run& run) {
  const TrainingOptions& training = run.options().training;
  return fmt::format(
      "every net failed: its loss was not finite; try a smaller --{} than {:.3g}{}, and look for extreme "
      "numbers in the data (what was written is each net's best state before that)",
      step_words(training, '-'),
      first_step(training, run.lambdas().front(), run.data().net_data(run.options().seed).train_rows.size()),
      training.fixed_size.empty() ? " or a larger --lambda" : "");
}

int train(TrainArguments& arguments) {
  catch_signals();
  Run run = open_run(arguments);
  print_warnings(run.data().warnings);
  for (const std::string& warning : {product_warning(), precision_warning(run.precision())}) {
    if (!warning.empty()) print_warnings({warning});
  }
  if (!arguments.quiet) announce(run);

  std::unique_ptr<Progress> progress;
  if (!arguments.quiet) {
    progress =
        std::make_unique<Progress>(run.nets(), run.data().net_data(run.options().seed).train_rows.size(),
                                   run.options().training, run.options().time_limit);
  }
  const bool complete = run_or_leave_gpu(run.options(), [&](bool again) {
    if (again) run.leave_gpu();
    return run.train(progress.get(), [] { return caught_signal() != 0; });
  });
  progress.reset();
  if (!complete) {
    fmt::print(stderr, "interrupted; continue with: coppice train --resume {}\n", run.directory());
    return 128 + caught_signal();
  }
  const Summary summary = run.finish();
  const std::string report = write_report(run.directory());
  if (arguments.json) {
    fmt::print("{}\n", summary_json(summary).dump(2));
  } else if (!arguments.quiet) {
    fmt::print("\n{}{}\n", results_table(summary), points_table(summary));
    fmt::print("trained in {} on {} thread{}\n", duration_text(summary.seconds), summary.threads,
               summary.threads > 1 ? "s" : "");
    const fs::path directory = run.directory();
    if (summary.chosen) fmt::print("model        {}\n", (directory / "model.coppice").string());
    fmt::print("all nets     {}\nevery epoch  {}\nreport       {}\n", (directory / "summary.json").string(),
               (directory / "journal.jsonl").string(), report);
  }
  std::fflush(stdout);
  if (std::ranges::all_of(summary.nets, [](const NetResult& net) { return net.phase == "failed"; }))
    fail("{}", every_net_failed(run));
  if (!summary.chosen) fail("{}", nothing_fits(summary));
  return 0;
}

}  // namespace

Action add_train(CLI::App& app) {
  CLI::App* command = app.add_subcommand("train", "train networks that find their own size");
  auto arguments = std::make_shared<TrainArguments>();
  command->add_option(
      "DATA", arguments->data,
      "csv or tsv file, idx images (or a directory of the four MNIST files), libsvm, arff or amat; .gz too");
  command->add_option("-o,--out", arguments->out, "run directory to create (default: runs/NAME)");
  command->add_option("--config", arguments->config, "JSON file with any of the settings below; flags win");
  command->add_option("--resume", arguments->resume, "continue an interrupted run");
  command->add_flag("--quiet", arguments->quiet, "print nothing but warnings and errors");
  command->add_flag("--json", arguments->json, "print the summary as JSON");
  RunOptions defaults;
  add_settings(*command, settings_of(defaults), arguments->settings);
  return [arguments] { return train(*arguments); };
}

}  // namespace coppice::cli
