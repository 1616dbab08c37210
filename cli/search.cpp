#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/run/layout.h"
#include "coppice/run/search_run.h"
#include "coppice/run/search_summary.h"
#include "coppice/search/settings.h"

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/on_ranks.h"
#include "cli/results.h"
#include "cli/search_progress.h"
#include "cli/search_results.h"
#include "cli/signals.h"
#include "cli/streams.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

struct SearchArguments {
  SearchKind kind = SearchKind::random;
  std::string data;
  std::string out;
  std::string resume;
  std::string data_from;
  Ranks* ranks = nullptr;
  bool quiet = false;
  bool json = false;
  Flags settings;
  Flags refused;  ///< settings of train that a search does not take
};

/// Steps that no optimizer of the space takes were meant for others.
void check_steps(const SearchArguments& arguments, const SearchSpace& space) {
  const auto any = [&](bool normalised) {
    return std::ranges::any_of(space.optimizers,
                               [&](OptimizerKind kind) { return normalises(kind) == normalised; });
  };
  if (!arguments.settings.at("steps").empty() && !any(false))
    fail("--steps: is for sgd, momentum and nesterov; rmsprop and adam take --normalised-steps");
  if (!arguments.settings.at("normalised-steps").empty() && !any(true))
    fail("--normalised-steps: is for rmsprop and adam; the other optimizers take --steps");
}

void apply_arguments(SearchRunOptions& options, const SearchArguments& arguments) {
  if (!arguments.data.empty()) options.run.data = arguments.data;
  apply_flags(search_settings(arguments.kind), arguments.settings, options.space);
  apply_flags(run_settings(), arguments.settings, options.run);
  if (arguments.ranks != nullptr) arguments.ranks->choose_device(options.run.options);
  check_steps(arguments, options.space);
}

SearchRun open_search(const SearchArguments& arguments) {
  for (const auto& [name, values] : arguments.refused) {
    if (!values.empty()) fail_option(name, "{}", why_not_shared(name));
  }
  if (arguments.resume.empty()) {
    SearchRunOptions options;
    options.space.kind = arguments.kind;
    apply_arguments(options, arguments);
    if (options.run.data.empty())
      fail("search needs a data file or directory: coppice search {} DATA", name_of(arguments.kind));
    return SearchRun::create(
        options, arguments.out.empty() ? default_directory(options.run.data, "-search") : arguments.out,
        is_interrupted);
  }
  if (!arguments.out.empty()) fail("--resume writes into the search it continues; leave -o out");
  return SearchRun::resume(
      arguments.resume,
      [&](SearchRunOptions& options) {
        const SearchKind kind = options.space.kind;
        if (kind != arguments.kind) {
          fail("--resume {}: is a {} search; continue it with: coppice search {} --resume {}",
               arguments.resume, name_of(kind), name_of(kind), arguments.resume);
        }
        apply_arguments(options, arguments);
      },
      is_interrupted);
}

/// `sized`: the user told the sizes.
void announce(const SearchInfo& info, bool sized) {
  for (const std::string& note : info.notes) say_line(with_dashes(note));
  say("{} input{}; {} rows to train, {} to validate, {} to test; batches of {}, patience {:.3g} and {:.3g} "
      "epochs; {} net{}, {} thread{}, {}",
      info.inputs, info.inputs == 1 ? "" : "s", info.train_rows, info.validation_rows, info.test_rows,
      *info.options.batch_size, *info.options.patience, *info.options.fine_patience, info.trials,
      info.trials > 1 ? "s" : "", info.threads, info.threads > 1 ? "s" : "", with_dashes(info.device_text));
  if (!sized && info.space.kind == SearchKind::random) {
    const LayerRange& layer = info.space.layers.front();
    say("two hidden layers of {} to {} units, found from the number of rows; --hidden overrides", layer.low,
        layer.high);
  }
}

