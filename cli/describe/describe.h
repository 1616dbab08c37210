#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace coppice::cli {

/// The command line in one of these forms: man, bash, zsh or fish. The build makes the installed files of it.
std::string describe(const CLI::App& app, const std::string& form, const std::string& version);

}  // namespace coppice::cli
