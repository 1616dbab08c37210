#include "coppice/core/text.h"

#include "cli/describe/description.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// Between single quotes, with a backslash before each of the letters.
std::string escaped(const std::string& text, std::string_view letters) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (letters.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// ":value:action" of _arguments.
std::string message_and_action(const OptionDescription& option) {
  const std::string action = !option.choices.empty() ? fmt::format("({})", joined(option.choices, " "))
                             : option.file           ? "_files"
                                                     : " ";
  return fmt::format(":{}:{}", escaped(option.value, ":"), action);
}

/// '(-o --out)'{-o,--out}'[help]:value:action'
std::string specification(const OptionDescription& flag) {
  std::string text = fmt::format("[{}]", escaped(flag.help, "[]:\\"));
  if (!flag.value.empty()) text += message_and_action(flag);
  if (flag.names.size() == 1) return fmt::format("'{}{}'", flag.names.front(), text);
  return fmt::format("'({})'{{{}}}'{}'", joined(flag.names, " "), joined(flag.names, ","), text);
}

std::string function_name(const CommandDescription& command) {
  return "_" + joined(command.words, "_");
}

/// A function that completes the words after the command.
std::string function(const CommandDescription& command) {
  std::vector<std::string> parts;
  for (const OptionDescription& flag : command.flags) parts.push_back(specification(flag));
  for (const OptionDescription& place : command.places) {
    OptionDescription argument = place;
    argument.value = place.names.front();
    argument.file = place.choices.empty();
    parts.push_back(
        fmt::format("'{}{}'", place.required ? ":" : "::", message_and_action(argument).substr(1)));
  }
  if (command.commands.empty())
    return fmt::format("{}() {{\n  _arguments \\\n    {}\n}}\n\n", function_name(command),
                       joined(parts, " \\\n    "));
  std::string names;
  std::string calls;
  for (const CommandDescription& below : command.commands) {
    names += fmt::format(" '{}:{}'", below.words.back(), escaped(below.help, ":"));
    calls += fmt::format("        {}) {} ;;\n", below.words.back(), function_name(below));
  }
  return fmt::format(R"({function}() {{
  local context state state_descr line
  typeset -A opt_args
  local -a commands=({names})
  _arguments -C \
    {parts} \
    '1: :->command' '*:: :->words'
  case $state in
    command) _describe command commands ;;
    words)
      case $words[1] in
{calls}      esac
      ;;
  esac
}}

)",
                     fmt::arg("function", function_name(command)), fmt::arg("names", names.substr(1)),
                     fmt::arg("parts", joined(parts, " \\\n    ")), fmt::arg("calls", calls));
}

}  // namespace

std::string zsh_completion(const CommandDescription& program) {
  std::string text = fmt::format("#compdef {}\n# Completion of {} for zsh.\n\n", program.words.front(),
                                 program.words.front());
  const auto commands = all_commands(program);
  for (const CommandDescription* command : commands) text += function(*command);
  // Autoloaded, the file is the body of the function of its name; sourced, it only says whom it completes.
  return text +
         fmt::format("if [[ $funcstack[1] == {0} ]]; then\n  {0} \"$@\"\nelse\n  compdef {0} {1}\nfi\n",
                     function_name(program), program.words.front());
}

}  // namespace coppice::cli
