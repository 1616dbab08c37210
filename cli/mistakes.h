#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace coppice::cli {

/// What is wrong with a command line, in one sentence: unknown flags come with the nearest one there is.
std::string mistake_text(const CLI::App& app, const CLI::ParseError& error);

}  // namespace coppice::cli
