#include "coppice/exports/steep_inputs.h"

#include "coppice/exports/quantized.h"

#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

constexpr std::size_t rows = 400;

/// Two nets of one unit each over inputs whose weights are given; only the second takes the last input.
LoweredModel two_nets(std::initializer_list<float> weights) {
  LoweredModel model;
  model.inputs.resize(weights.size());
  for (const std::size_t taken : {weights.size() - 1, weights.size()}) {
    LoweredNet net;
    DenseLayer layer{.weights = Matrix<float>(1, taken), .bias = {0.0F}};
    for (std::size_t i = 0; i < taken; ++i) {
      net.inputs.push_back(static_cast<std::uint32_t>(i));
      layer.weights(0, i) = weights.begin()[i];
    }
    net.layers.push_back(std::move(layer));
    model.nets.push_back(std::move(net));
  }
  return model;
}

/// The first input is at most 9 of 960 levels, as a bin is in which nearly no range lies; the others take all of theirs.
Matrix<float> flat_and_full(std::size_t inputs) {
  Matrix<float> levels(rows, inputs);
  for (std::size_t row = 0; row < rows; ++row) {
    levels(row, 0) = static_cast<float>(row % 10);
    for (std::size_t i = 1; i < inputs; ++i) levels(row, i) = static_cast<float>((row * (2 * i + 5)) % 961);
  }
  return levels;
}

TEST(SteepInputs, AreThoseWithLargeWeightsThatHardlyVary) {
  const auto found = steep_inputs(two_nets({-100.0F, 1.0F, 0.5F}), flat_and_full(3), top_wide_level);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].input, 0);
  EXPECT_EQ(found[0].shift, most_shift_of_levels) << "100 / 2^6 is as large as the next weight";
}

TEST(SteepInputs, AreMadeNoSteeperThanTheNextWeightAsks) {
  const auto found = steep_inputs(two_nets({5.0F, -1.0F, 0.5F}), flat_and_full(3), top_wide_level);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].input, 0);
  EXPECT_EQ(found[0].shift, 3) << "5 / 2^3 is the first below 1";
}

TEST(SteepInputs, AreMadeSteepWhileThatPays) {
  // Both vary alike. Off by, of the unit: 2, 1.25, 1.06, 1.02, 1.004 times its variance; of the other net's unit: 1.
  Matrix<float> levels(961, 2);
  for (std::size_t row = 0; row < levels.rows(); ++row) {
    levels(row, 0) = static_cast<float>(row);
    levels(row, 1) = static_cast<float>(row * 31 % 961);
  }
  const auto found = steep_inputs(two_nets({1.0F, -100.0F}), levels, top_wide_level);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].input, 1);
  EXPECT_EQ(found[0].shift, 3) << "the next time would save less than a hundredth";
}

TEST(SteepInputs, AreNoneWhereWeightsAreAlike) {
  EXPECT_TRUE(steep_inputs(two_nets({1.0F, -1.0F, 0.5F}), flat_and_full(3), top_wide_level).empty());
}

TEST(SteepInputs, AreNoneWhereTheirLevelsVaryMost) {
  // With half the weight and twice the levels, rounding puts the sum off by as much.
  EXPECT_TRUE(steep_inputs(two_nets({1.0F, -100.0F}), flat_and_full(2), top_wide_level).empty());
}

TEST(SteepInputs, OfAUnitThatNeverVariesAreNone) {
  Matrix<float> levels(rows, 3);
  for (std::size_t row = 0; row < rows; ++row) levels(row, 0) = 3.0F;
  EXPECT_TRUE(steep_inputs(two_nets({100.0F, 1.0F, 0.5F}), levels, top_wide_level).empty());
}

/// Each input but the first, which alone varies much, has this weight in a unit of its own.
std::vector<SteepInput> steep_in_units_of_their_own(std::size_t inputs, float weight) {
  LoweredModel model;
  model.inputs.resize(inputs);
  Matrix<float> levels(rows, inputs);
  LoweredNet net;
  DenseLayer layer{.weights = Matrix<float>(inputs - 1, inputs), .bias = std::vector<float>(inputs - 1)};
  for (std::size_t i = 0; i < inputs; ++i) {
    net.inputs.push_back(static_cast<std::uint32_t>(i));
    for (std::size_t row = 0; row < rows; ++row)
      levels(row, i) = static_cast<float>(i == 0 ? row % 961 : (row * (i + 3)) % 7 / 6);
  }
  for (std::size_t j = 0; j + 1 < inputs; ++j) {
    layer.weights(j, 0) = 1.0F;
    layer.weights(j, j + 1) = weight;
  }
  net.layers.push_back(std::move(layer));
  model.nets.push_back(std::move(net));
  return steep_inputs(model, levels, top_wide_level);
}

TEST(SteepInputs, AreFew) {
  EXPECT_EQ(steep_in_units_of_their_own(20, 1.9F).size(), most_steep(20));
}

TEST(SteepInputs, LeaveSumsWithinTheirBits) {
  // Beside 8790 inputs of 960 levels there is room for 16 times as many of one.
  constexpr std::size_t inputs = 8790;
  ASSERT_TRUE(fits_sums(1, (inputs + 15) * top_wide_level));
  ASSERT_FALSE(fits_sums(1, (inputs + 31) * top_wide_level));
  LoweredModel model = two_nets({-100.0F, 1.0F, 0.5F});
  model.inputs.resize(inputs);
  const auto found = steep_inputs(model, flat_and_full(inputs), top_wide_level);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].shift, 4);
}

}  // namespace
}  // namespace coppice
