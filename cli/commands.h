#pragma once

#include "coppice/api/device.h"
#include "coppice/ranks/lead.h"

#include "cli/results.h"

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace coppice::cli {

/// What a subcommand does when it was chosen; returns the exit code.
using Action = std::function<int()>;

/// A flag for one setting alone, read as train reads it.
void add_setting(CLI::App& command, const std::string& name, Options& options, const std::string& help);

/// --threads and --device for commands that use a model.
void add_device_options(CLI::App& command, Options& options);

// Each adds its subcommand and returns what to do if that subcommand is called. `ranks` may be null: the program is alone.
Action add_train(CLI::App& app, Ranks* ranks);
Action add_merge(CLI::App& app);
Action add_search(CLI::App& app, Ranks* ranks);
Action add_predict(CLI::App& app);
Action add_evaluate(CLI::App& app);
Action add_explain(CLI::App& app);
Action add_inspect(CLI::App& app);
Action add_export(CLI::App& app);
Action add_watch(CLI::App& app);
Action add_report(CLI::App& app);
Action add_generate(CLI::App& app);

}  // namespace coppice::cli
