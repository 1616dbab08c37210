#pragma once

#include "coppice/device/gpu.h"
#include "coppice/run/settings.h"

#include <functional>

#include <CLI/CLI.hpp>

namespace coppice::cli {

/// What a subcommand does when it was chosen; returns the exit code.
using Action = std::function<int()>;

/// --threads and --device for commands that use a model.
void add_device_options(CLI::App& command, RunOptions& options);
/// Where such a command computes; says so if that is a GPU.
Device device_for(const RunOptions& options);

/// Says that the GPU's memory does not suffice and that the CPU takes over; only if the device was left to the
/// program, else throws the error again.
void leave_gpu(const RunOptions& options, const GpuOutOfMemory& error);
/// f(false); if the GPU's memory does not suffice for it and the device was left to the program, f(true).
template <class F>
auto run_or_leave_gpu(const RunOptions& options, const F& f) {
  try {
    return f(false);
  } catch (const GpuOutOfMemory& error) {
    leave_gpu(options, error);
  }
  return f(true);
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
