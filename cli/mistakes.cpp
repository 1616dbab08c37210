#include "cli/mistakes.h"

#include "coppice/core/text.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// The subcommand on the command line, or the program itself.
const CLI::App& active(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : active(*commands.front());
}

/// "coppice search grid", or "coppice" for the program itself.
std::string command_name(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app.get_name()
                          : fmt::format("{} {}", app.get_name(), command_name(*commands.front()));
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         std::string_view before = "") {
  const auto near = nearest(word, candidates);
  return near ? fmt::format(" (did you mean {}{}?)", before, *near) : "";
}

/// Without their dashes, which would count as letters that are right.
std::vector<std::string> long_flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    flags.insert(flags.end(), option->get_lnames().begin(), option->get_lnames().end());
  }
  return flags;
}

bool has_flag(const CLI::App& command, const std::string& name) {
  return command.get_option_no_throw(name) != nullptr;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

bool is_flag(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word != "--";
}

/// Commands below this one that know the flag.
std::vector<std::string> commands_with(const CLI::App& app, const std::string& flag) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (has_flag(*command, flag) || !commands_with(*command, flag).empty())
      names.push_back(command->get_name());
  }
  return names;
}

std::string unexpected_flag(const CLI::App& app, const std::string& word) {
  const CLI::App& command = active(app);
  const std::string name = word.substr(0, word.find('='));
  if (has_flag(command, name)) {
    return fmt::format("{}: stands before the command; write {} ... {}", name, command_name(app), word);
  }
  if (const std::vector<std::string> commands = commands_with(command, name); !commands.empty()) {
    return fmt::format("{}: is no flag of {} itself; name a command that takes it ({}) before it", name,
                       command_name(app), joined(commands, ", "));
  }
  const std::string letters = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  return fmt::format("{}: there is no such flag{}", name,
                     did_you_mean(letters, long_flags_of(command), "--"));
}

/// `"0.2" was taken as DATA`, for each argument that is no flag's.
std::string taken(const CLI::App& command) {
  std::vector<std::string> texts;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional() || option->count() == 0) continue;
    texts.push_back(
        fmt::format("{} was taken as {}", cited(option->results().front()), option->get_name(true)));
  }
  return joined(texts, ", ");
}

/// `before`: it stands before the command.
std::string unexpected_word(const CLI::App& app, const std::string& word, bool before) {
  const CLI::App& command = active(app);
  if (before) {
    return fmt::format("{}: stands before the command; write {} {}", cited(word), command_name(app), word);
  }
  if (const std::vector<std::string> commands = commands_of(command); !commands.empty()) {
    const std::string near = did_you_mean(word, commands);
    return fmt::format("{}: there is no such command{}", cited(word),
                       near.empty() ? fmt::format("; those there are: {}", joined(commands, ", ")) : near);
  }
  return fmt::format(
      "{}: {} takes no further argument, since {}; write lists as a,b and put quotes around names that hold "
      "blanks",
      cited(word), command.get_name(), taken(command));
}

/// "--lambda: 1 required X missing" -> "--lambda needs a value".
std::string needs_value(const std::string& message) {
  return fmt::format("{} needs a value", message.substr(0, message.find(':')));
}

/// "Could not convert: --rows = abc" -> "--rows abc: is not a value for this flag".
std::string not_understood(const std::string& message) {
  const std::size_t name = std::min(message.find("--"), message.size());
  std::string text = message.substr(name);
  const std::size_t equals = text.find(" = ");
  if (equals != std::string::npos) text.replace(equals, 3, " ");
  return fmt::format("{}: is not a value for this flag", text);
}

/// The same for one flag or argument.
std::string value_mistake(const CLI::App& command, const CLI::Option& option) {
  const bool positional = option.get_positional();
  for (const std::string& value : option.results()) {
    if (value.empty() && positional)
      return fmt::format("{} is empty (a variable that is not set?); name {}", option.get_name(true),
                         option.get_items_expected_max() > 1 ? "one" : "a model, a run or a data file");
    if (value.empty())
      return fmt::format("{} is empty (a variable that is not set?); give it a value or leave it out",
                         option.get_name());
    if (!positional && is_flag(value) && has_flag(command, value))
      return fmt::format("{} needs a value; {} is a flag", option.get_name(), value);
    if (value[0] == '=' && !option.get_snames().empty()) {
      const std::string& name = option.get_snames().front();
      return fmt::format("-{} {}: begins with =; write -{} {}, or -{} ./{} if the name has it", name, value,
                         name, value.substr(1), name, value);
    }
  }
  return "";
}

}  // namespace

std::string value_mistake_text(const CLI::App& app) {
  for (const CLI::Option* option : active(app).get_options()) {
    const bool flag = option->get_items_expected_max() == 0;
    const std::string text = flag || option->count() == 0 ? "" : value_mistake(active(app), *option);
    if (!text.empty()) return fmt::format("{}; see {} --help", text, command_name(app));
  }
  return "";
}

std::string mistake_text(const CLI::App& app, const CLI::ParseError& error) {
  const std::string command = command_name(app);
  const std::vector<std::string> commands = commands_of(active(app));
  const std::string help = fmt::format("; see {} --help", command);
  const std::vector<std::string> left = app.remaining(true);
  const auto flag = std::ranges::find_if(left, is_flag);
  std::string message = error.what();
  if (flag != left.end()) {
    message = unexpected_flag(app, *flag);
  } else if (!left.empty()) {
    message = unexpected_word(app, left.front(), active(app).remaining_size() == 0);
  } else if (!commands.empty() && error.get_name() == "RequiredError") {
    message = fmt::format("name a command: {}", joined(commands, ", "));
  } else if (error.get_name() == "RequiredError") {
    message = fmt::format("{}{}", message.substr(0, message.find(' ')), " is missing");
  } else if (error.get_name() == "ArgumentMismatch" && message.find("missing") != std::string::npos) {
    message = needs_value(message);
  } else if (error.get_name() == "ArgumentMismatch" && message.find("At Most 1") != std::string::npos) {
    message = fmt::format("{}: is given several times; give it once", message.substr(0, message.find(':')));
  } else if (error.get_name() == "ConversionError") {
    message = not_understood(message);
  }
  if (!message.empty() && std::isupper(static_cast<unsigned char>(message[0])) != 0 &&
      message.find(' ') > 1 && std::islower(static_cast<unsigned char>(message[1])) != 0) {
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  }
  return message + help;
}

}  // namespace coppice::cli
