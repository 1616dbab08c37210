#include "experiments/plot.h"

#include <cmath>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice::experiments {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// One unit of either axis is one of the picture's.
Plot plain_plot() {
  const NumberText nothing = [](double) { return ""; };
  Plot plot(72, 168, {.low = 0, .high = 1}, {.low = 0, .high = 100},
            {.picture = "", .x = "", .y = "", .x_text = nothing, .y_text = nothing});
  plot.x = {.low = 0, .high = 1, .from = 0, .to = 1};
  plot.y = plot.x;
  return plot;
}

TEST(PlottedCurve, BreaksWhereNothingIsKnown) {
  Plot plot = plain_plot();
  plot.curve({.x = {0, 1, 2, 3}, .y = {0, 1, std::nan(""), 2}}, "a");
  EXPECT_THAT(plot.svg.str(), HasSubstr("d=\"M0 0L1 1M3 2\""));
}

TEST(PlottedCurve, OfNoPointsIsNotDrawn) {
  Plot plot = plain_plot();
  plot.curve({}, "a");
  EXPECT_THAT(plot.svg.str(), Not(HasSubstr("<path")));
}

}  // namespace
}  // namespace coppice::experiments