bool train_on(Ranks& ranks, SearchRun& search, const SearchArguments& arguments, SearchProgress* progress) {
  if (!arguments.quiet) say_line(ranks.text(search.options().run.options.threads));
  ranks.set_up(search, data_from(arguments.data_from), is_interrupted);
  SearchCrew crew(ranks, search);
  return search.train(progress, &crew);
}

int run_search(const SearchArguments& arguments) {
  catch_signals();
  SearchRun search = open_search(arguments);
  const SearchInfo info = search.training().info();
  print_warnings(info.warnings);
  if (!arguments.quiet) announce(info, !arguments.resume.empty() || !arguments.settings.at("hidden").empty());

  const auto start = std::chrono::steady_clock::now();
  std::unique_ptr<SearchProgress> progress;
  if (!arguments.quiet) progress = std::make_unique<SearchProgress>(info);
  const bool complete = arguments.ranks != nullptr
                            ? train_on(*arguments.ranks, search, arguments, progress.get())
                            : search.train(progress.get());
  progress.reset();
  if (!complete) {
    say("interrupted; continue with: coppice search {} --resume {}", name_of(arguments.kind),
        search.directory());
    return 128 + caught_signal();
  }
  const SearchResult result = search.finish();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  if (arguments.json) {
    show_json(search_summary_json(result).dump(2));
  } else if (!arguments.quiet) {
    show("\n{}\n{} net{} in {}\n", search_table(result), result.results.size(),
         result.results.size() > 1 ? "s" : "", duration_text(passed.count()));
    if (result.model) show("model         {}\n", layout::in(search.directory(), layout::model));
    show("all settings  {}\nevery net     {}\n", layout::in(search.directory(), layout::summary),
         layout::in(search.directory(), layout::results));
  }
  if (!result.chosen) {
    std::fflush(stdout);
    fail("every net diverged; give smaller --steps or --normalised-steps");
  }
  return 0;
}

std::shared_ptr<SearchArguments> add_kind(CLI::App& command, SearchKind kind, Ranks* ranks) {
  auto arguments = std::make_shared<SearchArguments>();
  arguments->kind = kind;
  arguments->ranks = ranks;
  command.add_option("DATA", arguments->data, "what train takes: csv, tsv, idx, libsvm, arff, amat; .gz too");
  command.add_option("-o,--out", arguments->out, "directory to create (default: runs/NAME-search)");
  command.add_option("--resume", arguments->resume, "continue an interrupted search");
  add_data_from(command, arguments->data_from);
  command.add_flag("--quiet", arguments->quiet, "print nothing but warnings and errors");
  command.add_flag("--json", arguments->json, "print the summary as JSON");
  SearchSpace space;
  space.kind = kind;
  RunOptions standard;
  standard.options = standard_options();
  standard.options.effort = Effort::paper;
  add_settings(command, search_settings(kind), space, arguments->settings, "What is searched");
  std::vector<Setting<RunOptions>> shared = run_settings();
  std::vector<Setting<RunOptions>> others = run_settings();
  std::erase_if(shared, [](const Setting<RunOptions>& s) { return !why_not_shared(s.name).empty(); });
  std::erase_if(others, [](const Setting<RunOptions>& s) { return why_not_shared(s.name).empty(); });
  add_settings(command, shared, standard, arguments->settings, "Settings of all nets");
  add_settings(command, others, standard, arguments->refused, "");  // an empty group: not in the help
  return arguments;
}

}  // namespace

Action add_search(CLI::App& app, Ranks* ranks) {
  CLI::App* command = app.add_subcommand(
      "search", "search over sizes, steps, optimizers and normalisations of nets of fixed size");
  command->require_subcommand(1);
  CLI::App* grid = command->add_subcommand("grid", "train every combination");
  CLI::App* random = command->add_subcommand("random", "train combinations drawn at random");
  const auto grid_arguments = add_kind(*grid, SearchKind::grid, ranks);
  const auto random_arguments = add_kind(*random, SearchKind::random, ranks);
  return [grid, grid_arguments, random_arguments] {
    return run_search(grid->parsed() ? *grid_arguments : *random_arguments);
  };
}

}  // namespace coppice::cli
