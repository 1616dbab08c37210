#pragma once

#include <string>
#include <vector>

// The command line as data: what the man page and the shells' completions are made from.
namespace coppice::cli {

/// A flag, or an argument by its place.
struct OptionDescription {
  std::vector<std::string> names;  ///< with dashes: -o, --out; of an argument by its place: DATA
  std::string value;               ///< what to give; empty for a switch
  std::vector<std::string> choices;
  bool file = false;  ///< a file or directory may be given
  bool required = false;
  std::string help;
};

struct CommandDescription {
  std::vector<std::string> words;  ///< coppice search grid
  std::string help;
  std::vector<OptionDescription> places = {};
  std::vector<OptionDescription> flags = {};
  std::vector<CommandDescription> commands = {};

  /// "search-grid"; "" for the program itself.
  std::string name(char between = '-') const;
};

/// The command and all below it, itself first.
std::vector<const CommandDescription*> all_commands(const CommandDescription& command);

/// The man page, in roff.
std::string man_page(const CommandDescription& program, const std::string& version);

// Completions for three shells.
std::string bash_completion(const CommandDescription& program);
std::string zsh_completion(const CommandDescription& program);
std::string fish_completion(const CommandDescription& program);

}  // namespace coppice::cli
