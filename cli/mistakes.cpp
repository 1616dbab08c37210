#include "cli/mistakes.h"

#include "coppice/core/text.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// The subcommand on the command line, or the program itself.
const CLI::App& active(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : active(*commands.front());
}

/// " search grid", or nothing for the program itself.
std::string command_name(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty()
             ? ""
             : fmt::format(" {}{}", commands.front()->get_name(), command_name(*commands.front()));
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const auto near = nearest(word, candidates);
  return near ? fmt::format(" (did you mean {}?)", *near) : "";
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  return flags;
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

std::string unexpected(const CLI::App& app, const std::string& word) {
  const CLI::App& command = active(app);
  if (is_flag(word)) {
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("{}: there is no such flag{}", name, did_you_mean(name, flags_of(command)));
  }
  if (const std::vector<std::string> commands = commands_of(command); !commands.empty()) {
    return fmt::format("{}: there is no such command{}", cited(word), did_you_mean(word, commands));
  }
  return fmt::format("{}: {} takes no further argument; put quotes around names that hold blanks",
                     cited(word), command.get_name());
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

}  // namespace

std::string mistake_text(const CLI::App& app, const CLI::ParseError& error) {
  const std::string command = command_name(app);
  const std::vector<std::string> commands = commands_of(active(app));
  const std::string help = fmt::format("; see coppice{} --help", command);
  const std::vector<std::string> left = app.remaining(true);
  const auto flag = std::ranges::find_if(left, is_flag);
  std::string message = error.what();
  if (flag != left.end()) {
    message = unexpected(app, *flag);
  } else if (!left.empty()) {
    message = unexpected(app, left.front());
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
