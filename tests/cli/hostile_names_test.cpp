// Columns, classes and paths that try to command the terminal: no control character of theirs reaches it.
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;

const std::string escape = "\x1b]0;title\x07";
const std::string c1 =
    "\xC2\x9B"
    "31m";
const std::string del =
    "a\x7f"
    "b";

/// The first control character that is no end of a line; empty if there is none.
std::string command_in(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool second_block =
        byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if ((byte < 0x20 && byte != '\n') || byte == 0x7F || second_block)
      return fmt::format("byte {:02x} at {} in: {}", byte, i, text.substr(i > 40 ? i - 40 : 0, 80));
  }
  return "";
}

class HostileNames : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    std::string csv = fmt::format("x{},\"a\nb\",{},target{}\n", escape, c1, del);
    for (int i = 0; i < 80; ++i)
      csv += fmt::format("{},{},{},{}\n", i % 7, i % 5, i % 3 == 0 ? "p" + c1 : "q" + del,
                         i % 7 > 3    ? "yes" + escape
                         : i % 2 == 0 ? "no" + c1
                                      : "a\\" + del);
    write("d.csv", csv);
  }
  /// What the program writes to a terminal.
  std::string on_terminal(const Arguments& arguments) const {
    int terminal = -1;
    const pid_t id = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (id == 0) {
      std::vector<char*> argv{const_cast<char*>(COPPICE_PROGRAM)};
      for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
      argv.push_back(nullptr);
      if (::chdir(folder_.c_str()) != 0) ::_exit(127);
      ::execv(COPPICE_PROGRAM, argv.data());
      ::_exit(127);
    }
    std::string text;
    std::string buffer(4096, ' ');
    for (ssize_t n = 0; (n = ::read(terminal, buffer.data(), buffer.size())) > 0;)
      text.append(buffer, 0, static_cast<std::size_t>(n));
    ::close(terminal);
    ::waitpid(id, nullptr, 0);
    std::erase(text, '\r');
    return text;
  }
};

TEST_F(HostileNames, NeverCommandTheTerminal) {
  const std::string run = "run" + c1;
  const Arguments training{"train", "d.csv",    "--target", "target" + del, "--max-epochs",
                           "2",     "--lambda", "1e-3",     "-o",           run};
  const Outcome trained = ok(training);
  EXPECT_EQ(command_in(trained.errors), "");
  EXPECT_EQ(command_in(trained.out), "");
  for (const Arguments& call :
       {Arguments{"inspect", run + "/model.coppice"}, Arguments{"inspect", run},
        Arguments{"evaluate", run, "d.csv"}, Arguments{"explain", run, "d.csv", "--row", "3"},
        Arguments{"watch", run}, Arguments{"report", run}}) {
    const Outcome outcome = ok(call);
    EXPECT_EQ(command_in(outcome.out), "") << call[0];
    EXPECT_EQ(command_in(outcome.errors), "") << call[0];
  }
  for (const Arguments& call : {Arguments{"inspect", "no" + escape}, Arguments{"predict", run, "none" + c1},
                                Arguments{"train", "d.csv", "--target", "none" + escape}}) {
    const Outcome outcome = Program::call(call);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(command_in(outcome.errors), "") << call[0];
  }
}

TEST_F(HostileNames, StayInJsonAndInRowsForOtherPrograms) {
  ok({"train", "d.csv", "--target", "target" + del, "--max-epochs", "2", "--lambda", "1e-3", "-o", "run",
      "--quiet"});
  const Outcome inspected = ok({"inspect", "run/model.coppice", "--json"});
  EXPECT_EQ(command_in(inspected.out), "");
  EXPECT_THAT(inspected.json().dump(), HasSubstr("target" + del));
  const Outcome evaluated = ok({"evaluate", "run", "d.csv", "--json"});
  EXPECT_EQ(command_in(evaluated.out), "");
  EXPECT_EQ(evaluated.json()["classes"].size(), 3U);
  EXPECT_THAT(ok({"predict", "run", "d.csv"}).out, HasSubstr(c1)) << "names stay what they are";
  EXPECT_EQ(command_in(on_terminal({"predict", "run", "d.csv"})), "") << "but not on a terminal";
  EXPECT_THAT(on_terminal({"predict", "run", "d.csv"}), HasSubstr("prediction,"));
}

}  // namespace
}  // namespace coppice::test
