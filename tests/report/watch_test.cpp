#include "coppice/report/table.h"
#include "coppice/report/watch_view.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

nlohmann::json config(std::size_t lambdas = 2, std::size_t seeds = 2) {
  std::vector<double> values;
  for (std::size_t i = 0; i < lambdas; ++i) values.push_back(0.5 + static_cast<double>(i));
  return {{"lambda", values},       {"seeds", seeds},       {"seed", 7},
          {"patience", 10.0},       {"fine-patience", 2.0}, {"task", "classification"},
          {"data", "/d/table.csv"}, {"target", "y"}};
}

std::string epoch(std::size_t net, std::size_t number, double error, const std::vector<std::size_t>& units,
                  const std::string& phase = "grow", double lambda = 0.5) {
  return nlohmann::json{{"event", "epoch"},          {"net", net},
                        {"epoch", number},           {"phase", phase},
                        {"validation_error", error}, {"hidden_units", units},
                        {"lambda", lambda},          {"seconds", static_cast<double>(number)}}
      .dump();
}

std::string text_of(const WatchState& state, const WatchLook& look) {
  std::string text;
  for (const StyledLine& line : watch_lines(state, "runs/x", look)) {
    text += rendered(line, look.width, false);
    text += '\n';
  }
  return text;
}

Summary summary_of(std::size_t nets, std::size_t best) {
  Summary summary;
  for (std::size_t i = 0; i < nets; ++i) {
    NetResult& net = summary.nets.emplace_back();
    net.id = i;
    net.lambda = 0.5;
    net.seed = 7 + i;
    net.hidden_units = {3, 2};
    net.parameters = 1234;
    net.validation_error = 0.25;
    net.test_error = 0.125;
    net.epochs = 5;
    net.phase = i == best ? "done" : "grow";
  }
  summary.best = best;
  summary.chosen = best;
  summary.seconds = 65;
  summary.threads = 2;
  return summary;
}

TEST(WatchState, KnowsTheNetsBeforeTheyBegin) {
  const WatchState state(config());
  ASSERT_EQ(state.nets().size(), 4U);
  EXPECT_EQ(state.nets()[3].lambda, 1.5);
  EXPECT_EQ(state.nets()[3].seed, 8U);
  EXPECT_EQ(state.running(), 0U);
  EXPECT_FALSE(state.all_ended());
}

TEST(WatchState, FoldsEpochsAndCountsPatience) {
  WatchState state(config());
  state.add(epoch(1, 1, 0.5, {10, 10}));
  state.add(epoch(1, 2, 0.4, {11, 10}));
  state.add(epoch(1, 3, 0.45, {12, 9}));
  state.add(epoch(1, 4, 0.41, {12, 8}));
  const WatchedNet& net = state.nets()[1];
  EXPECT_EQ(net.epoch, 4U);
  EXPECT_EQ(net.waited, 2U);
  EXPECT_EQ(net.lowest, 0.4);
  EXPECT_EQ(net.error, 0.41);
  EXPECT_THAT(net.units, ElementsAre(12, 8));
  EXPECT_THAT(net.sizes, ElementsAre(20, 21, 21, 20));
  EXPECT_TRUE(net.running());
  EXPECT_EQ(state.seconds(), 4);
  state.add(epoch(1, 5, 0.4, {12, 8}));
  EXPECT_EQ(net.waited, 3U) << "the same error is no improvement";
}

TEST(WatchState, ARewindBringsTheKeptStateBack) {
  WatchState state(config());
  state.add(epoch(0, 1, 0.5, {10, 10}));
  state.add(epoch(0, 2, 0.3, {9, 9}));
  state.add(epoch(0, 3, 0.6, {8, 12}));
  state.add(R"({"event":"rewind","net":0,"epoch":3,"to_epoch":2,"phase":"settle"})");
  const WatchedNet& net = state.nets()[0];
  EXPECT_EQ(net.rewinds, 1U);
  EXPECT_EQ(net.phase, "settle");
  EXPECT_EQ(net.error, 0.3);
  EXPECT_THAT(net.units, ElementsAre(9, 9));
  EXPECT_EQ(net.waited, 0U);
  state.add(epoch(0, 4, 0.4, {9, 9}, "settle"));
  EXPECT_EQ(net.waited, 1U);
  state.add(epoch(0, 5, 0.5, {8, 9}, "settle"));
  EXPECT_EQ(net.waited, 0U) << "a unit that died is a gain";
  state.add(R"({"event":"rewind","net":0,"epoch":5,"to_epoch":5,"phase":"polish"})");
  EXPECT_EQ(net.lowest, 0.5) << "of the net as it was pruned";
  state.add(epoch(0, 6, 0.45, {8, 9}, "polish", 0));
  EXPECT_EQ(net.lambda, 0.5) << "polish trains with 0, which says nothing about the net";
  state.add(R"({"event":"end","net":0,"epoch":6,"phase":"done"})");
  EXPECT_TRUE(net.ended);
  EXPECT_FALSE(state.all_ended()) << "three others";
}

