#pragma once

#include "coppice/run/settings.h"

#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace coppice::cli {

/// What stands on the command line for each setting; empty if nothing. Texts are kept until it is known what they
/// override.
using Flags = std::map<std::string, std::vector<std::string>>;

/// A flag that may be given several times, each time with one value: the word after that is not the flag's.
CLI::Option* one_value_each_time(CLI::Option* option);

/// A flag for each of the settings, with its default in the help.
void add_settings(CLI::App& command, const std::vector<Setting>& settings, Flags& flags,
                  const std::string& group = "Settings");

/// Sets those that were given.
void apply_flags(const std::vector<Setting>& settings, const Flags& flags);

/// runs/NAME and the ending, or the first of that with -2, -3, ... that does not exist.
std::string default_directory(const std::string& data, const std::string& ending = "");

}  // namespace coppice::cli
