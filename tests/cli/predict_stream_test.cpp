// Predictions of files that come in parts: the same answers in the same order, in little memory.
#include "tests/cli/program.h"

#include <cstdlib>
#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;

class PredictStream : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("few.csv", ring_csv(500));
    ok({"train", "few.csv", "--max-steps", "3", "--lambda", "1e-3", "-o", "run", "--quiet", "--ensemble",
        "off"});
  }

  /// Many rows, more than fit into a few parts.
  std::string many_rows() const { return ring_csv(60'000, 2); }

  /// Runs a line of the shell in the test's directory.
  int shell(const std::string& line) const {
    return std::system(
        fmt::format("cd '{}' && export CUDA_VISIBLE_DEVICES= && {}", folder_.string(), line).c_str());
  }
};

TEST_F(PredictStream, PartsAreAnsweredInTheirOrderByAnyNumberOfThreads) {
  const std::string text = many_rows();
  write("many.csv", text);
  const std::string whole = ok({"predict", "run", "many.csv"}).out;
  const std::vector<std::string> answers = lines_of(whole);
  ASSERT_EQ(answers.size(), 60'001U);
  EXPECT_EQ(ok({"predict", "run", "many.csv", "--threads", "3"}).out, whole);
  // Rows 30,001 and on, asked about alone, say the same.
  const std::vector<std::string> rows = lines_of(text);
  std::string tail = rows[0] + "\n";
  for (std::size_t i = 30'001; i < 30'101; ++i) tail += rows[i] + "\n";
  write("tail.csv", tail);
  const std::vector<std::string> alone = lines_of(ok({"predict", "run", "tail.csv"}).out);
  for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(alone[i + 1], answers[30'001 + i]) << i;
}

TEST_F(PredictStream, StandardInputAndFilesSayTheSame) {
  write("many.csv", many_rows());
  ok({"predict", "run", "many.csv", "-o", "file.csv"});
  ASSERT_EQ(shell(fmt::format("cat many.csv | {} predict run - > pipe.csv", COPPICE_PROGRAM)), 0);
  ASSERT_EQ(shell(fmt::format("{} predict run - -o redirected.csv < many.csv", COPPICE_PROGRAM)), 0);
  EXPECT_EQ(read("pipe.csv"), read("file.csv"));
  EXPECT_EQ(read("redirected.csv"), read("file.csv"));
}

TEST_F(PredictStream, AMistakeInALaterPartNamesItsLineAndLeavesTheOldFile) {
  write("many.csv", many_rows() + "1,oops,1\n");
  write("out.csv", "old");
  const Outcome outcome = call({"predict", "run", "many.csv", "-o", "out.csv"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("many.csv: line 60002, column 2 (\"x1\"): \"oops\" is not a number"));
  EXPECT_EQ(read("out.csv"), "old");
  for (const auto& [name, bytes] : files()) EXPECT_FALSE(name.ends_with(".tmp")) << name;
}

TEST_F(PredictStream, MemoryDoesNotGrowWithTheFile) {
#ifdef COPPICE_SANITIZED
  GTEST_SKIP() << "sanitizers take all addresses there are";
#endif
  // Ten times as many rows through a pipe; as a table they would take 30 MB more, with their inputs and answers 150.
  write("rows.txt", many_rows().substr(std::string("x0,x1,label\n").size()));
  const auto peak_of = [&](int times) {
    const std::string feed =
        fmt::format("(head -n 1 few.csv; for i in $(seq {}); do cat rows.txt; done)", times);
    EXPECT_EQ(
        shell(fmt::format("{} | {} predict run - --threads 2 > answers.csv; "
                          "test $(wc -l < answers.csv) = {}",
                          feed, "/usr/bin/env time -f %M -o peak " COPPICE_PROGRAM, times * 60'000 + 1)),
        0);
    return std::stol(read("peak"));
  };
  if (shell("/usr/bin/env time -f %M -o peak true") != 0) GTEST_SKIP() << "there is no time(1)";
  EXPECT_LT(peak_of(40), peak_of(4) + 20'000) << "kB";
}

}  // namespace
}  // namespace coppice::test
