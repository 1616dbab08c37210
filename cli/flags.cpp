#include "cli/flags.h"

#include <filesystem>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

namespace fs = std::filesystem;

/// A default as help shows it: as one would type it, or nothing.
std::string default_text(const nlohmann::json& value) {
  if (value.is_null() || (value.is_array() && value.empty())) return "";
  if (value.is_array()) return default_text(value.front());
  if (value.is_string()) return value.get<std::string>();
  return fmt::format("{:g}", value.get<double>());
}

}  // namespace

CLI::Option* one_value_each_time(CLI::Option* option) {
  return option->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_settings(CLI::App& command, const std::vector<Setting>& settings, Flags& flags,
                  const std::string& group) {
  for (const Setting& setting : settings) {
    const std::string standard = default_text(setting.get());
    const std::string help = standard.empty() ? setting.help : fmt::format("{} [{}]", setting.help, standard);
    one_value_each_time(command.add_option("--" + setting.name, flags[setting.name], help))
        ->type_name(setting.value)
        ->group(group);
  }
}

void apply_flags(const std::vector<Setting>& settings, const Flags& flags) {
  for (const Setting& setting : settings) {
    const std::vector<std::string>& values = flags.at(setting.name);
    if (!values.empty()) setting.set(setting.list ? split_commas(values) : values);
  }
}

std::string default_directory(const std::string& data, const std::string& ending) {
  fs::path stem = fs::absolute(data).lexically_normal();
  if (!stem.has_filename()) stem = stem.parent_path();
  const std::string name = fmt::format("runs/{}{}", stem.filename().replace_extension().string(), ending);
  std::string directory = name;
  for (int i = 2; fs::exists(directory); ++i) directory = fmt::format("{}-{}", name, i);
  return directory;
}

}  // namespace coppice::cli
