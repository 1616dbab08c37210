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

std::string with_dashes(std::string_view sentence) {
  std::string text;
  bool quoted = false;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    if (sentence[i] == '"') quoted = !quoted;
    const std::size_t end = sentence.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-", i + 1);
    const bool setting =
        !quoted && sentence[i] == '`' && end != std::string_view::npos && end > i + 1 && sentence[end] == '`';
    if (!setting) {
      text += sentence[i];
      continue;
    }
    text += "--";
    text += sentence.substr(i + 1, end - i - 1);
    i = end;
  }
  return text;
}

CLI::Option* one_value_each_time(CLI::Option* option) {
  return option->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_flag(CLI::App& command, const std::string& name, const std::string& value, const std::string& help,
              const nlohmann::json& standard, Flags& flags, const std::string& group) {
  const std::string what = with_dashes(help);
  const std::string usual = default_text(standard);
  one_value_each_time(command.add_option("--" + name, flags[name],
                                         usual.empty() ? what : fmt::format("{} [{}]", what, usual)))
      ->type_name(value)
      ->group(group);
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
