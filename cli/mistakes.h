#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace coppice::cli {

/// What is wrong with a command line, in one sentence: unknown flags come with the nearest one there is.
std::string mistake_text(const CLI::App& app, const CLI::ParseError& error);

/// What is wrong with the values of a command line that could be read: empty ones, as an unset variable makes them,
/// flags in a value's place and short flags with "="; nothing if all is well.
std::string value_mistake_text(const CLI::App& app);

}  // namespace coppice::cli
