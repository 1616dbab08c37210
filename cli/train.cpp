#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/ranks/rank_rows.h"
#include "coppice/run/layout.h"
#include "coppice/run/run.h"
#include "coppice/run/shard.h"

#include "cli/commands.h"
#include "cli/finish_run.h"
#include "cli/flags.h"
#include "cli/on_ranks.h"
#include "cli/progress.h"
#include "cli/reading_line.h"
#include "cli/signals.h"
#include "cli/streams.h"

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
  std::string shard;
  std::string data_from;
  Ranks* ranks = nullptr;
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

/// The directory of a shard. The same command goes on, as jobs of an array do that are put back into the queue.
Run open_shard(TrainArguments& arguments) {
  const Shard shard = parse_shard(arguments.shard);
  if (!arguments.resume.empty()) fail("--shard goes on by itself; name the run by -o, not by --resume");
  if (!arguments.settings["time-limit"].empty())
    fail("--time-limit: a shard has none, since nobody knows when the others began; use --max-epochs");
  if (arguments.out.empty()) fail("--shard needs -o: a run directory that all shards name");
  const RunOptions options = options_for_new_run(arguments);
  const std::string directory = shard_directory(arguments.out, shard);
  if (!fs::exists(layout::in(directory, layout::config)))
    return Run::create(options, directory, is_interrupted);
  return Run::resume(
      directory, [&](RunOptions& before) { before = options; }, is_interrupted);
}

Run open_run(TrainArguments& arguments) {
  if (arguments.ranks != nullptr && !arguments.shard.empty())
    fail("--shard is for processes that know nothing of each other; leave it out under mpirun");
  if (!arguments.shard.empty() && arguments.settings["rows-over-ranks"] == std::vector<std::string>{"on"})
    fail("--rows-over-ranks: shards know nothing of each other; use mpirun, or leave --shard out");
  if (!arguments.shard.empty()) return open_shard(arguments);
  if (arguments.resume.empty()) {
    RunOptions options = options_for_new_run(arguments);
    if (arguments.ranks != nullptr) arguments.ranks->choose_device(options.options);
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
        if (arguments.ranks != nullptr) arguments.ranks->choose_device(options.options);
      },
      is_interrupted);
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

/// Trains what a shard can; others may have to go on.
int train_shard(Run& run, Progress* progress) {
  ShardCrew crew(run.directory(), run.fingerprint(), run.training().kernels());
  const std::string all = fs::path(run.directory()).lexically_normal().parent_path().string();
  if (run.train(progress, &crew)) {
    say("every net is trained; put them together with: coppice merge {}", all);
    return 0;
  }
  if (is_interrupted()) {
    say("interrupted; the same command goes on");
    return 128 + caught_signal();
  }
  std::vector<std::string> missing;
  for (const std::size_t shard : crew.missing()) missing.push_back(std::to_string(shard));
  say("this shard has done what it can: the next nets depend on those of shard{} {}, of which nothing lies "
      "in {}; run {} "
      "there, or this one again once {} did",
      missing.size() > 1 ? "s" : "", joined(missing, ", "), all, missing.size() > 1 ? "them" : "it",
      missing.size() > 1 ? "they" : "it");
  return 0;
}

bool train_on(Ranks& ranks, Run& run, const TrainArguments& arguments, Progress* progress) {
  if (!arguments.quiet) say_line(ranks.text(run.options().options.threads));
  const bool shares_rows = run.options().options.rows_over_ranks.value_or(false);
  if (shares_rows) refuse_rank_count(ranks.size());
  ranks.set_up(run, data_from(arguments.data_from), is_interrupted);
  if (shares_rows) {
    if (!arguments.quiet) say_line(where_rows_pay(run.training().info(), ranks.size()));
    run.set_team(std::make_unique<RankTeam>(ranks.messenger(), ranks.hellos(), run.training()));
    return run.train(progress);
  }
  RankCrew crew(ranks, run);
  return run.train(progress, &crew);
}

int train(TrainArguments& arguments) {
  catch_signals();
  Run run = open_run(arguments);
  const TrainingInfo info = run.training().info();
  print_warnings(info.warnings);
  if (!arguments.quiet) announce(info);
  std::unique_ptr<Progress> progress;
  if (!arguments.quiet) progress = std::make_unique<Progress>(info);
  if (shard_of_directory(run.directory())) return train_shard(run, progress.get());
  const bool complete = arguments.ranks != nullptr
                            ? train_on(*arguments.ranks, run, arguments, progress.get())
                            : run.train(progress.get());
  progress.reset();
  return complete ? finish_run(run, info, {.quiet = arguments.quiet, .json = arguments.json})
                  : say_interrupted(run);
}

}  // namespace

Action add_train(CLI::App& app, Ranks* ranks) {
  CLI::App* command = app.add_subcommand("train", "train networks that find their own size");
  auto arguments = std::make_shared<TrainArguments>();
  arguments->ranks = ranks;
  command->add_option(
      "DATA", arguments->data,
      "csv or tsv file, idx images (or a directory of the four MNIST files), libsvm, arff or amat; .gz too");
  command->add_option("-o,--out", arguments->out, "run directory to create (default: runs/NAME)");
  command->add_option("--config", arguments->config, "JSON file with any of the settings below; flags win");
  command->add_option("--resume", arguments->resume, "continue an interrupted run");
  command->add_option(
      "--shard", arguments->shard,
      "I/N: train a share, 0/N to N-1/N, of a run that jobs of an array train; coppice merge follows");
  add_data_from(*command, arguments->data_from);
  command->add_flag("--quiet", arguments->quiet, "print nothing but warnings and errors");
  command->add_flag("--json", arguments->json, "print the summary as JSON");
  RunOptions standard;
  standard.options = standard_options();
  add_settings(*command, run_settings(), standard, arguments->settings);
  return [arguments] { return train(*arguments); };
}

}  // namespace coppice::cli
