#include "coppice/core/text.h"

#include "cli/describe/description.h"

#include <fmt/format.h>

namespace coppice::cli {

namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// True while the words typed so far name this command and none below it.
std::string condition(const CommandDescription& command) {
  std::vector<std::string> tests;
  for (std::size_t i = 1; i < command.words.size(); ++i)
    tests.push_back(fmt::format("__fish_seen_subcommand_from {}", command.words[i]));
  std::vector<std::string> below;
  for (const CommandDescription& child : command.commands) below.push_back(child.words.back());
  if (!below.empty()) tests.push_back(fmt::format("not __fish_seen_subcommand_from {}", joined(below, " ")));
  return quoted(joined(tests, "; and "));
}

std::string lines(const CommandDescription& command) {
  const std::string start = fmt::format("complete -c {} -n {}", command.words.front(), condition(command));
  std::string text;
  for (const CommandDescription& below : command.commands)
    text += fmt::format("{} -f -a {} -d {}\n", start, below.words.back(), quoted(below.help));
  for (const OptionDescription& place : command.places) {
    if (place.choices.empty()) continue;
    text += fmt::format("{} -f -a {}\n", start, quoted(joined(place.choices, " ")));
  }
  for (const OptionDescription& flag : command.flags) {
    text += start;
    for (const std::string& name : flag.names)
      text += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                     : fmt::format(" -s {}", name.substr(1));
    if (!flag.value.empty()) text += flag.file ? " -r" : " -x";
    if (!flag.choices.empty()) text += fmt::format(" -a {}", quoted(joined(flag.choices, " ")));
    text += fmt::format(" -d {}\n", quoted(flag.help));
  }
  return text;
}

}  // namespace

std::string fish_completion(const CommandDescription& program) {
  std::string text = fmt::format("# Completion of {} for fish.\n", program.words.front());
  for (const CommandDescription* command : all_commands(program)) text += lines(*command);
  return text;
}

}  // namespace coppice::cli
