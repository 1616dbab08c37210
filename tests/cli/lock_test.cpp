#include "tests/cli/program.h"

#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <thread>

namespace coppice::test {
namespace {

/// Two processes that want the same directory: the first is stopped in the middle of its work, so that what the
/// second one leaves can be compared.
class Lock : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("d.csv", ring_csv(2000));
  }
  /// As soon as it has written the file.
  void pause(Started& first, const std::string& file) const {
    while (!exists(file) && !first.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_TRUE(first.pause()) << first.wait().errors;
  }
  static void kill(Started& first) {
    first.send(SIGKILL);
    first.wait();
  }

  const std::vector<std::string> taken{"another coppice process", "wait"};
};

TEST_F(Lock, TwoProcessesDoNotTrainOneRun) {
  Started first(folder_, {"train", "d.csv", "-o", "run", "--lambda", "1e-4", "--effort", "paper"});
  pause(first, "run/journal.jsonl");
  for (const Arguments& second :
       {Arguments{"train", "--resume", "run"}, Arguments{"train", "d.csv", "-o", "run"},
        Arguments{"search", "random", "d.csv", "-o", "run"}}) {
    refused(second, taken);
    refused(second, {"run: "});
  }
  ok({"watch", "run"});
  kill(first);
  ok({"train", "--resume", "run", "--time-limit", "0.1"});
}

TEST_F(Lock, ARunWhoseDirectoryWasReplacedWritesNothingIntoTheNewOne) {
  const Arguments train{"train", "d.csv", "-o", "run", "--lambda", "1e-4", "--effort", "paper"};
  Started first(folder_, train);
  pause(first, "run/journal.jsonl");
  std::filesystem::remove_all(path("run"));
  ok(train + Arguments{"--seed", "5", "--max-epochs", "3", "--quiet"});
  const auto second = files();
  first.send(SIGCONT);
  first.send(SIGINT);
  const Outcome outcome = first.wait();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, ::testing::HasSubstr("run: the directory was removed or replaced"));
  EXPECT_TRUE(files() == second);
}

TEST_F(Lock, TwoProcessesDoNotSearchInOneDirectory) {
  const Arguments search{"search", "random", "d.csv", "--trials", "3", "--max-epochs", "200"};
  Started first(folder_, search + Arguments{"-o", "s"});
  pause(first, "s/search.json");
  refused({"search", "random", "--resume", "s"}, taken);
  refused(search + Arguments{"-o", "s"}, taken);
  refused({"train", "d.csv", "-o", "s"}, taken);
  kill(first);
  ok({"search", "random", "--resume", "s", "--quiet"});
}

}  // namespace
}  // namespace coppice::test
