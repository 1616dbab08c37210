#include "coppice/reproduce/figure4.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace coppice::reproduce {
namespace {

/// A run of two layers in which a unit comes in every epoch of the first half and stays, lengths every ten epochs.
NetHistory long_history(std::size_t epochs) {
  NetHistory history;
  for (std::size_t epoch = 1; epoch <= epochs; ++epoch) {
    const double noise = 1 + 0.2 * std::sin(static_cast<double>(epoch * epoch));
    const std::size_t born = std::min(epoch, epochs / 2);
    history.epochs.push_back({epoch, "grow", 0.3 * noise, 0.02 * noise, {10 + born, 10 + born}});
    for (const std::size_t layer : {0, 1}) {
      if (epoch <= epochs / 2) history.lives.born(layer, 9 + epoch, epoch);
      if (epoch == 1) history.lives.first_widths({11, 11});
      if (epoch % 10 != 0) continue;
      LengthsRow row{.epoch = epoch, .layer = layer, .units = {}, .fan_in = {}, .fan_out = {}};
      for (std::size_t unit = 0; unit < 10 + born; ++unit) {
        row.units.push_back(unit);
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
  figure.sgd = {.label = "SGD", .colour = "red", .nets = {}, .history = long_history(1000)};
  figure.rmsprop = {
      .label = "RMSprop, step 0.01", .colour = "blue", .nets = {}, .history = long_history(1000)};
  std::map<std::string, std::vector<std::size_t>> epochs;
  for (const auto& row : draw_figure4(figure).rows) {
    if (row[0] == "D") continue;
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

}  // namespace
}  // namespace coppice::reproduce
