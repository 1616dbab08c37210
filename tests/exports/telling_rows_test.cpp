#include "coppice/exports/telling_rows.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;

/// One net of the inputs 0 and 2: hidden units x0 - x2 and x0 + x2 - 10, then relu of their sum, then an output.
LoweredModel two_hidden_layers() {
  DenseLayer first{.weights = Matrix<float>(2, 2), .bias = {0, -10}, .activation = Activation::relu};
  first.weights(0, 0) = first.weights(1, 0) = first.weights(1, 1) = 1;
  first.weights(0, 1) = -1;
  DenseLayer second{.weights = Matrix<float>(1, 2), .bias = {0}, .activation = Activation::relu};
  second.weights(0, 0) = second.weights(0, 1) = 1;
  DenseLayer last{.weights = Matrix<float>(1, 1), .bias = {0}};
  LoweredModel model;
  model.nets.push_back({.inputs = {0, 2}, .layers = {first, second, last}});
  return model;
}

/// Three inputs that never leave 0 to 1.
Matrix<float> rows_within(std::size_t count) {
  Matrix<float> rows(count, 3);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < 3; ++i)
      rows(row, i) = static_cast<float>(0.5 + 0.5 * std::sin(static_cast<double>(7 * row + i)));
  }
  return rows;
}

TEST(TellingRows, AreAllIfTheyAreFew) {
  EXPECT_THAT(telling_rows(two_hidden_layers(), rows_within(4), 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(telling_rows(two_hidden_layers(), rows_within(3), 4), ElementsAre(0, 1, 2));
}

TEST(TellingRows, AreSomeAndThoseAtTheEnds) {
  Matrix<float> rows = rows_within(3000);  // more than are looked at together
  rows(1501, 0) = 9;                       // the largest x0, and x0 - x2
  rows(1603, 2) = -2;                      // the least x2
  rows(2777, 0) = 8, rows(2777, 2) = 8;    // the largest x2, x0 + x2 - 10
  rows(2901, 0) = -1, rows(2901, 1) = 70;  // the least x0; nothing looks at x1
  rows(2903, 1) = 90;
  const std::vector<std::size_t> chosen = telling_rows(two_hidden_layers(), rows, 10);
  EXPECT_THAT(chosen, IsSupersetOf({0, 300, 600, 900, 1200, 1500, 1800, 2100, 2400, 2700}));
  EXPECT_THAT(chosen, IsSupersetOf({1501, 1603, 2777, 2901}));
  EXPECT_THAT(chosen, ::testing::Not(::testing::Contains(2903)));
  EXPECT_THAT(chosen, SizeIs(::testing::Le(10U + 2 * (2 + 2 + 1))));
  EXPECT_TRUE(std::ranges::is_sorted(chosen));
  EXPECT_EQ(std::ranges::adjacent_find(chosen), chosen.end());
}

TEST(TellingRows, LookAtDeeperUnitsToo) {
  Matrix<float> rows = rows_within(3000);
  rows(1001, 0) = 20, rows(1001, 2) = 25;    // the largest x0, x2 and x0 + x2 - 10: the second layer says 35
  rows(2001, 0) = 5, rows(2001, 2) = -19;    // the least x2, and the largest x0 - x2: 36
  rows(2201, 0) = 19.5F, rows(2201, 2) = 2;  // 17.5 and 11.5, at no end: 37.75, which is one
  LoweredModel model = two_hidden_layers();
  model.nets.front().layers[1].weights(0, 0) = 1.5F;
  EXPECT_THAT(telling_rows(model, rows, 10), IsSupersetOf({1001, 2001, 2201}));
}

}  // namespace
}  // namespace coppice
