#include "tests/cli/program.h"

#include <chrono>
#include <gmock/gmock.h>
#include <map>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The program on a terminal of its own.
class OnTerminal {
 public:
  OnTerminal(const std::filesystem::path& folder, const Arguments& arguments) {
    winsize size{.ws_row = 20, .ws_col = 110, .ws_xpixel = 0, .ws_ypixel = 0};
    id_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (id_ == 0) {
      std::vector<char*> argv{const_cast<char*>(COPPICE_PROGRAM)};
      for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
      argv.push_back(nullptr);
      ::setenv("TERM", "xterm", 1);
      ::unsetenv("NO_COLOR");
      if (::chdir(folder.c_str()) != 0) ::_exit(127);
      ::execv(COPPICE_PROGRAM, argv.data());
      ::_exit(127);
    }
  }
  ~OnTerminal() {
    if (!waited_) ::kill(id_, SIGKILL);
    exit_code();
    ::close(terminal_);
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  void press(char key) const { EXPECT_EQ(::write(terminal_, &key, 1), 1); }

  /// Reads until the text came that is waited for, or ten seconds passed; an empty text: until the end.
  bool shows(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::chrono::steady_clock::now() < end) {
      if (!text.empty() && seen_.find(text) != std::string::npos) return true;
      pollfd input{.fd = terminal_, .events = POLLIN, .revents = 0};
      if (::poll(&input, 1, 100) <= 0) continue;
      char buffer[4096];
      const ssize_t count = ::read(terminal_, buffer, sizeof buffer);
      if (count <= 0) return text.empty();
      seen_.append(buffer, static_cast<std::size_t>(count));
    }
    return false;
  }
  const std::string& seen() const { return seen_; }

  int exit_code() {
    if (!waited_) ::waitpid(id_, &status_, 0);
    waited_ = true;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
  }

 private:
  pid_t id_ = -1;
  int terminal_ = -1;
  int status_ = 0;
  bool waited_ = false;
  std::string seen_;
};

class Watch : public Program {
 protected:
  void train() const {
    write("d.csv", ring_csv(600));
    ok({"train", "d.csv", "-o", "run", "--lambda", "1e-2,1e-3", "--max-epochs", "12", "--test", "0.2",
        "--quiet"});
  }
  /// A run that somebody else seems to be training.
  void unfinish() const {
    std::filesystem::remove(path("run/summary.json"));
    cut_journal();
  }
  void cut_journal() const {
    const std::vector<std::string> lines = lines_of(read("run/journal.jsonl"));
    std::string kept;
    for (const std::string& line : lines) {
      if (line.find("\"end\"") == std::string::npos) kept += line + "\n";
    }
    write("run/journal.jsonl", kept + "{\"event\":\"epo");
  }
};

