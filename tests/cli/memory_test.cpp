// Memory that runs out, wherever that happens: one sentence and exit code 2, never a crash, and nothing half written.
#include "tests/cli/program.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

class Memory : public Program {};

TEST_F(Memory, RunningOutIsASentence) {
#ifdef COPPICE_SANITIZED
  GTEST_SKIP() << "sanitizers take all addresses there are";
#endif
  write("d.csv", ring_csv(3000));
  const std::string start = fmt::format("cd '{}' && export CUDA_VISIBLE_DEVICES= && ", folder_.string());
  // With less than this the system does not even load the program, which then cannot say anything.
  int least = 60;
  while (least < 4000 &&
         std::system(
             fmt::format("ulimit -v {}000; {} --version > /dev/null 2>&1", least, COPPICE_PROGRAM).c_str()) !=
             0)
    least += 8;
  int refused = 0;
  int done = 0;
  for (int megabytes = least; megabytes <= least + 200; megabytes += 8) {
    std::filesystem::remove_all(path("run"));
    const std::string line = fmt::format(
        "{}ulimit -v {}000; {} train d.csv --max-steps 3 --lambda 1e-3 --threads 2 -o run --quiet 2> err",
        start, megabytes, COPPICE_PROGRAM);
    const int status = std::system(line.c_str());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    EXPECT_TRUE(code == 0 || code == 2) << megabytes << " MB: " << code << " " << read("err");
    refused += code == 2 ? 1 : 0;
    done += code == 0 ? 1 : 0;
    if (code != 2) continue;
    EXPECT_EQ(lines_of(read("err")).size(), 1U) << megabytes << " MB: " << read("err");
    for (const auto& [name, bytes] : files()) EXPECT_FALSE(name.ends_with(".tmp")) << name;
  }
  EXPECT_GT(refused, 0) << "the limits were too large to try anything";
  EXPECT_GT(done, 0);
}

}  // namespace
}  // namespace coppice::test
