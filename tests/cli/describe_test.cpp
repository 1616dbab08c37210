#include "tests/cli/program.h"

#include <cstdio>
#include <gmock/gmock.h>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// What the build installs: the command line told to `man` and to three shells.
class Describe : public Program {
 protected:
  std::string described(const std::string& form) const { return ok({"describe", form}).out; }

  /// What a shell prints, and its exit code.
  std::pair<std::string, int> shell(const std::string& program, const std::string& script) const {
    write("script", script);
    const std::string file = path("script").string();
    FILE* pipe = ::popen(fmt::format("{} {} 2>&1", program, file).c_str(), "r");
    std::string text;
    char buffer[4096];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;) text.append(buffer, n);
    return {text, ::pclose(pipe)};
  }
  bool have(const std::string& program) const {
    return shell("sh", fmt::format("command -v {}", program)).second == 0;
  }

  /// The words that bash offers for the last of these.
  std::vector<std::string> bash(const std::string& words, int count) const {
    const auto [text, code] = shell(
        "bash",
        fmt::format("{}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_coppice\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
                    described("bash"), words, count - 1));
    EXPECT_EQ(code, 0) << text;
    std::vector<std::string> lines = lines_of(text);
    std::erase(lines, "");
    return lines;
  }
};

/// The flags that a command's help names.
std::vector<std::string> flags_in(const std::string& help) {
  std::vector<std::string> flags;
  const std::regex flag("(^|\n) +(-[a-z],)?(--[a-z0-9-]+)");
  for (std::sregex_iterator match(help.begin(), help.end(), flag), end; match != end; ++match)
    flags.push_back((*match)[3]);
  return flags;
}

const std::vector<Arguments> commands{{"train"},    {"search", "grid"}, {"search", "random"}, {"predict"},
                                      {"evaluate"}, {"explain"},        {"inspect"},          {"export"},
                                      {"watch"},    {"report"},         {"generate"},         {"merge"}};

TEST_F(Describe, EveryFlagOfEveryCommandIsInAllForms) {
  const std::string man = described("man");
  const std::string bash = described("bash");
  const std::string zsh = described("zsh");
  const std::string fish = described("fish");
  for (const Arguments& command : commands) {
    const std::vector<std::string> flags = flags_in(ok(command + Arguments{"--help"}).out);
    ASSERT_FALSE(flags.empty()) << command.front();
    std::string words = command.front();
    std::string dashed = words;
    for (std::size_t i = 1; i < command.size(); ++i) {
      words += " " + command[i];
      dashed += "-" + command[i];
    }
    EXPECT_THAT(man, HasSubstr(fmt::format("\n.SS {}\n", words)));
    const std::string section = man.substr(man.find(fmt::format("\n.SS {}\n", words)));
    const std::size_t branch = bash.find(fmt::format("\"{}\") words=", dashed));
    ASSERT_NE(branch, std::string::npos) << dashed;
    const std::string line = bash.substr(branch, bash.find('\n', branch) - branch);
    for (const std::string& flag : flags) {
      EXPECT_THAT(section, HasSubstr(std::regex_replace(flag, std::regex("-"), "\\-"))) << words;
      EXPECT_THAT(line, HasSubstr(flag)) << words;
      EXPECT_THAT(zsh, HasSubstr(flag)) << words;
      EXPECT_THAT(fish, HasSubstr(" -l " + flag.substr(2) + " ")) << words;
    }
  }
}

TEST_F(Describe, Bash) {
  EXPECT_THAT(bash("coppice tra", 2), ElementsAre("train"));
  EXPECT_THAT(bash("coppice search gr", 3), ElementsAre("grid"));
  EXPECT_THAT(bash("coppice train --effort ''", 4), ElementsAre("quick", "normal", "paper"));
  EXPECT_THAT(bash("coppice train --eff", 3), ElementsAre("--effort"));
  EXPECT_THAT(bash("coppice generate re", 3), ElementsAre("rectangles"));
  // A number or a name of a column is not to be guessed.
  EXPECT_THAT(bash("coppice train --lambda ''", 4), IsEmpty());
  write("table.csv", "");
  EXPECT_THAT(bash(fmt::format("coppice train {}", path("tab").string()), 3),
              ElementsAre(path("table.csv").string()));
  EXPECT_THAT(bash("coppice predict --lam", 3), IsEmpty());
}