TEST_F(Watch, WithoutATerminalTheStateIsPrintedOnce) {
  train();
  const Outcome outcome = ok({"watch", "run"});
  EXPECT_EQ(outcome.errors, "");
  EXPECT_THAT(outcome.out, HasSubstr("finished"));
  EXPECT_THAT(outcome.out, HasSubstr("stopped in grow"));
  EXPECT_THAT(outcome.out, HasSubstr("▶"));
  EXPECT_THAT(outcome.out, HasSubstr("run/model.coppice"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
  unfinish();
  const Outcome running = ok({"watch", "run"});
  EXPECT_THAT(running.out, HasSubstr("training"));
  EXPECT_THAT(running.out, HasSubstr("patience used"));
  EXPECT_EQ(lines_of(running.out).size(), 6U) << running.out;
}

/// What the last epoch of a part of a journal says of patience, in words of the watch.
struct Moment {
  std::string lines;  ///< of the journal up to here
  std::string phase;  ///< of the next epoch
  double waited = 0;
  double patience = 0;
};

/// One moment of each phase, the one in which most of the patience is used.
std::map<std::string, Moment> moments_of(const std::string& journal) {
  std::map<std::string, Moment> moments;
  std::string lines;
  Moment now;
  const auto keep = [&] {
    now.lines = lines;
    const auto found = moments.find(now.phase);
    const bool later = found == moments.end() || now.waited > found->second.waited;
    if (!now.phase.empty() && later) moments[now.phase] = now;
  };
  for (const std::string& line : lines_of(journal)) {
    const Json event = Json::parse(line);
    if (event["event"] == "epoch") {  // what follows it belongs to it
      keep();
      now = {.lines = {},
             .phase = event["next_phase"],
             .waited = event["waited"],
             .patience = event["patience"]};
    } else if (event["event"] == "end") {
      now.phase.clear();
    }
    lines += line + "\n";
  }
  keep();
  return moments;
}

TEST_F(Watch, PatienceIsTheProtocolsOwnInEveryPhase) {
  write("ring.csv", ring_csv(600));
  write("line.csv", linear_csv(300));
  const Arguments quick{"--effort", "quick", "--lambda", "0.01", "--quiet", "-o"};
  ok(Arguments{"train", "ring.csv"} + quick + Arguments{"quick"});
  ok(Arguments{"train", "line.csv", "--task", "regression"} + quick + Arguments{"numbers"});
  ok(Arguments{"train", "ring.csv", "--grow-epochs", "7"} + quick + Arguments{"grown"});
  for (const std::string run : {"quick", "numbers", "grown"}) {
    const std::map<std::string, Moment> moments = moments_of(read(run + "/journal.jsonl"));
    std::filesystem::remove(path(run + "/summary.json"));
    for (const char* phase : {"grow", "settle", "polish", "anneal"}) {
      ASSERT_TRUE(moments.contains(phase)) << run << " was never in " << phase;
      const Moment& moment = moments.at(phase);
      write(run + "/journal.jsonl", moment.lines);
      const std::string text = ok({"watch", run}).out;
      EXPECT_THAT(text, HasSubstr(phase));
      EXPECT_THAT(text, HasSubstr(fmt::format(" {:3g}/{:.3g}", moment.waited, moment.patience)));
      EXPECT_THAT(text, HasSubstr(" to go"));
      EXPECT_TRUE(moment.waited > 0 || moment.patience <= 1) << run << " " << phase;
    }
    EXPECT_EQ(moments.at("settle").patience, 2 * moments.at("polish").patience)
        << "settle waits for the life of a unit, which is twice the patience of a quick run";
    EXPECT_EQ(moments.at("grow").patience, run == "grown" ? 7 : moments.at("polish").patience);
  }
}

TEST_F(Watch, ARunThatHasJustBegunHasNoEpochs) {
  write("run/config.json", R"({"lambda":[0.1],"seeds":2,"seed":0,"data":"/d.csv"})");
  EXPECT_THAT(ok({"watch", "run"}).out, HasSubstr("waiting for the first epoch"));
}

TEST_F(Watch, WhatIsNoRunIsRefused) {
  write("file", "x");
  write("empty/nothing", "");
  write("bad/config.json", "{");
  write("odd/config.json", "{}");
  write("odd/journal.jsonl", "");
  write("odd/summary.json", "{\"nets\":7}");
  refused({"watch", "nowhere"}, {"nowhere", "no such run"});
  refused({"watch", "file"}, {"file", "directory"});
  refused({"watch", "empty"}, {"empty", "not a run"});
  refused({"watch", "bad"}, {"bad/config.json"});
  refused({"watch", "odd"}, {"odd/summary.json"});
  refused({"watch"}, {"RUN"});
}

TEST_F(Watch, KeysAndSignalsGiveTheTerminalBack) {
  train();
  unfinish();
  for (const auto& [key, code] : {std::pair('q', 0), std::pair('\x03', 130)}) {
    OnTerminal program(folder_, {"watch", "run"});
    ASSERT_TRUE(program.shows("q quits")) << program.seen();
    EXPECT_THAT(program.seen(), HasSubstr("\x1b[?25l"));
    EXPECT_THAT(program.seen(), HasSubstr("\x1b[32mgrow\x1b[0m"));
    program.press(key);
    EXPECT_TRUE(program.shows(""));
    EXPECT_EQ(program.exit_code(), code);
    EXPECT_GT(program.seen().rfind("\x1b[?25h"), program.seen().rfind("\x1b[?25l")) << "the cursor is back";
    EXPECT_GT(program.seen().rfind("\x1b[?1049l"), program.seen().rfind("\x1b[?1049h"));
  }
}

TEST_F(Watch, FollowsTheJournalAndEndsWithTheRun) {
  train();
  const std::string summary = read("run/summary.json");
  const std::string journal = read("run/journal.jsonl");
  unfinish();
  OnTerminal program(folder_, {"watch", "run"});
  ASSERT_TRUE(program.shows("q quits"));
  write("run/journal.jsonl", R"({"event":"epoch","net":0,"epoch":1,"phase":"grow","hidden_units":[77,5]})"
                             "\n");
  EXPECT_TRUE(program.shows("77-5")) << "a journal that begins anew";
  write("run/journal.jsonl", journal);
  write("run/summary.json", summary);
  EXPECT_TRUE(program.shows("")) << "it ends by itself";
  EXPECT_EQ(program.exit_code(), 0);
  EXPECT_THAT(program.seen(), HasSubstr("finished"));
}

}  // namespace
}  // namespace coppice::test
