// Standard streams that cannot be written, limits and signals: the work goes on, or ends with a sentence and a code.
#include "tests/cli/program.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <thread>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;

class Streams : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("d.csv", ring_csv(120));
  }
  /// Exit code of a shell's line, in which $P is the program; negative: the signal that ended it.
  int shell(const std::string& line) const {
    const std::string all = fmt::format("cd '{}' && export CUDA_VISIBLE_DEVICES= P='{}' && {}",
                                        folder_.string(), COPPICE_PROGRAM, line);
    const int status = std::system(all.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
};

TEST_F(Streams, StandardErrorThatCannotBeWrittenIsNoReasonToStop) {
  EXPECT_EQ(shell("$P train d.csv --max-epochs 2 -o plain > out 2> err"), 0);
  for (const std::string where : {"2> /dev/full", "2>&-", "--quiet 2> /dev/full"}) {
    EXPECT_EQ(shell(fmt::format("$P train d.csv --max-epochs 2 -o run > out {}", where)), 0) << where;
    EXPECT_EQ(read("run/model.coppice"), read("plain/model.coppice")) << where;
    EXPECT_EQ(read("run/journal.jsonl").find("rows to train"), std::string::npos) << where;
    std::filesystem::remove_all(path("run"));
  }
  EXPECT_EQ(shell("$P train none.csv 2> /dev/full"), 2) << "mistakes keep their code";
  EXPECT_EQ(
      shell("$P search grid d.csv --hidden 4 --steps 1 --optimizers sgd --norms none --max-epochs 1 -o s "
            "> out 2> /dev/full"),
      0);
}

TEST_F(Streams, SoIsAReaderOfItThatWentAway) {
  EXPECT_EQ(shell("{ $P train d.csv --max-epochs 2 -o run > out; echo $? > code; } 2>&1 | true"), 0);
  EXPECT_EQ(read("code"), "0\n");
  EXPECT_TRUE(exists("run/report.html"));
}

TEST_F(Streams, ResultsThatCannotBeWrittenAreAMistake) {
  for (const std::string where : {"> /dev/full", ">&-"}) {
    EXPECT_EQ(shell(fmt::format("$P train d.csv --max-epochs 2 -o run --json --quiet {} 2> err", where)), 2);
    EXPECT_THAT(read("err"), HasSubstr("coppice: cannot write to standard output")) << where;
    EXPECT_TRUE(exists("run/model.coppice")) << "but are on disk";
    EXPECT_EQ(shell(fmt::format("$P predict run d.csv {} 2> err", where)), 2);
    EXPECT_THAT(read("err"), HasSubstr("coppice: cannot write to standard output")) << where;
    std::filesystem::remove_all(path("run"));
  }
}

TEST_F(Streams, ALimitOnTheSizeOfFilesIsASentence) {
  EXPECT_EQ(shell("ulimit -f 8; $P train d.csv --max-epochs 20 -o run --quiet 2> err"), 2);
  EXPECT_THAT(read("err"), HasSubstr("ulimit -f"));
  for (const auto& [name, bytes] : files()) EXPECT_FALSE(name.ends_with(".tmp")) << name;
  EXPECT_EQ(shell("$P train --resume run --quiet"), 0) << "and what is there goes on";
}

TEST_F(Streams, ATerminalThatHangsUpLeavesARunThatGoesOn) {
  Started run(folder_, {"train", "d.csv", "-o", "run", "--quiet", "--patience", "1e9", "--lambda", "1e-3"});
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!exists("run/journal.jsonl") && std::chrono::steady_clock::now() < last)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  run.send(SIGHUP);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.code, 128 + SIGHUP) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("--resume run"));
  EXPECT_TRUE(exists("run/checkpoints/net-0.state"));
}

}  // namespace
}  // namespace coppice::test
