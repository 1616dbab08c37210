#include "coppice/run/journal.h"

#include "coppice/core/file.h"

#include "tests/run/support.h"

#include <cmath>
#include <gmock/gmock.h>
#include <sstream>

#include <nlohmann/json.hpp>

namespace coppice {
namespace {

using namespace coppice::test;
using nlohmann::json;
using ::testing::ElementsAre;

std::vector<json> events(const std::string& text) {
  std::vector<json> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(json::parse(line));
  return all;
}

EpochReport report_of(std::size_t net, std::size_t epoch) {
  EpochReport report;
  report.net = net;
  report.epoch = epoch;
  report.steps = 10 * epoch;
  report.train_loss = 0.5;
  report.validation_error = 0.25;
  report.step = 30;
  report.step_name = "angular_step";
  report.lambda = 1e-3;
  report.hidden_units = {11, 9};
  return report;
}

NetRun running_net(std::size_t id) {
  NetRun run;
  run.id = id;
  run.protocol = Protocol({}, 30);
  return run;
}

TEST(JournalLines, AnAngleIsCalledAnAngle) {
  EpochReport report = report_of(0, 1);
  report.step_name = "angle";
  report.step = 0.05;
  const std::string lines = journal_lines(NetRun{}, report, 0);
  EXPECT_THAT(lines, ::testing::HasSubstr("\"angle\":0.05"));
  EXPECT_THAT(lines, ::testing::Not(::testing::HasSubstr("angular_step")));
}

TEST(Journal, AnEpochIsOneLineWithEverythingThatMatters) {
  const auto lines = events(journal_lines(running_net(2), report_of(2, 5), 1.25));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], json::parse(R"({"event":"epoch","net":2,"epoch":5,"phase":"grow","train_loss":0.5,
    "validation_error":0.25,"hidden_units":[11,9],"angular_step":30.0,"lambda":0.001,"steps":50,"seconds":1.25})"));
}

TEST(Journal, BirthsDeathsLengthsRewindsAndEndsAreLinesOfTheirOwn) {
  EpochReport report = report_of(0, 10);
  report.born = {{17, 1}, {18, 0}};
  report.died = {{3, 0}};
  report.lengths = {{1, 0, 0.123456, 2}, {2, 0, 1, 0}, {17, 1, 0.5, 0}};
  report.rewound_to = 4;
  report.next_phase = Phase::done;
  NetRun run = running_net(0);
  run.stopped = true;
  const auto lines = events(journal_lines(run, report, 0));
  std::vector<std::string> names;
  for (const json& line : lines) names.push_back(line["event"]);
  EXPECT_THAT(names, ElementsAre("born", "born", "died", "epoch", "lengths", "lengths", "rewind", "end"));
  EXPECT_EQ(lines[0], json::parse(R"({"event":"born","net":0,"epoch":10,"layer":2,"unit":17})"));
  EXPECT_EQ(lines[2], json::parse(R"({"event":"died","net":0,"epoch":10,"layer":1,"unit":3})"));
  EXPECT_EQ(lines[4], json::parse(R"({"event":"lengths","net":0,"epoch":10,"layer":1,"units":[1,2],
    "fan_in":[0.12346,1.0],"fan_out":[2.0,0.0]})"));
  EXPECT_EQ(lines[6]["to_epoch"], 4);
  EXPECT_EQ(lines[7]["phase"], "done");
}

TEST(Journal, ALossThatIsNoNumberIsNull) {
  EpochReport report = report_of(0, 1);
  report.train_loss = std::nan("");
  report.validation_error = std::numeric_limits<double>::infinity();
  const auto lines = events(journal_lines(running_net(0), report, 0));
  EXPECT_TRUE(lines[0]["train_loss"].is_null());
  EXPECT_TRUE(lines[0]["validation_error"].is_null());
}

class JournalFile : public Folder {};

TEST_F(JournalFile, IsAppendedTo) {
  const std::string file = path("journal.jsonl");
  for (std::size_t epoch = 1; epoch <= 2; ++epoch) {
    Journal journal(file, 100);
    journal.on_epoch(running_net(0), report_of(0, epoch));
  }
  const auto lines = events(read_file(file));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1]["epoch"], 2);
  EXPECT_GE(lines[1]["seconds"], 100) << "seconds count on from those before";
  EXPECT_LT(lines[1]["seconds"], 110);
}

TEST_F(JournalFile, IsCutWhereTheCheckpointsAre) {
  std::string text;
  for (std::size_t epoch = 1; epoch <= 4; ++epoch) {
    for (std::size_t net = 0; net < 2; ++net) {
      text += journal_lines(running_net(net), report_of(net, epoch), static_cast<double>(10 * epoch + net));
    }
  }
  const std::string file = write("j", text + "{\"event\":\"epo");
  EXPECT_EQ(truncate_journal(file, {3, 2}).seconds, 30);
  std::vector<std::pair<int, int>> kept;
  for (const json& line : events(read_file(file))) kept.emplace_back(line["net"], line["epoch"]);
  EXPECT_THAT(
      kept, ElementsAre(std::pair(0, 1), std::pair(1, 1), std::pair(0, 2), std::pair(1, 2), std::pair(0, 3)));
  EXPECT_EQ(truncate_journal(file, {0, 0}).seconds, 0);
  EXPECT_EQ(read_file(file), "");
}

TEST_F(JournalFile, GarbageInItIsDroppedNotStumbledOver) {
  const std::string good = journal_lines(running_net(0), report_of(0, 1), 1);
  const std::string file =
      write("j", "[1,2]\n7\n\"text\"\nnull\n{\"net\":\"x\",\"epoch\":1}\n{\"net\":0,\"epoch\":-1}\n\n" +
                     good + "\xff\xfe\n");
  EXPECT_EQ(truncate_journal(file, {5}).seconds, 1);
  EXPECT_EQ(read_file(file), good);
  EXPECT_EQ(truncate_journal(path("none"), {5}).seconds, 0);
}

}  // namespace
}  // namespace coppice