TEST(WatchState, NonsenseIsPassedOver) {
  WatchState state(config(1, 1));
  for (const char* line : {"", "{", "7", "[]", "{}", R"({"event":"epoch"})", R"({"event":"epoch","net":-1})",
                           R"({"event":"epoch","net":99999999999})", R"({"event":"epoch","net":"0"})",
                           R"({"event":7,"net":0})", R"({"event":"rewind","net":0,"to_epoch":99})"}) {
    state.add(line);
  }
  EXPECT_EQ(state.nets().size(), 1U);
  EXPECT_EQ(state.nets()[0].epoch, 0U);
  state.add(R"({"event":"epoch","net":0,"epoch":3,"validation_error":null,"hidden_units":["a"]})");
  EXPECT_EQ(state.nets()[0].epoch, 3U);
  state.add(R"({"event":"epoch","net":0,"epoch":4000000000000})");
  EXPECT_LE(state.nets()[0].errors.size(), 3U);
  for (const nlohmann::json& other : {nlohmann::json(), nlohmann::json(7), nlohmann::json{{"lambda", "x"}}}) {
    EXPECT_TRUE(WatchState(other).nets().empty());
  }
}

TEST(WatchState, ANetSaysWhatItBeginsAs) {
  nlohmann::json path = config();
  path["lambda"] = nullptr;
  WatchState state(path);
  EXPECT_TRUE(state.nets().empty());
  state.add(
      R"({"event":"start","net":0,"epoch":0,"lambda":0.002,"seed":3,"hidden_units":[5,6],"device":"cuda"})");
  EXPECT_EQ(state.device(), "cuda");
  ASSERT_EQ(state.nets().size(), 1U);
  EXPECT_EQ(state.nets()[0].lambda, 0.002);
  EXPECT_EQ(state.nets()[0].seed, 3U);
  EXPECT_THAT(state.nets()[0].units, ElementsAre(5, 6));
  EXPECT_FALSE(state.nets()[0].running()) << "before its first epoch";
}

TEST(WatchState, TheLowestErrorOfAPrunedNetIsItsOwn) {
  WatchState state(config(1, 1));
  state.add(epoch(0, 1, 0.2, {9}, "settle", 0.01));
  state.add(epoch(0, 2, 0.4, {3}, "settle", 0.01));
  state.add(epoch(0, 3, 0.3, {3}, "polish", 0.01));
  EXPECT_EQ(state.nets()[0].lowest, 0.3);
}

TEST(WatchState, NetsBeyondTheConfigurationAppear) {
  WatchState state(config(1, 1));
  state.add(epoch(2, 1, 0.5, {4}, "grow", 0.01));
  ASSERT_EQ(state.nets().size(), 3U);
  EXPECT_EQ(state.nets()[2].lambda, 0.01);
  EXPECT_FALSE(state.nets()[2].seed.has_value());
  state.restart();
  EXPECT_EQ(state.nets().size(), 1U);
  EXPECT_EQ(state.nets()[0].epoch, 0U);
}

