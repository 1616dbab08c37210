#pragma once

#include "coppice/api/resolve.h"
#include "coppice/api/settings.h"
#include "coppice/core/text.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace coppice::cli {

/// What stands on the command line for each setting; empty if nothing. Texts are kept until it is known what they
/// override.
using Flags = std::map<std::string, std::vector<std::string>>;

/// A sentence of the library as this program says it: `patience` is --patience here. What is quoted stays as it is.
std::string with_dashes(std::string_view sentence);

/// A flag that may be given several times, each time with one value: the word after that is not the flag's.
CLI::Option* one_value_each_time(CLI::Option* option);

/// A flag with this help, and its default if there is one.
void add_flag(CLI::App& command, const std::string& name, const std::string& value, const std::string& help,
              const nlohmann::json& standard, Flags& flags, const std::string& group);

/// A flag for each of the settings, with its default as `standard` has it in the help.
template <class Of>
void add_settings(CLI::App& command, const std::vector<Setting<Of>>& settings, const Of& standard,
                  Flags& flags, const std::string& group = "Settings") {
  for (const Setting<Of>& setting : settings) {
    nlohmann::json value = setting.get(standard);
    if (value.is_null() && setting.value.starts_with("auto|")) value = "auto";
    add_flag(command, setting.name, setting.value, setting.help, value, flags, group);
  }
}

/// Sets those that were given.
template <class Of>
void apply_flags(const std::vector<Setting<Of>>& settings, const Flags& flags, Of& options) {
  for (const Setting<Of>& setting : settings) {
    const auto given = flags.find(setting.name);
    if (given == flags.end() || given->second.empty()) continue;
    setting.set(options, setting.list ? split_commas(given->second) : given->second);
  }
}

/// runs/NAME and the ending, or the first of that with -2, -3, ... that does not exist.
std::string default_directory(const std::string& data, const std::string& ending = "");

}  // namespace coppice::cli
