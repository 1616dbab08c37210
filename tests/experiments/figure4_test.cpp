#include "experiments/figure4.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>

namespace coppice::experiments {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A run of two layers in which a unit comes in every epoch of the first half and stays, lengths every ten epochs.
NetHistory long_history(std::size_t epochs) {
  NetHistory history;
  for (std::size_t epoch = 1; epoch <= epochs; ++epoch) {
    const double noise = 1 + 0.2 * std::sin(static_cast<double>(epoch * epoch));
    const std::size_t born = std::min(epoch, epochs / 2);
    journal::Epoch trained;
    trained.epoch = epoch;
    trained.train_loss = 0.3 * noise;
    trained.validation_error = 0.02 * noise;
    trained.hidden_units = {10 + born, 10 + born};
    history.epochs.push_back(std::move(trained));
    for (const std::size_t layer : {0, 1}) {
      if (epoch <= epochs / 2) history.lives.born(layer, 9 + epoch, epoch);
      if (epoch == 1) history.lives.first_widths({11, 11});
      if (epoch % 10 != 0) continue;
      LengthsRow row{.epoch = epoch, .layer = layer, .units = {}, .fan_in = {}, .fan_out = {}};
      for (std::size_t unit = 0; unit < 10 + born; ++unit) {
        row.units.push_back(static_cast<std::uint32_t>(unit));
        row.fan_in.push_back(noise / 3);
        row.fan_out.push_back(noise);
      }
      history.lengths.push_back(row);
    }
  }
  history.lives.close(epochs);
  return history;
}

TEST(Figure4, TheFileHasTheShapeOfEveryCurveInFewPoints) {
  Figure4 figure;
  figure.epochs = 1000;
  figure.run.history = long_history(2000);
  figure.sgd = {.label = "SGD", .colour = "red", .history = long_history(1000)};
  figure.rmsprop = {.label = "RMSprop, step 0.01", .colour = "blue", .history = long_history(1000)};
  std::map<std::string, std::vector<std::size_t>> epochs;
  for (const auto& row : draw_figure4(figure).rows) {
    if (row[0] == "D" || row[0] == "panel") continue;
    epochs[row[0] + " " + row[1]].push_back(std::stoul(row[2]));
    EXPECT_LE(row[3].size(), 7U) << row[3];
  }
  for (const char* curve :
       {"A SGD", "A RMSprop", "B nonparametric", "C first layer", "E fan-in 0", "F fan-out 509"})
    EXPECT_TRUE(epochs.contains(curve)) << curve;
  for (const auto& [curve, kept] : epochs) {
    EXPECT_LE(kept.size(), 120U) << curve;
    EXPECT_TRUE(std::ranges::is_sorted(kept)) << curve;
  }
  EXPECT_LE(epochs["E fan-in 0"].size(), 30U);
  EXPECT_EQ(epochs["A nonparametric"].front(), 1U);
  EXPECT_EQ(epochs["A nonparametric"].back(), 2000U);
  EXPECT_EQ(epochs["F fan-out 509"].front(), 500U);
  EXPECT_EQ(epochs["F fan-out 509"].back(), 2000U);
}

TEST(Figure4, LivesAreCountedByTheirBirth) {
  std::vector<Life> lives;
  for (std::size_t born = 1; born <= 100; ++born)
    lives.push_back(
        {.unit = born, .born = born, .end = born + 10, .fate = born <= 15 ? Fate::survived : Fate::died});
  const LifeMeasures measures = measures_of(lives, 100, 12);
  EXPECT_EQ(measures.early_born, 20);
  EXPECT_EQ(measures.early_stayed, 15);
  EXPECT_EQ(measures.late_born, 20);
  EXPECT_EQ(measures.late_stayed, 0);
  EXPECT_EQ(measures.died, 85);
  EXPECT_EQ(measures.not_soon, 85) << "10 is more than three quarters of 12";
  EXPECT_EQ(measures_of(lives, 100, 8).not_late, 0) << "10 is five quarters of 8";
  EXPECT_EQ(measures.median_lifetime, 10);
  EXPECT_EQ(epochs_lived(lives, Fate::died), std::vector<double>(85, 10));
}

constexpr std::size_t growing = 100;
constexpr std::size_t lifetime = 10;

/// A unit per epoch in each of two layers; those that came until `last_to_stay` stay, but for the first, others die after
/// so many epochs.
Lives lives_of(std::size_t last_to_stay, std::size_t epochs_to_live) {
  Lives lives;
  for (std::size_t epoch = 1; epoch <= 2 * growing; ++epoch) {
    for (const std::size_t layer : {0, 1}) {
      if (epoch <= growing) lives.born(layer, epoch, epoch);
      const bool dies = epoch == 1 + epochs_to_live ||
                        (epoch > last_to_stay + epochs_to_live && epoch <= growing + epochs_to_live);
      if (dies) lives.died(layer, epoch - epochs_to_live, epoch);
    }
  }
  lives.close(2 * growing);
  return lives;
}

/// `error` and `units` of an epoch.
template <class Error, class Units>
NetHistory history_of(std::size_t epochs, double loss, const Error& error, const Units& units) {
  NetHistory history;
  for (std::size_t epoch = 1; epoch <= epochs; ++epoch) {
    journal::Epoch trained;
    trained.epoch = epoch;
    trained.train_loss = loss;
    trained.validation_error = error(epoch);
    trained.hidden_units = {units(epoch), units(epoch)};
    history.epochs.push_back(std::move(trained));
  }
  return history;
}

std::size_t no_units(std::size_t) {
  return 5;
}

/// Units while a net grows by one per epoch; `lost` of them are gone soon after.
auto growing_units(std::size_t lost) {
  return [lost](std::size_t epoch) { return epoch <= growing ? epoch + lost : growing; };
}

double slowly_better(std::size_t epoch) {
  return 0.02 + 0.1 / static_cast<double>(epoch);
}
double soon_good(std::size_t epoch) {
  return epoch < 5 ? 0.1 : 0.02;
}
double at_last_worse(std::size_t epoch) {
  return epoch < 5 ? 0.1 : 0.02 + 1e-5 * static_cast<double>(epoch);
}

/// A figure for which the paper is right in everything.
Figure4 ideal() {
  Figure4 figure{.training_rows = 50'000,
                 .validation_rows = 10'000,
                 .output_lengths = {3.5, 4.5},
                 .epochs = growing,
                 .lifetime = lifetime};
  figure.run.history = history_of(2 * growing, 0.1, slowly_better, growing_units(lifetime));
  figure.run.history.lives = lives_of(20, lifetime);
  figure.run.history.lengths = {{.epoch = 9, .layer = 0, .units = {1}, .fan_in = {0.9}, .fan_out = {1}},
                                {.epoch = 10, .layer = 0, .units = {1}, .fan_in = {0.3}, .fan_out = {1}},
                                {.epoch = 10, .layer = 1, .units = {1}, .fan_in = {0.9}, .fan_out = {1}}};
  figure.run.mistakes = 30;
  figure.sgd.history = history_of(growing, 1e-4, soon_good, no_units);
  figure.rmsprop.history = history_of(growing, 1e-6, at_last_worse, no_units);
  return figure;
}

/// The claims that do not hold, of as many such runs.
std::vector<std::string> broken(const Figure4& figure, std::size_t seeds = 1) {
  std::vector<std::string> texts;
  for (const Claim& claim : figure4_claims(std::vector<RunMeasures>(seeds, measures_of(figure)), lifetime))
    if (claim.judged.verdict == Verdict::fails) texts.push_back(claim.text);
  return texts;
}
std::vector<std::string> broken_5(const Figure4& figure) {
  std::vector<std::string> texts;
  for (const Claim& claim : figure5_claims({measures_of(figure)}, lifetime))
    if (claim.judged.verdict == Verdict::fails) texts.push_back(claim.text);
  return texts;
}
/// Those that nothing is said about.
std::vector<std::string> undecided(const std::vector<RunMeasures>& runs) {
  std::vector<std::string> texts;
  for (const Claim& claim : figure4_claims(runs, lifetime))
    if (claim.judged.verdict == Verdict::undecided) texts.push_back(claim.text);
  return texts;
}

TEST(Figure4Claims, AllHoldOfTenIdealRuns) {
  const std::vector<RunMeasures> runs(10, measures_of(ideal()));
  EXPECT_THAT(broken(ideal(), 10), IsEmpty());
  EXPECT_THAT(undecided(runs), IsEmpty());
  EXPECT_EQ(figure4_claims(runs, lifetime).size(), 14U);
  for (const Claim& claim : figure5_claims(runs, lifetime)) EXPECT_EQ(claim.judged.verdict, Verdict::holds);
}

/// What differs by a few of the validation rows is not shown by one run, nor by three.
TEST(Figure4Claims, FewRunsDecideLess) {
  EXPECT_THAT(undecided({measures_of(ideal())}),
              ElementsAre(HasSubstr("goes on improving"), HasSubstr("slightly increasing")));
  EXPECT_GT(undecided(std::vector<RunMeasures>(3, measures_of(ideal()))).size(), 8U);
}

TEST(Figure4Claims, WhatWasNotStoredDecidesNothing) {
  RunMeasures run = measures_of(ideal());
  run.rmsprop_early_error = std::nan("");
  EXPECT_THAT(undecided({run}), Contains(HasSubstr("slightly increasing")));
}

/// Each is broken alone by what contradicts it.
TEST(Figure4Claims, AboutTheCurves) {
  Figure4 figure = ideal();
  figure.run.history = history_of(
      2 * growing, 0.1,
      [](std::size_t epoch) { return epoch < 5 ? 0.1 : 0.02 + 1e-5 * static_cast<double>(epoch); },
      growing_units(lifetime));
  figure.run.history.lives = ideal().run.history.lives;
  figure.run.history.lengths = ideal().run.history.lengths;
  EXPECT_THAT(broken(figure, 10),
              ElementsAre(HasSubstr("A: parametric nets reach"), HasSubstr("goes on improving")));

  figure = ideal();
  figure.rmsprop.history = history_of(growing, 1e-6, slowly_better, no_units);
  EXPECT_THAT(broken(figure, 10), Contains(HasSubstr("slightly increasing")));

  for (NetWithHistory Figure4::*net : {&Figure4::sgd, &Figure4::rmsprop}) {
    figure = ideal();
    (figure.*net).history.epochs.back().train_loss = 0.011;
    EXPECT_THAT(broken(figure), Contains(HasSubstr("ten times higher")));
    EXPECT_THAT(broken(figure), Contains(HasSubstr(net == &Figure4::sgd ? "about 1e-4" : "about 1e-6")));
    (figure.*net).history.epochs.back().train_loss = 9e-8;
    EXPECT_THAT(broken(figure), ElementsAre(HasSubstr(net == &Figure4::sgd ? "about 1e-4" : "about 1e-6")))
        << "too low";
    figure = ideal();
    (figure.*net).mistakes = 1;
    EXPECT_THAT(broken(figure), ElementsAre(HasSubstr("make no mistake")));
  }
  for (const std::size_t wrong : {14, 61}) {
    figure = ideal();
    figure.run.mistakes = wrong;
    EXPECT_THAT(broken(figure), ElementsAre(HasSubstr("make no mistake"))) << wrong;
  }
}

TEST(Figure4Claims, AboutUnits) {
  Figure4 figure = ideal();
  figure.run.history.lives = lives_of(0, 6);  // the first dies in epoch 7; none stays
  EXPECT_THAT(broken(figure),
              ElementsAre(HasSubstr("no unit is eliminated"), HasSubstr("gone after about 10")));
  EXPECT_EQ(broken_5(figure).size(), 1U);

  figure = ideal();
  figure.run.history.lives = lives_of(20, 13);  // more than a quarter late
  EXPECT_THAT(broken(figure), Contains(HasSubstr("gone after about 10 epochs")));
  EXPECT_THAT(broken_5(figure), ElementsAre(HasSubstr("gone after about 10 epochs")));

  RunMeasures measures = measures_of(ideal());
  EXPECT_EQ(measures.first_death, 11) << "that of epoch 1, ten epochs later";
  for (const auto& [epoch, verdict] : {std::pair(7.9, Verdict::fails), std::pair(8.0, Verdict::holds),
                                       std::pair(12.0, Verdict::holds), std::pair(12.1, Verdict::fails)}) {
    measures.first_death = epoch;
    EXPECT_EQ(figure4_claims({measures}, lifetime)[7].judged.verdict, verdict) << epoch;
  }
  measures = measures_of(ideal());
  std::swap(measures.first.early_stayed, measures.first.late_stayed);
  EXPECT_EQ(figure4_claims({measures}, lifetime)[9].judged.verdict, Verdict::fails);

  for (const std::size_t lost : {6, 14}) {
    figure = ideal();
    const NetHistory before = figure.run.history;
    figure.run.history = history_of(2 * growing, 0.1, slowly_better, growing_units(lost));
    figure.run.history.lives = before.lives;
    figure.run.history.lengths = before.lengths;
    EXPECT_THAT(broken(figure), Contains(HasSubstr("each layer loses about 10"))) << lost;
  }
}

TEST(Figure4Claims, AboutLengths) {
  Figure4 figure = ideal();
  figure.run.history.lengths[1].fan_in = {0.5};
  EXPECT_THAT(broken(figure), ElementsAre(HasSubstr("much shorter than 1")));
  figure = ideal();
  figure.output_lengths = {1, 4};
  EXPECT_THAT(broken(figure), ElementsAre(HasSubstr("between 3.5 and 4.5"), HasSubstr("longer than 1")));
  figure.output_lengths = {3, 4};
  EXPECT_THAT(broken(figure), ElementsAre(HasSubstr("between 3.5 and 4.5")));
  figure.output_lengths = {4, 5};
  EXPECT_THAT(broken(figure), ElementsAre(HasSubstr("between 3.5 and 4.5")));
}

TEST(Figure4, StraightnessIsTheSquareOfTheCorrelation) {
  EXPECT_DOUBLE_EQ(straightness({1, 2, 3, 4}, {1, 0.7, 0.4, 0.1}), 1);
  EXPECT_NEAR(straightness({1, 2, 3}, {0, 1, 0}), 0, 1e-12);
  EXPECT_TRUE(std::isnan(straightness({1, 2}, {1, 0}))) << "two points always lie in a line";
  EXPECT_TRUE(std::isnan(straightness({1, 2, 3}, {1, 1, 1})));
}

TEST(Figure4Claims, AboutDeviationsAndFading) {
  const auto verdicts = [](const Figure4& figure) {
    std::map<std::string, Verdict> found;
    for (const Claim& claim : figure4_claims(std::vector<RunMeasures>(20, measures_of(figure)), lifetime)) {
      if (claim.text.starts_with("E and F")) found["fading"] = claim.judged.verdict;
      if (claim.text.find("deviations below 1 (here: CapNorm") != std::string::npos)
        found["deviations"] = claim.judged.verdict;
    }
    return found;
  };
  Figure4 figure = ideal();
  EXPECT_TRUE(verdicts(figure).empty()) << "pages that do not tell of it claim nothing";
  // Unit 50 comes in epoch 50 and dies in epoch 60.
  const auto lengths = [&](std::vector<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      figure.run.history.lengths.push_back(
          {.epoch = 51 + i, .layer = 0, .units = {50}, .fan_in = {values[i]}, .fan_out = {1}});
  };
  lengths({0.9, 0.7, 0.5, 0.3});
  figure.not_divided = {0.1, 0.8};
  EXPECT_EQ(verdicts(figure)["fading"], Verdict::holds);
  EXPECT_EQ(verdicts(figure)["deviations"], Verdict::holds);
  figure = ideal();
  lengths({0.9, 0.9, 0.2, 0.3});
  figure.not_divided = {0.9, 0.2};
  EXPECT_EQ(verdicts(figure)["fading"], Verdict::fails);
  EXPECT_EQ(verdicts(figure)["deviations"], Verdict::fails);
}

TEST(Figure4, WhatClaimsAreJudgedByIsReadAsItWasWritten) {
  std::vector<RunMeasures> runs(2, measures_of(ideal()));
  runs[1].seed = 1;
  runs[1].rmsprop_loss = 3e-7;
  const StoredEntry stored{.rows = curve_names + measure_rows(runs)};
  const std::vector<RunMeasures> read = stored_measures(stored);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(measure_rows(read), measure_rows(runs));
  EXPECT_EQ(read[1].rmsprop_loss, 3e-7);
  EXPECT_EQ(read[1].second.early_born, runs[1].second.early_born);
  EXPECT_EQ(measure_rows(runs, true).size(), 2U * 16) << "of lives alone";
}

TEST(Figure5, HasABarPerUnitOfTheSecondLayer) {
  Figure4 figure = ideal();
  const Drawn drawn = draw_figure5(figure);
  EXPECT_EQ(drawn.rows.size(), 1 + growing);
  EXPECT_EQ(drawn.rows[2], (Cells{"lives", "there at the end", "2", "198"}));
  EXPECT_EQ(drawn.rows.back(), (Cells{"lives", "eliminated", "100", "10"}));
}

}  // namespace
}  // namespace coppice::experiments
