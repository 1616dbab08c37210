#include "coppice/run/journal.h"

#include "coppice/core/file.h"

#include "tests/support.h"

#include <array>
#include <cmath>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <rapidcheck.h>

namespace coppice {
namespace {

using namespace coppice::test;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

EpochReport report_of(std::size_t net, std::size_t epoch) {
  EpochReport report;
  report.net = net;
  report.epoch = epoch;
  report.steps = 10 * epoch;
  report.train_loss = 0.5;
  report.validation_error = 0.25;
  report.criterion = 0.75;
  report.step = 30;
  report.step_name = "angular_step";
  report.lambda = 1e-3;
  report.hidden_units = {11, 9};
  report.lowest = 0.125;
  report.waited = 3;
  report.patience = 8;
  report.to_go = 21;
  return report;
}

std::string lines_of(const EpochReport& report, double seconds) {
  std::string lines;
  for (const journal::Event& event : journal::events_of(report, seconds)) lines += line_of(event);
  return lines;
}

std::vector<json> objects(const EpochReport& report) {
  std::vector<json> all;
  for (const journal::Event& event : journal::events_of(report, 1.25))
    all.push_back(json::parse(line_of(event)));
  return all;
}

TEST(JournalLines, AnEpochIsOneLineWithEverythingThatMatters) {
  const auto lines = objects(report_of(2, 5));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], json::parse(R"({"event":"epoch","net":2,"epoch":5,"phase":"grow","train_loss":0.5,
    "validation_error":0.25,"criterion":0.75,"hidden_units":[11,9],"angular_step":30.0,"lambda":0.001,"steps":50,"seconds":1.25,
    "next_phase":"grow","lowest":0.125,"waited":3.0,"patience":8.0,"to_go":21.0})"));
}

TEST(JournalLines, AnAngleIsCalledAnAngle) {
  EpochReport report = report_of(0, 1);
  report.step_name = "angle";
  report.step = 0.05;
  const json line = objects(report).at(0);
  EXPECT_EQ(line["angle"], 0.05);
  EXPECT_FALSE(line.contains("angular_step"));
}

TEST(JournalLines, WhatStepsDidIsToldWhereItIsNotNothing) {
  EpochReport report = report_of(0, 1);
  report.layer_steps = {{.unit_steps = 400, .flips = 1, .mean_angle = 0.123456}, {.unit_steps = 50}};
  const json line = objects(report).at(0);
  EXPECT_EQ(line["mean_angle"], json({0.123, 0}));
  EXPECT_EQ(line["flips"], json({0.0025, 0}));
  EXPECT_FALSE(line.contains("held"));
}

TEST(JournalLines, BirthsDeathsLengthsRewindsAndEndsAreLinesOfTheirOwn) {
  EpochReport report = report_of(0, 10);
  report.born = {{17, 1}, {18, 0}};
  report.died = {{3, 0}};
  report.lengths = {{1, 0, 0.123456, 2}, {2, 0, 1, 0}, {17, 1, 0.5, 0}};
  report.rewound_to = 4;
  report.next_phase = Phase::done;
  report.unlearned = {{18, 0}};
  report.running = false;
  const auto lines = objects(report);
  std::vector<std::string> names;
  for (const json& line : lines) names.push_back(line["event"]);
  EXPECT_THAT(names,
              ElementsAre("born", "born", "died", "epoch", "lengths", "lengths", "rewind", "died", "end"));
  EXPECT_EQ(lines[0], json::parse(R"({"event":"born","net":0,"epoch":10,"layer":2,"unit":17})"));
  EXPECT_EQ(lines[2], json::parse(R"({"event":"died","net":0,"epoch":10,"layer":1,"unit":3})"));
  EXPECT_EQ(lines[4], json::parse(R"({"event":"lengths","net":0,"epoch":10,"layer":1,"units":[1,2],
    "fan_in":[0.12346,1.0],"fan_out":[2.0,0.0]})"));
  EXPECT_EQ(lines[6], json::parse(R"({"event":"rewind","net":0,"epoch":10,"to_epoch":4,"phase":"done"})"));
  EXPECT_EQ(lines[8], json::parse(R"({"event":"end","net":0,"epoch":10,"phase":"done"})"));
}

TEST(JournalLines, ALossThatIsNoNumberIsNullAndComesBackAsNone) {
  EpochReport report = report_of(0, 1);
  report.train_loss = std::nan("");
  report.validation_error = std::numeric_limits<double>::infinity();
  const std::string line = lines_of(report, 0);
  EXPECT_THAT(line, HasSubstr(R"("train_loss":null,"validation_error":null)"));
  const auto back = std::get<journal::Epoch>(journal::event_in(line).value());
  EXPECT_TRUE(std::isnan(back.train_loss));
  EXPECT_TRUE(std::isnan(back.validation_error));
}

