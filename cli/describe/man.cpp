#include "coppice/core/text.h"

#include "cli/describe/description.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// A text as roff takes it: a hyphen that may be copied, no letter with a meaning.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '-')
      result += "\\-";
    else if (c == '\\')
      result += "\\e";
    else
      result += c;
  }
  return !result.empty() && (result[0] == '.' || result[0] == '\'') ? "\\&" + result : result;
}

/// "-o, --out FILE", names in bold and what to give in italics.
std::string names_and_value(const OptionDescription& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
  std::string text = joined(names, ", ");
  if (!option.value.empty()) text += fmt::format(" \\fI{}\\fR", roff(option.value));
  return text;
}

std::string entry(const std::string& what, const std::string& help) {
  return fmt::format(".TP\n{}\n{}\n", what, roff(help));
}

/// "\fBcoppice train\fR [OPTIONS] [DATA]"
std::string usage(const CommandDescription& command) {
  std::string text = fmt::format("\\fB{}\\fR [\\fIOPTIONS\\fR]", roff(joined(command.words, " ")));
  for (const OptionDescription& place : command.places) {
    const std::string name = fmt::format("\\fI{}\\fR", roff(place.names.front()));
    text += place.required ? " " + name : fmt::format(" [{}]", name);
  }
  return text;
}

std::string section(const CommandDescription& command) {
  std::string text =
      fmt::format(".SS {}\n{}.\n.PP\n{}\n", roff(command.name(' ')), roff(command.help), usage(command));
  for (const OptionDescription& place : command.places)
    text += entry(fmt::format("\\fI{}\\fR", roff(place.names.front())), place.help);
  for (const OptionDescription& flag : command.flags) text += entry(names_and_value(flag), flag.help);
  return text;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

std::string man_page(const CommandDescription& program, const std::string& version) {
  const std::string& name = program.words.front();
  const std::string what =
      program.help.starts_with(name + " ") ? program.help.substr(name.size() + 1) : program.help;
  std::string text = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", upper(name), name, version);
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", roff(name), roff(what));
  std::string sections;
  std::vector<std::string> usages;
  for (const CommandDescription* command : all_commands(program)) {
    if (!command->commands.empty()) continue;
    usages.push_back(usage(*command));
    sections += section(*command);
  }
  text += joined(usages, "\n.br\n") + "\n.SH OPTIONS\n";
  for (const OptionDescription& flag : program.flags) text += entry(names_and_value(flag), flag.help);
  text += fmt::format(".SH COMMANDS\n{}", sections);
  text +=
      ".SH EXIT STATUS\n0 if all went well; 2 after a mistake that somebody can mend, which is told in one "
      "line on "
      "standard error; 128 and the number of the signal if a run was interrupted.\n";
  return text;
}

}  // namespace coppice::cli
