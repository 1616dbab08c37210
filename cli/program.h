#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include <CLI/CLI.hpp>

// What every program does around its work. Mistakes are one line on standard error and exit code 2.
namespace coppice::cli {

/// "PROGRAM: sentence", in one line whatever names and values stand in it; returns the exit code.
int complain(std::string_view program, std::string_view sentence);

/// Reads the command line. An exit code if that was all: help was asked for, or there is a mistake.
std::optional<int> parse(CLI::App& app, std::string_view program, int argc, char** argv);

/// What `work` returns; what it throws is complained about, and what it printed is on its way.
int complaining(std::string_view program, const std::function<int()>& work);

/// The same for a whole program, which gets ready for bad ends first.
int guarded(std::string_view program, const std::function<int()>& work);

}  // namespace coppice::cli
