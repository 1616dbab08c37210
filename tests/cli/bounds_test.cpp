// Calls that ask for more than a machine has, or than makes sense: bounded, and said so.
#include "tests/cli/program.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <thread>

#include <fmt/format.h>
#include <zlib.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Bounds : public Program {
 protected:
  std::size_t files_beside() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      count += entry.path().extension() == ".tmp" ? 1 : 0;
    return count;
  }
  /// Exit code of the program with so much memory; what it says lies in `err`.
  int limited(int megabytes, const std::string& arguments) const {
    const int status = std::system(
        fmt::format("cd '{}' && export CUDA_VISIBLE_DEVICES= && ulimit -v {}000 && {} {} > out 2> err",
                    folder_.string(), megabytes, COPPICE_PROGRAM, arguments)
            .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
};

TEST_F(Bounds, WhatTextsBecomeIsHeldAsTexts) {
#ifdef COPPICE_SANITIZED
  GTEST_SKIP() << "sanitizers take all addresses there are";
#endif
  // 6 MB of cells, but a hundred inputs for each of twenty: 0.65 GB as floats.
  std::string csv;
  for (int column = 0; column < 20; ++column) csv += fmt::format("town{},", column);
  csv += "y\n";
  for (int row = 0; row < 80'000; ++row) {
    for (int column = 0; column < 20; ++column)
      csv += fmt::format("t{},", (row * (2 * column + 1) + row / 100) % 100);
    csv += row % 2 == 0 ? "0\n" : "1\n";
  }
  write("d.csv", csv);
  EXPECT_EQ(limited(500, "train d.csv --ensemble off --max-steps 1 --lambda 1e-2 --threads 2 -o run"), 0)
      << read("err");
  EXPECT_THAT(read("err"), Not(HasSubstr("scratch file")));
}

TEST_F(Bounds, WhatColumnsBecomeNeedNotFitIntoMemory) {
  // 6 MB of cells, but nine inputs for each of forty numbers of which no two are alike.
  std::string csv;
  for (int column = 0; column < 40; ++column) csv += fmt::format("size{},", column);
  csv += "y\n";
  for (int row = 0; row < 40'000; ++row) {
    for (int column = 0; column < 40; ++column)
      csv += fmt::format("0.{:07},", (row * 7919LL + row * column * 104729LL) % 9'999'991);
    csv += row % 2 == 0 ? "0\n" : "1\n";
  }
  write("d.csv", csv);
  const std::string train =
      "train d.csv --ensemble off --encode bins --max-steps 1 --lambda 1e-2 --threads 2 -o run";
  EXPECT_EQ(limited(1'000'000, train + " --memory 60M"), 0) << read("err");
  EXPECT_THAT(
      read("err"),
      HasSubstr("inputs of 0.06 GB, more than half of --memory (0.06 GB), lie in a scratch file in "));
  // Room for 0.01 GB of it: one sentence, and nothing is written.
  std::filesystem::remove_all(path("run"));
  const int status =
      std::system(fmt::format("cd '{}' && ulimit -f 20000 && TMPDIR=. CUDA_VISIBLE_DEVICES= {} {} "
                              "--memory 60M > out 2> err",
                              folder_.string(), COPPICE_PROGRAM, train)
                      .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(lines_of(read("err")).size(), 1U);
  EXPECT_THAT(read("err"),
              AllOf(HasSubstr("coppice: the scratch file in ., for rows beyond --memory, cannot grow to 0.06 "
                              "GB (File too large; "),
                    HasSubstr("let TMPDIR name a directory with more room, or give more --memory")));
  EXPECT_FALSE(exists("run"));
}

TEST_F(Bounds, GeneratedFilesNeedNotFitIntoMemory) {
#ifdef COPPICE_SANITIZED
  GTEST_SKIP() << "sanitizers take all addresses there are";
#endif
  ok({"generate", "rectangles", "--rows", "2500", "--seed", "3", "-o", "short.amat"});
  EXPECT_EQ(lines_of(read("short.amat")).size(), 2500U);
  // A row has 4.7 kB: 60,000 of them are 280 MB.
  EXPECT_EQ(limited(260, "generate rectangles --rows 60000 --seed 3 -o long.amat"), 0) << read("err");
  EXPECT_EQ(std::filesystem::file_size(path("long.amat")),
            24 * std::filesystem::file_size(path("short.amat")));
  std::ifstream file(path("long.amat"));
  std::string begins(std::filesystem::file_size(path("short.amat")), '\0');
  file.read(begins.data(), static_cast<std::streamsize>(begins.size()));
  EXPECT_TRUE(begins == read("short.amat"));
}

TEST_F(Bounds, AFileThatIsNotGeneratedToItsEndIsNotThere) {
  Started generating(folder_, {"generate", "rectangles", "--rows", "100000000", "-o", "long.amat"});
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (files_beside() == 0 && std::chrono::steady_clock::now() < last)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  generating.send(SIGINT);
  const Outcome outcome = generating.wait();
  EXPECT_EQ(outcome.code, 128 + SIGINT) << outcome.errors;
  EXPECT_EQ(files_beside(), 0U);
  EXPECT_FALSE(exists("long.amat"));
}

TEST_F(Bounds, EmptyLinesWithoutEndAreRefused) {
  const std::string packed = path("d.csv.gz").string();
  gzFile file = gzopen(packed.c_str(), "wb1");
  ASSERT_NE(file, nullptr);
  const std::string lines(1U << 20U, '\n');
  gzputs(file, "a,y\n1,0\n");
  for (int i = 0; i < 200; ++i) gzwrite(file, lines.data(), static_cast<unsigned>(lines.size()));
  gzputs(file, "2,1\n");
  gzclose(file);
  refused({"train", "d.csv.gz", "--target", "y", "-o", "run"},
          {"d.csv.gz: line 1000003", "1000000 empty lines", "remove them"});
}

TEST_F(Bounds, MoreThreadsThanAreUsefulAreNotStarted) {
  write("d.csv", ring_csv(100));
  const Arguments train{"train", "d.csv", "--target", "label", "--lambda", "1e-2", "--max-epochs", "3"};
  const Outcome many = ok(train + Arguments{"--threads", "1000", "-o", "many"});
  EXPECT_THAT(many.errors, HasSubstr("--threads 1000: "));
  EXPECT_LT(read_json("many/summary.json")["threads"], 1000);
  const Outcome few = ok(train + Arguments{"--threads", "3", "-o", "few"});
  EXPECT_THAT(few.errors, Not(HasSubstr("--threads 3")));
  EXPECT_EQ(read_json("few/summary.json")["threads"], 3);
  EXPECT_TRUE(read("many/model.coppice") == read("few/model.coppice"));
}

TEST_F(Bounds, GrowthThatNothingCouldStopIsRefused) {
  write("d.csv", ring_csv(100));
  refused({"train", "d.csv", "--additions-per-epoch", "1e6", "-o", "run"},
          {"--additions-per-epoch", "units an epoch", "give less"});
  refused({"train", "d.csv", "--add-units", "20000", "-o", "run"}, {"--add-units", "20000 units an epoch"});
}

TEST_F(Bounds, ColumnsWithCommasInTheirNamesCanBeLeftOut) {
  write("d.csv", "\"size, cm\",\"a \"\"b\"\"\",x,y\n1,2,3,0\n2,1,4,1\n4,4,5,0\n7,1,1,1\n5,2,2,0\n9,1,1,1\n");
  ok({"train", "d.csv", "--target", "y", "--ignore", "\"size, cm\",\"a \"\"b\"\"\"", "--max-steps", "1",
      "--quiet", "-o", "run"});
  const Json inputs = ok({"inspect", "run", "--json"}).json();
  EXPECT_THAT(inputs.dump(), Not(HasSubstr("size, cm")));
  EXPECT_EQ(read_json("run/config.json")["ignore"], Json::array({"size, cm", "a \"b\""}));
  ok({"train", "--resume", "run", "--quiet"});
}

}  // namespace
}  // namespace coppice::test
