#pragma once

#include "coppice/run/device.h"

#include "cli/results.h"

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace coppice::cli {

/// What a subcommand does when it was chosen; returns the exit code.
using Action = std::function<int()>;

/// --threads and --device for commands that use a model.
void add_device_options(CLI::App& command, RunOptions& options);
/// Where such a command computes; says so if that is a GPU.
Device device_for(const RunOptions& options);

/// run_or_leave_gpu of coppice/run/device.h; it is said as a warning.
template <class F>
auto run_or_leave_gpu(const RunOptions& options, const F& f) {
  return coppice::run_or_leave_gpu(
      options, [](const std::string& text) { print_warnings({text}); }, f);
}

// Each adds its subcommand and returns what to do if that subcommand is called.
Action add_train(CLI::App& app);
Action add_search(CLI::App& app);
Action add_predict(CLI::App& app);
Action add_evaluate(CLI::App& app);
Action add_inspect(CLI::App& app);
Action add_watch(CLI::App& app);
Action add_report(CLI::App& app);
Action add_generate(CLI::App& app);
Action add_reproduce(CLI::App& app);

}  // namespace coppice::cli