TEST(JournalLines, OlderVersionsWroteLess) {
  const auto event = journal::event_in(
      R"({"event":"epoch","net":0,"epoch":7,"phase":"settle","train_loss":0.5,"validation_error":0.25,
          "hidden_units":[3],"angular_step":30.0,"lambda":0.1,"steps":5,"seconds":2})");
  const auto epoch = std::get<journal::Epoch>(event.value());
  EXPECT_EQ(epoch.phase, Phase::settle);
  EXPECT_EQ(epoch.step, 30);
  EXPECT_FALSE(epoch.next_phase.has_value());
  for (const double value : {epoch.lowest, epoch.waited, epoch.patience, epoch.to_go})
    EXPECT_TRUE(std::isnan(value));
  const auto start = journal::event_in(R"({"event":"start","net":1,"epoch":0,"lambda":0.5,"seed":3})");
  EXPECT_EQ(std::get<journal::Start>(start.value()), (journal::Start{.net = 1, .lambda = 0.5, .seed = 3}));
}

TEST(JournalLines, WhatIsNoEventIsRefused) {
  for (const char* line :
       {"",
        "{",
        "7",
        "[]",
        "null",
        "\xff\xfe",
        "{}",
        R"({"event":"epoch"})",
        R"({"event":7,"net":0,"epoch":1})",
        R"({"event":"epoch","net":0,"epoch":1,"phase":"grow"})",
        R"({"event":"epoch","net":0,"epoch":1,"phase":"wilt","hidden_units":[1]})",
        R"({"event":"epoch","net":0,"epoch":1,"phase":"grow","hidden_units":["a"]})",
        R"({"event":"epoch","net":-1,"epoch":1,"phase":"grow","hidden_units":[1]})",
        R"({"event":"epoch","net":"0","epoch":1,"phase":"grow","hidden_units":[1]})",
        R"({"event":"epoch","net":99999999999,"epoch":1,"phase":"grow","hidden_units":[1]})",
        R"({"event":"epoch","net":0,"epoch":-1,"phase":"grow","hidden_units":[1]})",
        R"({"event":"born","net":0,"epoch":2})",
        R"({"event":"died","net":0,"epoch":2,"layer":0,"unit":1})",
        R"({"event":"born","net":0,"epoch":2,"layer":99999999999,"unit":1})",
        R"({"event":"born","net":0,"epoch":2,"layer":1,"unit":4294967296})",
        R"({"event":"lengths","net":0,"epoch":2,"layer":1,"units":[1,2],"fan_in":[1],"fan_out":[1,2]})",
        R"({"event":"rewind","net":0,"epoch":2,"to_epoch":1})",
        R"({"event":"leaf","net":0,"epoch":2})"}) {
    EXPECT_FALSE(journal::event_in(line).has_value()) << line;
  }
}

/// Any event that can be written: numbers are finite, as NaN equals nothing.
rc::Gen<journal::Event> any_event() {
  using namespace journal;
  const auto count = [](std::size_t below = 1000) { return *rc::gen::inRange<std::size_t>(0, below); };
  const auto number = [] { return static_cast<double>(*rc::gen::arbitrary<int>()) / 1024; };
  const auto counts = [=] {
    return *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 999));
  };
  const auto phase = [] { return static_cast<Phase>(*rc::gen::inRange(0, 6)); };
  return rc::gen::exec([=]() -> Event {
    const std::size_t net = count(100'000);
    const std::size_t epoch = count();
    switch (*rc::gen::inRange(0, 6)) {
      case 0: {
        Start start{
            .net = net, .epoch = epoch, .lambda = number(), .seed = *rc::gen::arbitrary<std::uint64_t>()};
        start.hidden_units = counts();
        if (*rc::gen::arbitrary<bool>()) start.device = static_cast<Device>(*rc::gen::inRange(0, 2));
        if (*rc::gen::arbitrary<bool>()) start.warm_from = count();
        return start;
      }
      case 1: {
        constexpr std::array<const char*, 3> names{"angle", "angular_step", "step"};
        Epoch event{.net = net, .epoch = epoch, .phase = phase()};
        event.hidden_units = counts();
        event.step_name = names.at(*rc::gen::inRange<std::size_t>(0, 3));
        event.steps = count();
        for (double* value :
             {&event.train_loss, &event.validation_error, &event.criterion, &event.step, &event.lambda,
              &event.seconds, &event.lowest, &event.waited, &event.patience, &event.to_go})
          *value = number();
        for (std::vector<double>* values : {&event.mean_angle, &event.flips, &event.held})
          for (std::size_t i = count(3); i > 0; --i) values->push_back(number());
        if (*rc::gen::arbitrary<bool>()) event.next_phase = phase();
        return event;
      }
      case 2:
        return UnitChange{.born = *rc::gen::arbitrary<bool>(),
                          .net = net,
                          .epoch = epoch,
                          .layer = count(),
                          .unit = *rc::gen::arbitrary<std::uint32_t>()};
      case 3: {
        Lengths lengths{.net = net, .epoch = epoch, .layer = count()};
        for (std::size_t i = count(9); i > 0; --i) {
          lengths.units.push_back(*rc::gen::arbitrary<std::uint32_t>());
          lengths.fan_in.push_back(number());
          lengths.fan_out.push_back(number());
        }
        return lengths;
      }
      case 4:
        return Rewind{.net = net, .epoch = epoch, .to_epoch = count(), .phase = phase()};
      default:
        return End{.net = net, .epoch = epoch, .phase = phase()};
    }
  });
}

