#include "cli/terminal/watch_view.h"

#include "cli/terminal/table.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

nlohmann::json config(std::size_t lambdas = 2, std::size_t seeds = 2) {
  std::vector<double> values;
  for (std::size_t i = 0; i < lambdas; ++i) values.push_back(0.5 + static_cast<double>(i));
  return {{"lambda", values},         {"seeds", seeds},         {"seed", 7},
          {"task", "classification"}, {"data", "/d/table.csv"}, {"target", "y"}};
}

journal::Epoch epoch(std::size_t net, std::size_t number, double error, const std::vector<std::size_t>& units,
                     Phase phase = Phase::grow) {
  return {.net = net,
          .epoch = number,
          .phase = phase,
          .validation_error = error,
          .hidden_units = units,
          .lambda = 0.5,
          .seconds = static_cast<double>(number),
          .waited = 3,
          .patience = 8,
          .to_go = 20};
}

journal::End done(std::size_t net, std::size_t number) {
  return {.net = net, .epoch = number, .phase = Phase::done};
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

TEST(WatchView, ShowsOneLinePerNet) {
  WatchState state(config());
  for (std::size_t i = 1; i <= 5; ++i) state.add(epoch(1, i, 0.5 / static_cast<double>(i), {10 + i, 20}));
  const std::string text = text_of(state, {.width = 130});
  EXPECT_THAT(text, HasSubstr("runs/x"));
  EXPECT_THAT(text, HasSubstr("/d/table.csv · target y · 4 nets"));
  EXPECT_THAT(text, HasSubstr("training, 5.0 s, at least 1 min 35 s to go"));
  EXPECT_THAT(text, HasSubstr("grow"));
  EXPECT_THAT(text, HasSubstr("15-20"));
  EXPECT_THAT(text, HasSubstr("10.00 %"));
  EXPECT_THAT(text, HasSubstr("██░░░░   3/8"));
  EXPECT_THAT(text, HasSubstr("▁▃▅▆█")) << "units";
  EXPECT_EQ(std::ranges::count(text, '\n'), 4 + 4);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(WatchView, CurvesHaveTheColoursOfTheirPhases) {
  WatchState state(config(1, 1));
  for (std::size_t i = 1; i <= 4; ++i) state.add(epoch(0, i, 0.4, {i}));
  for (std::size_t i = 5; i <= 6; ++i) state.add(epoch(0, i, 0.4, {8}, Phase::settle));
  const std::string row = rendered(watch_lines(state, "x", {.width = 120})[4], 120, true);
  EXPECT_THAT(row, HasSubstr("\x1b[32m▁▂▃▄\x1b[0m\x1b[33m██\x1b[0m")) << row;
}

TEST(WatchView, NoLineIsWiderAndNoMoreLinesThanTheTerminal) {
  WatchState state(config(10, 3));
  for (std::size_t net = 0; net < 30; ++net) {
    for (std::size_t i = 1; i <= 50; ++i) state.add(epoch(net, i, 0.3, {100, 100, 100, 100}));
    if (net % 3 == 0) state.add(done(net, 50));
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
  state.add(done(0, 1));
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

TEST(WatchView, PatienceIsLeftBlankWhereItIsNotKnown) {
  WatchState state(config(1, 1));
  journal::Epoch older = epoch(0, 1, 0.3, {9});
  older.waited = older.patience = older.to_go = journal::unknown;
  state.add(older);
  const std::string text = text_of(state, {.width = 120});
  EXPECT_THAT(text, Not(HasSubstr("░")));
  EXPECT_THAT(text, Not(HasSubstr("to go")));
  journal::Epoch half = epoch(0, 2, 0.3, {9}, Phase::anneal);
  half.waited = 0.25;
  half.patience = 0.5;
  state.add(half);
  EXPECT_THAT(text_of(state, {.width = 120}), HasSubstr("███░░░ 0.25/0.5"));
}

TEST(WatchView, ANetThatALimitStoppedSaysSo) {
  WatchState state(config(1, 2));
  state.add(epoch(0, 1, 0.3, {9}));
  state.add(journal::End{.net = 0, .epoch = 1, .phase = Phase::settle});
  EXPECT_THAT(text_of(state, {.width = 120}), HasSubstr("stopped"));
  EXPECT_THAT(text_of(state, {.width = 120}), HasSubstr("waiting"));
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
}  // namespace coppice::cli
