#include "coppice/core/fail.h"
#include "coppice/run/layout.h"
#include "coppice/run/run.h"
#include "coppice/run/shard.h"

#include "cli/commands.h"
#include "cli/finish_run.h"
#include "cli/signals.h"

#include <memory>
#include <string>
#include <vector>

namespace coppice::cli {

namespace {

struct MergeArguments {
  std::vector<std::string> directories;
  std::string out;
  std::string data;
  Options options;
  Showing showing;
};

/// Directories of shards, or of runs that hold some.
std::vector<std::string> shards_of(const std::vector<std::string>& directories) {
  std::vector<std::string> all;
  for (const std::string& directory : directories) {
    const std::vector<std::string> within = shards_in(directory);
    if (within.empty() || shard_of_directory(directory)) {
      all.push_back(directory);
    } else {
      all.insert(all.end(), within.begin(), within.end());
    }
  }
  return all;
}

int merge(const MergeArguments& arguments) {
  catch_signals();
  if (arguments.out.empty() &&
      (arguments.directories.size() > 1 || shard_of_directory(arguments.directories.front())))
    fail("merge needs -o: the run directory to write");
  const std::string out = arguments.out.empty() ? arguments.directories.front() : arguments.out;
  Run run = Run::merge(
      shards_of(arguments.directories), out,
      [&](RunOptions& options) {
        if (!arguments.data.empty()) options.data = arguments.data;
        if (arguments.options.threads) options.options.threads = arguments.options.threads;
      },
      is_interrupted);
  const TrainingInfo info = run.training().info();
  print_warnings(info.warnings);
  if (!run.train(nullptr)) return say_interrupted(run);
  return finish_run(run, info, arguments.showing);
}

}  // namespace

Action add_merge(CLI::App& app) {
  CLI::App* command = app.add_subcommand("merge", "put the shards of a run together (train --shard)");
  auto arguments = std::make_shared<MergeArguments>();
  command
      ->add_option("RUN", arguments->directories,
                   "directory that holds the shards, or several, or directories of shards themselves")
      ->required();
  command->add_option("-o,--out", arguments->out, "run directory to create (default: RUN, if there is one)");
  command->add_option("--data", arguments->data, "where the data lies now, if it has moved");
  add_setting(*command, "threads", arguments->options, "threads");
  command->add_flag("--quiet", arguments->showing.quiet, "print nothing but warnings and errors");
  command->add_flag("--json", arguments->showing.json, "print the summary as JSON");
  return [arguments] { return merge(*arguments); };
}

}  // namespace coppice::cli