TEST(WatchView, ShowsOneLinePerNet) {
  WatchState state(config());
  for (std::size_t i = 1; i <= 5; ++i) state.add(epoch(1, i, 0.5 / static_cast<double>(i), {10 + i, 20}));
  const std::string text = text_of(state, {.width = 130});
  EXPECT_THAT(text, HasSubstr("runs/x"));
  EXPECT_THAT(text, HasSubstr("/d/table.csv · target y · 4 nets"));
  EXPECT_THAT(text, HasSubstr("training, 5.0 s"));
  EXPECT_THAT(text, HasSubstr("grow"));
  EXPECT_THAT(text, HasSubstr("15-20"));
  EXPECT_THAT(text, HasSubstr("10.00 %"));
  EXPECT_THAT(text, HasSubstr("  0/10"));
  EXPECT_THAT(text, HasSubstr("▁▃▅▆█")) << "units";
  EXPECT_EQ(std::ranges::count(text, '\n'), 4 + 4);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(WatchView, CurvesHaveTheColoursOfTheirPhases) {
  WatchState state(config(1, 1));
  for (std::size_t i = 1; i <= 4; ++i) state.add(epoch(0, i, 0.4, {i}));
  for (std::size_t i = 5; i <= 6; ++i) state.add(epoch(0, i, 0.4, {8}, "settle"));
  const std::string row = rendered(watch_lines(state, "x", {.width = 120})[4], 120, true);
  EXPECT_THAT(row, HasSubstr("\x1b[32m▁▂▃▄\x1b[0m\x1b[33m██\x1b[0m")) << row;
}

TEST(WatchView, NoLineIsWiderAndNoMoreLinesThanTheTerminal) {
  WatchState state(config(10, 3));
  for (std::size_t net = 0; net < 30; ++net) {
    for (std::size_t i = 1; i <= 50; ++i) state.add(epoch(net, i, 0.3, {100, 100, 100, 100}));
    if (net % 3 == 0) state.add(fmt::format(R"({{"event":"end","net":{},"epoch":50,"phase":"done"}})", net));
  }
  for (const bool finished : {false, true}) {
    if (finished) state.finish(summary_of(30, 29));
    for (std::size_t width = 1; width < 150; width += 7) {
      for (std::size_t height = 1; height < 40; height += 3) {
        const WatchLook look{.width = width, .height = height, .silence = 0, .keys = true};
        const std::vector<StyledLine> lines = watch_lines(state, "runs/x", look);
        ASSERT_LE(lines.size(), height);
        for (const StyledLine& line : lines) ASSERT_LE(display_width(rendered(line, width, false)), width);
      }
    }
  }
}

TEST(WatchView, SaysHowManyNetsAreHidden) {
  WatchState state(config(5, 2));
  for (std::size_t net = 0; net < 6; ++net) state.add(epoch(net, 1, 0.3, {9}));
  state.add(R"({"event":"end","net":0,"epoch":1,"phase":"done"})");
  const std::string text = text_of(state, {.width = 100, .height = 9});
  EXPECT_THAT(text, HasSubstr("6 more nets not shown: 1 training, 4 waiting, 1 ended")) << text;
  EXPECT_THAT(text_of(state, {.width = 100, .height = 14}), Not(HasSubstr("not shown")));
}

TEST(WatchView, AFinishedRunShowsTheTableAndTheNetToUse) {
  WatchState state(config(1, 3));
  for (std::size_t net = 0; net < 3; ++net) state.add(epoch(net, 1, 0.3, {9}));
  state.finish(summary_of(3, 1));
  const std::string text = text_of(state, {.width = 120});
  EXPECT_THAT(text, HasSubstr("finished, trained 1 min 05 s"));
  EXPECT_THAT(text, HasSubstr("cpu, 2 threads"));
  EXPECT_THAT(text, HasSubstr("\n▶    1     0.5     8  3-2"));
  EXPECT_THAT(text, HasSubstr("25.00 %"));
  EXPECT_THAT(text, HasSubstr("12.50 %"));
  EXPECT_THAT(text, HasSubstr("1234"));
  EXPECT_THAT(text, HasSubstr("stopped in grow"));
  EXPECT_THAT(text, HasSubstr("runs/x/model.coppice"));
  Summary none = summary_of(3, 1);
  none.chosen.reset();
  state.finish(none);
  const std::string nothing = text_of(state, {.width = 120});
  EXPECT_THAT(nothing, HasSubstr("no net fits the budget"));
  EXPECT_THAT(nothing, Not(HasSubstr("▶")));
}

TEST(WatchView, RegressionErrorsAreNoPercentages) {
  nlohmann::json settings = config(1, 1);
  settings["task"] = "regression";
  WatchState state(settings);
  state.add(epoch(0, 1, 0.0123456, {9}));
  EXPECT_THAT(text_of(state, {.width = 100}), HasSubstr("0.01235"));
}

TEST(WatchView, SilenceIsSaid) {
  WatchState state(config(1, 1));
  EXPECT_THAT(text_of(state, {.width = 100}), HasSubstr("waiting for the first epoch"));
  state.add(epoch(0, 1, 0.1, {9}));
  EXPECT_THAT(text_of(state, {.width = 100, .height = 0, .silence = 125}),
              HasSubstr("no news for 2 min 05 s"));
}

}  // namespace
}  // namespace coppice
