#include "coppice/core/text.h"

#include "cli/describe/description.h"

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// One branch of `case "$command $previous"`: what may follow the flags that take a value.
std::string value_branches(const CommandDescription& command) {
  std::string text;
  for (const OptionDescription& flag : command.flags) {
    if (flag.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : flag.names)
      patterns.push_back(fmt::format("\"{} {}\"", command.name(), name));
    const std::string action = !flag.choices.empty() ? fmt::format("words=\"{}\"", joined(flag.choices, " "))
                                                     : (flag.file ? "files=yes" : ":");
    text += fmt::format("    {}) {} ;;\n", joined(patterns, " | "), action);
  }
  return text;
}

/// One branch of `case "$command"`: what may stand where no flag waits for its value.
std::string word_branch(const CommandDescription& command) {
  std::vector<std::string> words;
  bool files = false;
  for (const OptionDescription& place : command.places) {
    words.insert(words.end(), place.choices.begin(), place.choices.end());
    files = files || place.choices.empty();
  }
  for (const CommandDescription& below : command.commands) words.push_back(below.words.back());
  std::vector<std::string> flags;
  for (const OptionDescription& flag : command.flags)
    flags.insert(flags.end(), flag.names.begin(), flag.names.end());
  return fmt::format("        \"{}\") words=\"{}\" flags=\"{}\"{} ;;\n", command.name(), joined(words, " "),
                     joined(flags, " "), files ? " files=yes" : "");
}

}  // namespace

std::string bash_completion(const CommandDescription& program) {
  std::string commands;
  std::string values;
  std::string words;
  for (const CommandDescription* command : all_commands(program)) {
    for (const CommandDescription& below : command->commands) {
      commands +=
          fmt::format("      \"{} {}\") command={} ;;\n", command->name(), below.words.back(), below.name());
    }
    values += value_branches(*command);
    words += word_branch(*command);
  }
  const std::string& name = program.words.front();
  return fmt::format(R"(# Completion of {name} for bash.
_{name}() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD - 1]}}"
  local command="" words="" flags="" files="" i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command ${{COMP_WORDS[i]}}" in
{commands}    esac
  done
  case "$command $previous" in
{values}    *)
      case "$command" in
{words}      esac
      ;;
  esac
  [[ $current != -* ]] || words="$flags" files=""
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -F _{name} {name}
)",
                     fmt::arg("name", name), fmt::arg("commands", commands), fmt::arg("values", values),
                     fmt::arg("words", words));
}

}  // namespace coppice::cli
