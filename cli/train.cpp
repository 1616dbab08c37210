#include "coppice/api/choose.h"
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/report/report.h"
#include "coppice/run/layout.h"
#include "coppice/run/run.h"
#include "coppice/run/summary.h"

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/progress.h"
#include "cli/reading_line.h"
#include "cli/results.h"
#include "cli/signals.h"
#include "cli/streams.h"
#include "cli/terminal/styled.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
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
  nlohmann::json config = read_json(arguments.config, "see config.json of any run for an example");
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
  apply_flags(run_settings(), arguments.settings, options);
  return options;
}

Run open_run(TrainArguments& arguments) {
  if (arguments.resume.empty()) {
    RunOptions options = options_for_new_run(arguments);
    if (!arguments.quiet) options.reading = reading_line();
    return Run::create(options, arguments.out.empty() ? default_directory(options.data) : arguments.out,
                       is_interrupted);
  }
  if (!arguments.config.empty()) fail("--resume takes the run's own configuration; leave --config out");
  if (!arguments.out.empty()) fail("--resume writes into the run it continues; leave -o out");
  return Run::resume(
      arguments.resume,
      [&](RunOptions& options) {
        if (!arguments.data.empty()) options.data = arguments.data;
        if (!arguments.quiet) options.reading = reading_line();
        apply_flags(run_settings(), arguments.settings, options);
      },
      is_interrupted);
}

std::string with_plural(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void announce(const TrainingInfo& info) {
  for (const std::string& note : info.notes) say_line(with_dashes(note));
  std::string step = info.step_name;
  std::ranges::replace(step, '_', ' ');
  say("{}; {} rows to train, {} to validate, {} to test; effort {}, batches of {}, {} {:.3g}; "
      "{}, {}, {}, products in {}",
      with_plural(info.inputs, "input"), info.train_rows, info.validation_rows, info.test_rows,
      name_of(*info.options.effort), *info.options.batch_size, step, info.step, with_plural(info.nets, "net"),
      with_plural(info.threads, "thread"), with_dashes(info.device_text), name_of(info.precision));
  if (!info.lambdas_found) return;
  std::vector<std::string> lambdas;
  for (const double lambda : info.lambdas) lambdas.push_back(fmt::format("{:g}", lambda));
  say("lambdas found from the data: {}; --lambda overrides", joined(lambdas, ", "));
}

/// The sentence for a run without any net that could be trained to its end.
std::string every_net_failed(const TrainingInfo& info) {
  std::string step = info.step_name;
  std::ranges::replace(step, '_', '-');
  return fmt::format(
      "every net failed: its loss was not finite; try a smaller `{}` than {:.3g}{}, and look for extreme "
      "numbers in the data (what was written is each net's best state before that)",
      step, info.step, info.options.fixed_size.empty() ? " or a larger `lambda`" : "");
}

void print_results(const Result& result, const std::string& run, const std::string& report) {
  show("\n{}{}{}{}\n", results_table(result), base_rate_line(result), points_table(result),
       repetitions_line(result));
  if (const std::string sentence = one_answer_sentence(result); !sentence.empty()) {
    const bool terminal = ::isatty(STDOUT_FILENO) == 1;
    fmt::print("{}\n\n", rendered({{sentence, Style::red}}, sentence.size(), terminal));
  }
  show("trained in {} on {}\n", duration_text(result.seconds), with_plural(result.threads, "thread"));
  if (result.chosen) show("model        {}\n", layout::in(run, layout::model));
  show("all nets     {}\nevery epoch  {}\nreport       {}\n", layout::in(run, layout::summary),
       layout::in(run, layout::journal), report);
}

/// Says what is noted.
class Notes final : public Observer {
 public:
  void on_note(const std::string& note) override { say_line(with_dashes(note)); }
};

/// Nothing if somebody asked to stop meanwhile.
std::optional<Result> finish(Run& run, bool quiet) {
  Notes notes;
  try {
    return run.finish(quiet ? nullptr : &notes);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted) throw;
    return std::nullopt;
  }
}

int train(TrainArguments& arguments) {
  catch_signals();
  Run run = open_run(arguments);
  const TrainingInfo info = run.training().info();
  print_warnings(info.warnings);
  if (!arguments.quiet) announce(info);
  std::unique_ptr<Progress> progress;
  if (!arguments.quiet) progress = std::make_unique<Progress>(info);
  const bool complete = run.train(progress.get());
  progress.reset();
  const std::optional<Result> finished = complete ? finish(run, arguments.quiet) : std::nullopt;
  if (!finished) {
    say("interrupted; continue with: coppice train --resume {}", run.directory());
    return 128 + caught_signal();
  }
  const Result& result = *finished;
  const std::string report = write_report(run.directory());
  if (arguments.json) {
    show_json(summary_json(result).dump(2));
  } else if (!arguments.quiet) {
    print_results(result, run.directory(), report);
  }
  std::fflush(stdout);
  if (std::ranges::all_of(result.nets, [](const NetResult& net) { return net.phase == "failed"; }))
    fail("{}", every_net_failed(info));
  if (!result.chosen) fail("{}", nothing_fits(result));
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
  RunOptions standard;
  standard.options = standard_options();
  add_settings(*command, run_settings(), standard, arguments->settings);
  return [arguments] { return train(*arguments); };
}

}  // namespace coppice::cli
