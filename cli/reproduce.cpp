#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/reproduce/datasets.h"
#include "coppice/reproduce/entries.h"
#include "coppice/run/settings.h"

#include "cli/commands.h"
#include "cli/signals.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

struct ReproduceArguments {
  std::vector<std::string> names;
  std::string scale = "small";
  std::string set;
  std::string data;
  std::string out = "docs/reproduction";
  std::string work = "runs/reproduce";
  RunOptions options;
};

/// Every line says how long the call has been going on.
std::function<void(const std::string&)> timed_lines() {
  return [start = std::chrono::steady_clock::now()](const std::string& text) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    fmt::print(stderr, "[{:7.1f} s] {}\n", passed.count(), text);
  };
}

/// Rather now than after hours of training for the others.
void check_data(const coppice::reproduce::Session& session,
                const std::vector<coppice::reproduce::Entry>& entries) {
  const auto entry = std::ranges::find_if(entries, &coppice::reproduce::Entry::needs_mnist);
  if (entry == entries.end()) return;
  try {
    coppice::reproduce::find_mnist(session);
  } catch (const coppice::reproduce::MissingData& error) {
    fail("reproduce {}: {}", entry->name, error.what());
  }
}

int reproduce(const ReproduceArguments& arguments) {
  const std::vector<std::string> names = split_commas(arguments.names);
  const std::vector<coppice::reproduce::Entry> entries = coppice::reproduce::entries_named(names);
  coppice::reproduce::Session session;
  session.scale = arguments.scale;
  session.counts = coppice::reproduce::counts_of(arguments.scale);
  if (!arguments.set.empty()) coppice::reproduce::set_counts(session.counts, arguments.set);
  session.data = arguments.data;
  session.out = arguments.out;
  session.work = arguments.work;
  session.device = arguments.options.device;
  session.threads = arguments.options.threads;
  check_folders(session);
  catch_signals();
  session.stop = [] { return caught_signal() != 0; };
  session.say = timed_lines();
  const bool all = std::ranges::count(names, "all") > 0;
  try {
    if (!all) check_data(session, entries);
    for (const coppice::reproduce::Entry& entry : entries) {
      session.say(fmt::format("{}: {}", entry.name, entry.what));
      try {
        entry.make(session);
      } catch (const coppice::reproduce::MissingData& error) {
        if (!all) throw;
        session.say(fmt::format("{}: left out: {}", entry.name, error.what()));
      }
    }
  } catch (const coppice::reproduce::Interrupted&) {
    fmt::print(stderr, "interrupted; the same command goes on from here\n");
    return 128 + caught_signal();
  }
  return 0;
}

}  // namespace

Action add_reproduce(CLI::App& app) {
  CLI::App* command = app.add_subcommand("reproduce", "make the paper's figures and tables anew");
  auto arguments = std::make_shared<ReproduceArguments>();
  std::vector<std::string> known;
  for (const coppice::reproduce::Entry& entry : coppice::reproduce::all_entries())
    known.emplace_back(entry.name);
  command->add_option("ENTRY", arguments->names, fmt::format("all, or some of {}", joined(known, ", ")))
      ->required();
  command->add_option(
      "--scale", arguments->scale,
      "small: each in minutes on two cores; paper: the full protocol, meant for a GPU [small]");
  command->add_option("--set", arguments->set,
                      "NAME=N[,NAME=N...]: other counts than the scale's (seeds, trials, ...)");
  command->add_option("--data", arguments->data,
                      "folder with mnist/ and, if there, the original amat files and poker.csv");
  command->add_option("-o,--out", arguments->out, "folder for pages, pictures and data [docs/reproduction]");
  command->add_option("--work", arguments->work,
                      "folder for runs, from which a later call goes on [runs/reproduce]");
  add_device_options(*command, arguments->options);
  return [arguments] { return reproduce(*arguments); };
}

}  // namespace coppice::cli