TEST_F(Describe, Fish) {
  if (!have("fish")) GTEST_SKIP() << "fish is not installed";
  const auto offered = [&](const std::string& line) {
    const auto [text, code] = shell(
        "env HOME=" + folder_.string() + " fish",
        fmt::format("{}\ncomplete -C '{}' | string replace -r '\\t.*' ''\ntrue\n", described("fish"), line));
    EXPECT_EQ(code, 0) << text;
    return lines_of(text);
  };
  EXPECT_THAT(offered("coppice tra"), ElementsAre("train"));
  EXPECT_THAT(offered("coppice search gr"), ElementsAre("grid"));
  EXPECT_THAT(offered("coppice train --eff"), ElementsAre("--effort"));
  EXPECT_THAT(offered("coppice train --effort qu"), ElementsAre("quick"));
  EXPECT_THAT(offered("coppice generate re"), ElementsAre("rectangles"));
}

TEST_F(Describe, Zsh) {
  if (!have("zsh")) GTEST_SKIP() << "zsh is not installed";
  write("_coppice", described("zsh"));
  write(".zshrc", fmt::format(R"(PS1= PS2=
unsetopt zle_bracketed_paste prompt_cr prompt_sp
fpath=({} $fpath)
autoload -Uz compinit
compinit -u -D
show() {{ print "@@$BUFFER@@"; BUFFER= }}
zle -N show
bindkey '^I' complete-word '^X' show
print ready
)",
                              folder_.string()));
  // A shell in a terminal of its own: types the line, Tab, and the key that shows what stands there then.
  const auto offered = [&](const std::string& line) {
    const auto [text, code] = shell("zsh -f", fmt::format(R"(zmodload zsh/zpty
zpty -b z 'ZDOTDIR={} TERM=dumb zsh -d -i'
read_until() {{
  all=
  for i in {{1..200}}; do
    while zpty -rt z part; do all+=$part; done
    [[ $all == *$~1* ]] && return
    sleep 0.05
  done
}}
read_until ready
zpty -w -n z '{}'$'\t'
sleep 0.3
zpty -w -n z $'\x18'
read_until '@@*@@'
print -r -- "$all"
)",
                                                          folder_.string(), line));
    EXPECT_EQ(code, 0) << text;
    std::smatch match;
    return std::regex_search(text, match, std::regex("@@([^@]*)@@")) ? match[1].str() : "nothing: " + text;
  };
  EXPECT_EQ(offered("coppice tra"), "coppice train ");
  EXPECT_EQ(offered("coppice search gr"), "coppice search grid ");
  EXPECT_EQ(offered("coppice train --eff"), "coppice train --effort ");
  EXPECT_EQ(offered("coppice train --effort qu"), "coppice train --effort quick ");
  EXPECT_EQ(offered("coppice generate re"), "coppice generate rectangles ");
}

TEST_F(Describe, ManPage) {
  const std::string page = described("man");
  EXPECT_THAT(page, HasSubstr(".TH COPPICE 1"));
  write("coppice.1", page);
  if (have("mandoc")) {
    const auto [complaints, code] =
        shell("sh", fmt::format("mandoc -T lint -W error {}", path("coppice.1").string()));
    EXPECT_EQ(code, 0) << complaints;
  }
  if (!have("man")) return;
  const auto [text, code] =
      shell("sh", fmt::format("MANWIDTH=100 LC_ALL=C man --warnings -l {}", path("coppice.1").string()));
  EXPECT_EQ(code, 0);
  if (text.starts_with("This system has been minimized"))
    return;  // what Ubuntu's images for containers have for man
  EXPECT_THAT(text, HasSubstr("coppice - trains neural networks"));
  EXPECT_THAT(text, HasSubstr("--effort quick|normal|paper"));
  EXPECT_THAT(text, Not(HasSubstr("troff")));
}

TEST_F(Describe, OtherFormsAreRefused) {
  refused({"describe", "tcsh"}, {"man, bash, zsh or fish"});
}

}  // namespace
}  // namespace coppice::test
