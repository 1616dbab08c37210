#include "tests/cli/program.h"

#include "tests/xml.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <gmock/gmock.h>
#include <thread>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Rows of a csv as maps from the names of its columns.
using Table = std::vector<std::map<std::string, std::string>>;

/// The cells of a line of csv, some of them quoted.
std::vector<std::string> cells_in(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

class Experiments : public Program {
 protected:
  Table table(const std::string& name) const {
    const std::vector<std::string> lines = lines_of(read("out/" + name + ".csv"));
    const std::vector<std::string> names = cells_in(lines.at(0));
    Table rows;
    for (std::size_t r = 1; r < lines.size(); ++r) {
      const std::vector<std::string> cells = cells_in(lines[r]);
      EXPECT_EQ(cells.size(), names.size()) << name << ": " << lines[r];
      auto& row = rows.emplace_back();
      for (std::size_t c = 0; c < std::min(cells.size(), names.size()); ++c) row[names[c]] = cells[c];
    }
    return rows;
  }
  void expect_pages(const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
      EXPECT_EQ(xml_fault(read("out/" + name + ".svg")), "") << name;
      EXPECT_GT(table(name).size(), 3U) << name;
      EXPECT_THAT(read("out/" + name + ".md"),
                  AllOf(HasSubstr("| claim |"), HasSubstr("| device |"), HasSubstr("./run reproduce " + name),
                        HasSubstr(fmt::format("]({}.svg)", name)), HasSubstr(fmt::format("]({}.csv)", name))))
          << name;
      EXPECT_THAT(read("out/README.md"), HasSubstr(fmt::format("[{0}]({0}.md)", name)));
    }
  }
  /// A call that must end with one sentence about what is wrong, which holds every part.
  void mistaken(const Arguments& arguments, const std::vector<std::string>& parts) const {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    const Outcome outcome = call(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.errors;
    const std::vector<std::string> lines = lines_of(outcome.errors);
    ASSERT_FALSE(lines.empty());
    EXPECT_THAT(lines.back(), ::testing::StartsWith("coppice-experiments: "));
    for (const std::string& part : parts) EXPECT_THAT(lines.back(), HasSubstr(part));
  }
  static Arguments call_of(const std::string& entries, const Arguments& more = {}) {
    return Arguments{entries, "--scale", "small", "-o", "out", "--work", "work", "--device", "cpu"} + more;
  }
  /// Poker hands in seconds.
  static Arguments few_hands() {
    return {"--set", "poker-rows=3000,poker-validation=500,poker-test=500,poker-lambdas=2"};
  }
  /// What is generated beside them, of what is only to end well.
  static Arguments few_others() {
    return {"--set",
            "rectangles-rows=240,rectangles-test=100,convex-rows=240,convex-test=100,table-rows=240,"
            "table-test=100,theory-rows=40,theory-widths=3,theory-steps=60,seeds=2,step-lambdas=1"};
  }
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Median test error of the rows in which these columns have these values.
double error_of(const Table& table, const std::map<std::string, std::string>& where) {
  std::vector<double> errors;
  for (const auto& row : table) {
    const bool fits =
        std::ranges::all_of(where, [&](const auto& cell) { return row.at(cell.first) == cell.second; });
    if (fits) errors.push_back(std::stod(row.at("test_error")));
  }
  EXPECT_FALSE(errors.empty());
  return errors.empty() ? 1 : median(errors);
}

/// The paper's entries as CI makes them, and what must come out whatever the processor.
TEST_F(Experiments, EverySmallEntryShowsTheDirectionOfItsClaims) {
  if (const std::string why = no_mnist(); !why.empty()) GTEST_SKIP() << why;
  const std::string entries = "data,table1,figure3,figure4,figure5,table2,adarad-m,capnorm-output,scaling";
  ok(call_of(entries, {"--data", std::filesystem::path(mnist_folder()).parent_path().string(), "--set",
                       "rectangles-rows=240,rectangles-test=100,convex-rows=240,convex-test=100"}));
  expect_pages(
      {"data", "table1", "figure3", "figure4", "figure5", "table2", "adarad-m", "capnorm-output", "scaling"});

  const Table figure3 = table("figure3");
  const Table adarad_m = table("adarad-m");
  const Table scaling = table("scaling");
  const Table capnorm = table("capnorm-output");
  for (const std::string lambda : {"0.009", "0.003"}) {
    const double usual = error_of(adarad_m, {{"what", "AdaRad"}, {"lambda", lambda}});
    EXPECT_LT(usual, 0.1);
    EXPECT_NEAR(error_of(adarad_m, {{"what", "AdaRad-M"}, {"lambda", lambda}}), usual, 0.25 * usual);
    EXPECT_GT(error_of(scaling, {{"what", "each pixel by itself"}, {"lambda", lambda}}), usual);
    EXPECT_LT(usual, 1.05 * error_of(capnorm, {{"what", "MNIST without"}, {"lambda", lambda}}));
    EXPECT_EQ(error_of(figure3, {{"set", "mnist"}, {"series", "nonparametric"}, {"lambda", lambda}}), usual);
  }
  // Nets of the same sizes, trained by other optimizers, are worse.
  EXPECT_LT(error_of(figure3, {{"set", "mnist"}, {"series", "nonparametric"}}),
            error_of(figure3, {{"set", "mnist"}, {"series", "same size"}}));

  const Table table2 = table("table2");
  EXPECT_GT(error_of(table2, {{"algorithm", "logistic regression"}}), 0.4);
  EXPECT_LT(error_of(table2, {{"algorithm", "nonparametric net"}}), 0.35);

  // Units that come early stay; after growth has ended, both layers shrink.
  std::map<std::string, std::vector<double>> births;
  for (const auto& row : table("figure5")) births[row.at("series")].push_back(std::stod(row.at("x")));
  EXPECT_LT(median(births["there at the end"]), median(births["eliminated"]));
}

/// Entries without a direction that few rows could show: all of their sets, a few rows of each.
TEST_F(Experiments, EntriesOfSeveralSetsEndWellOnAllOfThem) {
  if (const std::string why = no_mnist(); !why.empty()) GTEST_SKIP() << why;
  ok(call_of(
      "grid,why,step,angle,settings,theory,calibration",
      few_hands() + few_others() +
          Arguments{"--data", std::filesystem::path(mnist_folder()).parent_path().string(), "--set",
                    "mnist-rows=600,mnist-test=200,why-sets=4,grid-sets=4,grid-lambdas=2,grid-alphas=2,"
                    "angle-sets=9,angle-steps=1,settings-sets=3"}));
  expect_pages({"grid", "why", "step", "angle", "settings", "theory", "calibration"});
  for (const char* page : {"out/grid.md", "out/why.md", "out/step.md", "out/angle.md", "out/calibration.md"})
    EXPECT_THAT(read(page), HasSubstr("## MNIST")) << page;
  for (const char* page : {"out/grid.md", "out/why.md", "out/step.md", "out/settings.md"})
    EXPECT_THAT(read(page), HasSubstr("## poker")) << page;
}

TEST_F(Experiments, WithoutMnistWhatNeedsItIsLeftOutOrRefused) {
  ::unsetenv("COPPICE_DATA");
  refused(call_of("figure4"), {"figure4", "MNIST is needed", "train-images-idx3-ubyte.gz", "--data"});
  refused(call_of("table1,scaling,table2"), {"scaling", "MNIST is needed"});
  const Outcome outcome = ok(call_of(
      "all", few_hands() + few_others() + Arguments{"--set", "step-sets=1,angle-sets=1,why-steps=1"}));
  EXPECT_THAT(outcome.errors,
              AllOf(HasSubstr("figure5: left out: MNIST is needed"), HasSubstr("scaling: left out")));
  expect_pages({"data", "table1", "table2"});
  EXPECT_FALSE(exists("out/figure5.md"));
}

TEST_F(Experiments, WhatWasKilledGoesOnAndComesToTheSame) {
  ok(call_of("table2", few_hands() + Arguments{"--threads", "1"}));
  const std::string whole = read("out/table2.csv");
  std::filesystem::rename(path("work"), path("first"));
  std::filesystem::remove_all(path("out"));
  {
    Started started(folder_, call_of("table2", few_hands()));
    // Killed while nets are in training, if they are not already done.
    for (int i = 0;
         i < 1000 && !started.ended() && !exists("work/small/poker-adarad-1e-05/checkpoints/net-0.state");
         ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    started.send(SIGKILL);
    started.wait();
  }
  EXPECT_FALSE(exists("out/table2.csv"));
  const Outcome outcome = ok(call_of("table2", few_hands()));
  EXPECT_EQ(read("out/table2.csv"), whole);
  const Outcome again = ok(call_of("table2", few_hands()));
  EXPECT_THAT(again.errors, HasSubstr("poker-adarad-1e-05: already there"));
  EXPECT_EQ(read("out/table2.csv"), whole);
}

TEST_F(Experiments, AnInterruptSaysHowToGoOn) {
  Started started(folder_, call_of("table2"));
  for (int i = 0; i < 1000 && !exists("work/small/poker-adarad-1e-05/config.json"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  started.send(SIGINT);
  const Outcome outcome = started.wait();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.errors, HasSubstr("the same command goes on"));
}

TEST_F(Experiments, SideBySideEntriesComeToTheSame) {
  ::unsetenv("COPPICE_DATA");
  const Arguments few{
      "--sets", "convex", "--set",
      "seeds=2,convex-rows=240,convex-test=100,grid-lambdas=2,theory-rows=40,theory-widths=2"};
  ok(call_of("grid,step,theory", few));
  Arguments beside = call_of("grid,step,theory", few + Arguments{"--lanes", "3"});
  std::ranges::replace(beside, std::string("out"), std::string("beside"));
  std::ranges::replace(beside, std::string("work"), std::string("work2"));
  ok(beside);
  for (const std::string name : {"grid", "step", "theory"}) {
    EXPECT_EQ(read("beside/" + name + ".csv"), read("out/" + name + ".csv")) << name;
    EXPECT_THAT(read("beside/README.md"), HasSubstr("[" + name + "]"));
  }
  EXPECT_THAT(read("out/grid.md"), HasSubstr("--sets convex"));
  EXPECT_THAT(read("out/theory.md"), ::testing::Not(HasSubstr("--sets"))) << "it has none";
}

TEST_F(Experiments, MistakesAreNamed) {
  refused({"figure9"}, {"\"figure9\"", "figure3"});
  refused({"data", "--scale", "huge"}, {"--scale", "\"huge\"", "small or paper"});
  refused({"data", "--set", "seeds=none"}, {"--set", "\"seeds=none\"", "whole number"});
  refused({}, {"NAME"});
  write("file", "x");
  refused({"table1", "--scale", "small", "-o", "file"}, {"-o file"});
  refused({"table1", "-o", "file/out"}, {"-o file/out", "not a folder"});
  refused({"table1", "-o", "out", "--work", "file/work"}, {"--work file/work", "not a folder"});
  refused({"table1,theory", "--sets", "convex"}, {"--sets", "table1 does not"});
  refused({"grid", "--missing"}, {"--missing", "grid trains a set as a whole", "--add"});
  refused({"table1", "-o", ""}, {"--out is empty"});
  refused({"table1", "-o", "a", "-o", "b"}, {"--out", "give it once"});
  refused({"--device", "cpu", "nothing"}, {"nothing", "figure3"});  // an entry, not a second device
  EXPECT_THAT(ok({"--help"}).out,
              AllOf(HasSubstr("--device auto|cpu|cuda|cuda:N,..."), HasSubstr("--threads N  ")));
}

TEST_F(Experiments, TwoProcessesDoNotWorkInOneFolder) {
  Started first(folder_, call_of("table2"));
  while (!exists("work/small/poker-adarad-1e-05/config.json") && !first.ended())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(first.pause()) << first.wait().errors;
  refused(call_of("table2"), {"work/small: ", "another coppice process", "wait"});
  first.send(SIGKILL);
  first.wait();
  ok(call_of("data"));
}

TEST_F(Experiments, AWorkFolderOfOtherCountsIsNotMixedUp) {
  ok(call_of("table2", few_hands()));
  mistaken(call_of("table2", few_hands() + Arguments{"--set", "seeds=2"}),
           {"poker-adarad", "other settings", "--work"});
}

}  // namespace
}  // namespace coppice::test
