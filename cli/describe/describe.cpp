#include "cli/describe/describe.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"

#include "cli/describe/description.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace coppice::cli {

namespace {

std::vector<std::string> split(std::string_view text, char between) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == between)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// What stands between braces ("TEXT:{poker,convex}") or bars ("on|off"); words in capitals only stand for values.
std::vector<std::string> choices_in(const std::string& type) {
  const std::size_t open = type.find('{');
  if (open != std::string::npos) return split(type.substr(open + 1, type.find('}') - open - 1), ',');
  const bool words = type.find('|') != std::string::npos &&
                     type.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-|") == std::string::npos;
  return words ? split(type, '|') : std::vector<std::string>{};
}

/// CLI11's own words for types are those of a programmer.
std::string value_in(const std::string& type, const std::vector<std::string>& choices) {
  if (!choices.empty()) return joined(choices, "|");
  const std::string word = type.substr(0, type.find(':'));
  return word == "TEXT" ? "FILE" : word == "UINT" ? "N" : word;
}

OptionDescription description_of(const CLI::Option& option) {
  OptionDescription result;
  if (option.get_positional()) {
    result.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  }
  if (option.get_items_expected_max() > 0) {
    result.choices = choices_in(option.get_type_name());
    result.value = value_in(option.get_type_name(), result.choices);
    const std::vector<std::string> words = split(result.value, '|');
    result.file =
        result.choices.empty() && std::ranges::any_of(words, [](const std::string& word) {
          return word == "FILE" || word == "MODEL" || word == "DIR" || word == "RUN" || word == "DATA";
        });
  }
  result.required = option.get_required();
  result.help = option.get_description();
  return result;
}

CommandDescription description_of(const CLI::App& app, std::vector<std::string> words) {
  CommandDescription result;
  result.words = std::move(words);
  result.help = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? result.places : result.flags).push_back(description_of(*option));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    std::vector<std::string> below = result.words;
    below.push_back(command->get_name());
    result.commands.push_back(description_of(*command, std::move(below)));
  }
  return result;
}

}  // namespace

std::string CommandDescription::name(char between) const {
  return joined(std::vector(words.begin() + 1, words.end()), std::string(1, between));
}

std::vector<const CommandDescription*> all_commands(const CommandDescription& command) {
  std::vector<const CommandDescription*> result{&command};
  for (const CommandDescription& below : command.commands) {
    const auto more = all_commands(below);
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

std::string describe(const CLI::App& app, const std::string& form, const std::string& version) {
  const CommandDescription program = description_of(app, {app.get_name()});
  if (form == "man") return man_page(program, version);
  if (form == "bash") return bash_completion(program);
  if (form == "zsh") return zsh_completion(program);
  if (form == "fish") return fish_completion(program);
  fail("describe takes man, bash, zsh or fish");
}

}  // namespace coppice::cli
