#include "coppice/coppice.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/ranks/in_directory.h"
#include "coppice/search/side_by_side.h"

#include "cli/flags.h"
#include "cli/on_ranks.h"
#include "cli/program.h"
#include "cli/signals.h"
#include "cli/streams.h"
#include "experiments/datasets.h"
#include "experiments/entries.h"
#include "experiments/stored.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace coppice::experiments {

namespace {

constexpr const char* program = "coppice-experiments";

struct Arguments {
  std::vector<std::string> names;
  std::vector<std::string> set;
  std::string data_from;
  bool stored = false;
  std::size_t lanes = 1;
  Session session;
  Options machine;  ///< device and threads alone
};

void add_flags(CLI::App& app, Arguments& arguments) {
  std::vector<std::string> known;
  for (const Entry& entry : all_entries()) known.emplace_back(entry.name);
  Session& session = arguments.session;
  app.add_option("NAME", arguments.names, fmt::format("all, or some of {}", joined(known, ", ")))
      ->required()
      ->delimiter(',');
  app.add_option("--scale", session.scale,
                 "small: each in minutes on two cores; paper: the full protocol, meant for a GPU [small]");
  cli::one_value_each_time(
      app.add_option("--set", arguments.set,
                     "NAME=N[,NAME=N...]: other counts than the scale's (seeds, trials, ...)"))
      ->delimiter(',');
  cli::one_value_each_time(
      app.add_option("--sets", session.sets,
                     "mnist, convex, ...: only these, of entries that do the same on several data sets"))
      ->delimiter(',');
  app.add_flag("--add", session.add,
               "keep the other sets of the page that is in the output folder, of such entries");
  app.add_flag(
      "--missing", session.missing,
      "the same, and of the sets asked for train only what that page lacks (why, step, settings, changes)");
  app.add_option("--data", session.data,
                 "folder with mnist/ and, if there, the original amat files and poker.csv")
      ->envname("COPPICE_DATA");
  app.add_option("-o,--out", session.out, "folder for pages, pictures and data [docs/reproduction]");
  app.add_option("--work", session.work, "folder for runs, from which a later call goes on [runs/reproduce]");
  app.add_option(
         "--lanes", arguments.lanes,
         "runs that are trained side by side, where an entry has several that do not wait for each other; a "
         "GPU is the fuller for it [1]")
      ->check(CLI::Range(1, 64));
  cli::add_data_from(app, arguments.data_from);
  app.add_flag("--stored", arguments.stored,
               "train nothing: judge the claims of pages in the output folder again by the data beside them");
  for (const SettingInfo& setting : list_settings()) {
    if (setting.name != "device" && setting.name != "threads") continue;
    const auto set = [&machine = arguments.machine, name = setting.name](const std::string& value) {
      set_option(machine, name, {value});
    };
    app.add_option_function<std::string>("--" + setting.name, set, setting.help)->type_name(setting.value);
  }
}

/// Every line says how long the call has been going on. Several runs may speak at once.
std::function<void(const std::string&)> timed_lines() {
  return [start = std::chrono::steady_clock::now(),
          mutex = std::make_shared<std::mutex>()](const std::string& text) {
    const std::scoped_lock lock(*mutex);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    cli::say("[{:7.1f} s] {}", passed.count(), text);
  };
}

/// Rather now than after hours of training for the others.
void check_data(const Session& session, const std::vector<Entry>& entries) {
  const auto entry = std::ranges::find_if(entries, &Entry::needs_mnist);
  if (entry == entries.end()) return;
  try {
    find_mnist(session);
  } catch (const MissingData& error) {
    fail("{}: {}", entry->name, error.what());
  }
}

/// Sets can be asked for where an entry has several alone; those that have none leave that to the others.
void check_sets(const Session& session, const std::vector<Entry>& entries) {
  const auto whole = [](const Entry& entry) { return entry.by_set && !entry.in_parts; };
  if (const auto entry = std::ranges::find_if(entries, whole); session.missing && entry != entries.end())
    fail("--missing: {} trains a set as a whole; give --add, and the sets that the page lacks with --sets",
         entry->name);
  if (session.sets.empty() && !session.add) return;
  if (std::ranges::find(entries, true, &Entry::by_set) != entries.end()) return;
  fail(
      "{}: is for entries that do the same on several data sets (grid, why, step, angle, settings, kinks, "
      "changes), "
      "and "
      "{} does not; "
      "leave it out",
      session.missing ? "--missing"
      : session.add   ? "--add"
                      : "--sets",
      entries.front().name);
}

/// The call as one of its entries sees it. Runs of those that come first go before the others'.
Session session_of(const Session& call, const Entry& entry, std::size_t place) {
  constexpr std::size_t ranks = 100;  // more than any entry has
  Session session = call;
  session.first_rank = ranks * place;
  if (!entry.by_set) {
    session.sets.clear();
    session.add = session.missing = false;
  }
  return session;
}

/// Side by side where there are lanes. `all`: entries whose data is not there are left out.
void make(const Session& call, const std::vector<Entry>& entries, bool all) {
  if (!all) check_data(call, entries);
  side_by_side(entries.size(), call.lanes->count() > 1 ? entries.size() : 1, [&](std::size_t i) {
    const Entry& entry = entries[i];
    const Session session = session_of(call, entry, i);
    session.say(fmt::format("{}: {}", entry.name, entry.what));
    try {
      entry.make(session);
    } catch (const MissingData& error) {
      if (!all) throw;
      session.say(fmt::format("{}: left out: {}", entry.name, error.what()));
    }
    return true;
  });
}

/// Pages anew from what is in the output folder. `all`: of those that are there.
void judge(const Session& call, const std::vector<Entry>& entries, bool all) {
  for (const Entry& entry : entries) {
    Session session;
    session.out = call.out;
    session.say = call.say;
    try {
      const StoredEntry stored = read_stored(session, std::string(entry.name));
      entry.judge(session, stored);
    } catch (const MissingData& error) {
      if (!all) throw;
      session.say(fmt::format("{}: left out: {}", entry.name, error.what()));
    }
  }
}

/// Nets of a run, trials of a search go to all ranks; one run comes after another.
void share_out(Session& session, Ranks& ranks, const Arguments& arguments) {
  if (arguments.lanes > 1)
    fail("--lanes: ranks train the nets of one run after another; leave it out under mpirun");
  const DataFrom from = cli::data_from(arguments.data_from);
  session.train_files = [&ranks, from](const auto&... what) { return train_in(ranks, from, what...); };
  session.search_files = [&ranks, from](const auto&... what) { return search_in(ranks, from, what...); };
}

int run(int argc, char** argv, Ranks* ranks) {
  Arguments arguments;
  CLI::App app{"makes the paper's figures and tables anew", "./run reproduce"};
  add_flags(app, arguments);
  if (const auto code = cli::parse(app, program, argc, argv)) return *code;
  const std::vector<Entry> entries = entries_named(arguments.names);
  Session& session = arguments.session;
  const bool all = std::ranges::count(arguments.names, "all") > 0;
  session.add = session.add || session.missing;
  if (arguments.stored) {
    session.say = timed_lines();
    judge(session, entries, all);
    return 0;
  }
  session.counts = counts_of(session.scale);
  for (const std::string& count : arguments.set) set_count(session.counts, count);
  session.device = arguments.machine.device;
  session.gpus = arguments.machine.gpus;
  session.threads = arguments.machine.threads.value_or(0);
  session.lanes = std::make_shared<Lanes>(arguments.lanes);
  if (ranks != nullptr) share_out(session, *ranks, arguments);
  check_sets(session, entries);
  check_folders(session);
  cli::catch_signals();
  session.stop = [] { return cli::caught_signal() != 0; };
  session.say = timed_lines();
  try {
    make(session, entries, all);
  } catch (const Interrupted&) {
    cli::say_line("interrupted; the same command goes on from here");
    return 128 + cli::caught_signal();
  }
  return 0;
}

}  // namespace

}  // namespace coppice::experiments

int main(int argc, char** argv) {
  using namespace coppice;
  return cli::guarded(experiments::program, [&] {
    return cli::on_ranks(experiments::program, {argv + 1, argv + argc},
                         [&](Ranks* ranks) { return experiments::run(argc, argv, ranks); });
  });
}