TEST(JournalLines, EveryEventIsReadAsItWasWritten) {
  const bool holds = rc::check([] {
    const auto events = *rc::gen::container<std::vector<journal::Event>>(any_event());
    std::string text;
    for (const journal::Event& event : events) text += line_of(event);
    std::vector<journal::Event> back;
    const bool any = journal::read(text, [&](const journal::Event& event, std::string_view line) {
      RC_ASSERT(line_of(event) == std::string(line) + "\n");
      back.push_back(event);
    });
    RC_ASSERT(any);
    RC_ASSERT(back == events);
  });
  EXPECT_TRUE(holds);
}

TEST(JournalLines, ACutOffLineLosesNothingElse) {
  const bool holds = rc::check([] {
    const journal::Event event = *any_event();
    const std::string line = line_of(event);
    const std::string cut = line.substr(0, *rc::gen::inRange<std::size_t>(0, line.size() - 2));
    std::vector<journal::Event> back;
    journal::read(line + cut, [&](const journal::Event& e, std::string_view) { back.push_back(e); });
    RC_ASSERT(back == std::vector{event});
  });
  EXPECT_TRUE(holds);
}

class JournalFile : public Folder {};

TEST_F(JournalFile, IsAppendedTo) {
  const std::string file = path("journal.jsonl");
  const journal::Start start{.net = 4, .lambda = 0.5, .device = Device::cuda, .warm_from = 2};
  Journal(file).start(start);
  for (std::size_t epoch = 1; epoch <= 2; ++epoch) Journal(file, 100).epoch(report_of(0, epoch));
  std::vector<journal::Event> events;
  EXPECT_TRUE(journal::read(read_file(file), [&](const auto& event, auto) { events.push_back(event); }));
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(std::get<journal::Start>(events[0]), start);
  const auto& last = std::get<journal::Epoch>(events[2]);
  EXPECT_EQ(last.epoch, 2U);
  EXPECT_GE(last.seconds, 100) << "seconds count on from those before";
  EXPECT_LT(last.seconds, 110);
}

TEST_F(JournalFile, IsCutWhereTheCheckpointsAre) {
  std::string text;
  for (std::size_t epoch = 1; epoch <= 4; ++epoch) {
    for (std::size_t net = 0; net < 2; ++net)
      text += lines_of(report_of(net, epoch), static_cast<double>(10 * epoch + net));
  }
  const std::string start = line_of(journal::Start{.net = 1, .lambda = 0.1});
  const std::string file = write("j", start + text + "{\"event\":\"epo");
  const JournalRest rest = truncate_journal(file, {3, 2});
  EXPECT_EQ(rest.seconds, 30);
  EXPECT_EQ(rest.started, 1U);
  std::vector<std::pair<std::size_t, std::size_t>> kept;
  journal::read(read_file(file), [&](const journal::Event& event, std::string_view) {
    std::visit([&](const auto& e) { kept.emplace_back(e.net, e.epoch); }, event);
  });
  EXPECT_THAT(kept, ElementsAre(std::pair(1, 0), std::pair(0, 1), std::pair(1, 1), std::pair(0, 2),
                                std::pair(1, 2), std::pair(0, 3)));
  EXPECT_EQ(truncate_journal(file, {0}).seconds, 0);
  EXPECT_EQ(read_file(file), "") << "net 1 is not known any more";
}

TEST_F(JournalFile, GarbageInItIsDroppedNotStumbledOver) {
  const std::string good = lines_of(report_of(0, 1), 1);
  const std::string file =
      write("j", "[1,2]\n7\n\"text\"\nnull\n{\"net\":\"x\",\"epoch\":1}\n{\"net\":0,\"epoch\":-1}\n\n" +
                     good + "\xff\xfe\n");
  EXPECT_EQ(truncate_journal(file, {5}).seconds, 1);
  EXPECT_EQ(read_file(file), good);
  EXPECT_EQ(truncate_journal(path("none"), {5}).seconds, 0);
}

}  // namespace
}  // namespace coppice
