#include "coppice/search/search.h"

#include "coppice/core/error.h"
#include "coppice/device/product.h"
#include "coppice/report/table.h"
#include "coppice/run/run.h"

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/results.h"
#include "cli/search_progress.h"
#include "cli/search_results.h"
#include "cli/signals.h"

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

void apply_arguments(SearchOptions& options, const SearchArguments& arguments) {
  if (!arguments.data.empty()) options.run.data = arguments.data;
  apply_flags(search_settings_of(options), arguments.settings);
  apply_flags(shared_settings_of(options.run), arguments.settings);
  check_steps(arguments, options.space);
}

Search open_search(const SearchArguments& arguments) {
  for (const auto& [name, values] : arguments.refused) {
    if (!values.empty()) fail("{}", why_not_shared(name));
  }
  if (arguments.resume.empty()) {
    SearchOptions options;
    options.kind = arguments.kind;
    apply_arguments(options, arguments);
    if (options.run.data.empty())
      fail("search needs a data file or directory: coppice search {} DATA", name_of(arguments.kind));
    return Search::create(
        options, arguments.out.empty() ? default_directory(options.run.data, "-search") : arguments.out);
  }
  if (!arguments.out.empty()) fail("--resume writes into the search it continues; leave -o out");
  return Search::resume(arguments.resume, [&](SearchOptions& options) {
    if (options.kind != arguments.kind) {
      fail("--resume {}: is a {} search; continue it with: coppice search {} --resume {}", arguments.resume,
           name_of(options.kind), name_of(options.kind), arguments.resume);
    }
    apply_arguments(options, arguments);
  });
}

/// `sized`: the user told the sizes.
void announce(const Search& search, bool sized) {
  for (const std::string& note : search.data().notes) fmt::print(stderr, "{}\n", note);
  const RunOptions& run = search.options().run;
  const NetData rows = search.data().net_data(run.seed);
  const std::size_t nets = search.trials().size();
  fmt::print(
      stderr,
      "{} input{}; {} rows to train, {} to validate, {} to test; batches of {}, patience {:.3g} and {:.3g} "
      "epochs; {} net{}, {} thread{}, {}\n",
      search.data().encoding.inputs(), search.data().encoding.inputs() == 1 ? "" : "s",
      rows.train_rows.size(), rows.validation_rows.size(),
      search.data().test ? search.data().test->rows() : search.data().test_rows.size(),
      run.training.batch_size, run.training.patience, run.training.fine_patience, nets, nets > 1 ? "s" : "",
      thread_count(run), thread_count(run) > 1 ? "s" : "", search.device_text());
  if (!sized && search.options().kind == SearchKind::random) {
    const LayerRange& layer = search.options().space.layers.front();
    fmt::print(stderr,
               "two hidden layers of {} to {} units, found from the number of rows; --hidden overrides\n",
               layer.low, layer.high);
  }
}

int run_search(const SearchArguments& arguments) {
  catch_signals();
  Search search = open_search(arguments);
  print_warnings(search.data().warnings);
  if (const std::string warning = product_warning(); !warning.empty()) print_warnings({warning});
  if (!arguments.quiet)
    announce(search, !arguments.resume.empty() || !arguments.settings.at("hidden").empty());

  const auto start = std::chrono::steady_clock::now();
  std::unique_ptr<SearchProgress> progress;
  if (!arguments.quiet) {
    progress = std::make_unique<SearchProgress>(search.data().encoding.task, search.data().encoding.inputs(),
                                                std::max<std::size_t>(1, search.data().classes()),
                                                search.options().run.training);
  }
  const bool complete = run_or_leave_gpu(search.options().run, [&](bool again) {
    if (again) search.leave_gpu();
    return search.train(progress.get(), [] { return caught_signal() != 0; });
  });
  progress.reset();
  if (!complete) {
    fmt::print(stderr, "interrupted; continue with: coppice search {} --resume {}\n",
               name_of(search.options().kind), search.directory());
    return 128 + caught_signal();
  }
  const SearchSummary summary = search.finish();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  const std::filesystem::path directory = search.directory();
  if (arguments.json) {
    fmt::print("{}\n", search_summary_json(summary).dump(2));
  } else if (!arguments.quiet) {
    fmt::print("\n{}\n{} net{} in {}\n", search_table(summary), summary.results.size(),
               summary.results.size() > 1 ? "s" : "", duration_text(passed.count()));
    if (summary.chosen) fmt::print("model         {}\n", (directory / "model.coppice").string());
    fmt::print("all settings  {}\nevery net     {}\n", (directory / "summary.json").string(),
               (directory / "results.jsonl").string());
  }
  if (!summary.chosen) {
    std::fflush(stdout);
    fail("every net diverged; give smaller --steps or --normalised-steps");
  }
  return 0;
}

std::shared_ptr<SearchArguments> add_kind(CLI::App& command, SearchKind kind) {
  auto arguments = std::make_shared<SearchArguments>();
  arguments->kind = kind;
  command.add_option("DATA", arguments->data, "what train takes: csv, tsv, idx, libsvm, arff, amat; .gz too");
  command.add_option("-o,--out", arguments->out, "directory to create (default: runs/NAME-search)");
  command.add_option("--resume", arguments->resume, "continue an interrupted search");
  command.add_flag("--quiet", arguments->quiet, "print nothing but warnings and errors");
  command.add_flag("--json", arguments->json, "print the summary as JSON");
  SearchOptions defaults;
  defaults.kind = kind;
  add_settings(command, search_settings_of(defaults), arguments->settings, "What is searched");
  add_settings(command, shared_settings_of(defaults.run), arguments->settings, "Settings of all nets");
  std::vector<Setting> others = settings_of(defaults.run);
  std::erase_if(others, [](const Setting& setting) { return why_not_shared(setting.name).empty(); });
  add_settings(command, others, arguments->refused, "");  // an empty group: not in the help
  return arguments;
}

}  // namespace

Action add_search(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "search", "search over sizes, steps, optimizers and normalisations of nets of fixed size");
  command->require_subcommand(1);
  CLI::App* grid = command->add_subcommand("grid", "train every combination");
  CLI::App* random = command->add_subcommand("random", "train combinations drawn at random");
  const auto grid_arguments = add_kind(*grid, SearchKind::grid);
  const auto random_arguments = add_kind(*random, SearchKind::random);
  return [grid, grid_arguments, random_arguments] {
    return run_search(grid->parsed() ? *grid_arguments : *random_arguments);
  };
}

}  // namespace coppice::cli
