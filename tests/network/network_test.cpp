#include "coppice/network/network.h"

#include "tests/network/fixture.h"

#include <cmath>

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(Network, SizesAndIds) {
  const Network<float> network = make_network<float>({.inputs = 7, .outputs = 3, .hidden = {5, 4}}, 1);
  EXPECT_EQ(network.inputs(), 7U);
  EXPECT_EQ(network.outputs(), 3U);
  EXPECT_EQ(network.hidden_units(), (std::vector<std::size_t>{5, 4}));
  EXPECT_EQ(network.parameters(), 7U * 5 + 5U * 4 + 4U * 3);
  EXPECT_EQ(network.layers[0].units, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(network.capped(2));
  EXPECT_EQ(network.activation_of(1), Activation::relu);
  EXPECT_EQ(network.activation_of(2), Activation::identity);
}

TEST(Network, OnlyTheOutputLosesItsCapNorm) {
  const Network<float> network =
      make_network<float>({.inputs = 7, .outputs = 3, .hidden = {5}, .output_capnorm = false}, 1);
  EXPECT_TRUE(network.capped(0));
  EXPECT_FALSE(network.capped(1));
}

TEST(DrawFanIn, HasExpectedSquaredLengthOne) {
  for (const std::size_t inputs : {2U, 10U, 100U}) {
    for (const Birth birth : {Birth::initial, Birth::added}) {
      double mean_square = 0;
      double sum = 0;
      constexpr std::uint32_t draws = 4000;
      std::vector<double> weights(inputs);
      for (std::uint32_t unit = 0; unit < draws; ++unit) {
        draw_fan_in(std::span(weights), birth, 1, 0, unit);
        for (const double weight : weights) {
          mean_square += weight * weight / draws;
          sum += weight;
        }
      }
      // variances: 2 / (inputs draws) of the mean square, draws of the sum
      EXPECT_NEAR(mean_square, 1, 5 * std::sqrt(2.0 / static_cast<double>(inputs * draws)));
      EXPECT_NEAR(sum, 0, 5 * std::sqrt(static_cast<double>(draws)));
    }
  }
}

TEST(DrawFanIn, DependsOnEveryPartOfItsName) {
  const auto draw = [](Birth birth, std::uint64_t seed, std::size_t layer, std::uint32_t unit) {
    std::vector<float> weights(4);
    draw_fan_in(std::span(weights), birth, seed, layer, unit);
    return weights;
  };
  const std::vector<float> base = draw(Birth::added, 1, 1, 1);
  EXPECT_EQ(base, draw(Birth::added, 1, 1, 1));
  EXPECT_NE(base, draw(Birth::initial, 1, 1, 1));
  EXPECT_NE(base, draw(Birth::added, 2, 1, 1));
  EXPECT_NE(base, draw(Birth::added, 1ULL + (1ULL << 32), 1, 1));
  EXPECT_NE(base, draw(Birth::added, 1, 2, 1));
  EXPECT_NE(base, draw(Birth::added, 1, 1, 2));
}

TEST(DrawKink, IsNormalOfThatDeviationAndDependsOnEveryPartOfItsName) {
  double sum = 0;
  double squares = 0;
  constexpr std::uint32_t draws = 4000;
  for (std::uint32_t unit = 0; unit < draws; ++unit) {
    const double kink = draw_kink(0.5, 1, 0, unit);
    sum += kink / draws;
    squares += kink * kink / draws;
  }
  EXPECT_NEAR(sum, 0, 5 * 0.5 / std::sqrt(draws));
  EXPECT_NEAR(squares, 0.25, 5 * 0.25 * std::sqrt(2.0 / draws));
  const double base = draw_kink(1, 1, 1, 1);
  EXPECT_EQ(base, draw_kink(1, 1, 1, 1));
  EXPECT_EQ(draw_kink(2, 1, 1, 1), 2 * base);
  EXPECT_EQ(draw_kink(0, 1, 1, 1), 0);
  EXPECT_NE(base, draw_kink(1, 2, 1, 1));
  EXPECT_NE(base, draw_kink(1, 1, 2, 1));
  EXPECT_NE(base, draw_kink(1, 1, 1, 2));
}

TEST(Network, HiddenUnitsAloneHaveKinks) {
  const Network<float> network =
      make_network<float>({.inputs = 4, .outputs = 3, .hidden = {5, 2}, .kinks = 0.5}, 7);
  ASSERT_EQ(network.layers[0].kinks.size(), 5U);
  for (std::uint32_t j = 0; j < 5; ++j)
    EXPECT_EQ(network.layers[0].kinks[j], static_cast<float>(draw_kink(0.5, 7, 0, j)));
  EXPECT_EQ(network.layers[1].kinks.size(), 2U);
  EXPECT_TRUE(network.layers[2].kinks.empty());
  Network<float> without = network;
  without.kinks = 0;
  for (Layer<float>& layer : without.layers) layer.kinks.clear();
  EXPECT_EQ(without, make_network<float>({.inputs = 4, .outputs = 3, .hidden = {5, 2}}, 7))
      << "weights are the same";
}

TEST(Network, FloatAndDoubleStartFromTheSameNumbers) {
  const NetworkShape shape{.inputs = 4, .outputs = 2, .hidden = {3}};
  const Network<float> a = make_network<float>(shape, 9);
  const Network<double> b = make_network<double>(shape, 9);
  for (std::size_t l = 0; l < 2; ++l) {
    for (std::size_t j = 0; j < a.layers[l].weights.rows(); ++j) {
      for (std::size_t i = 0; i < a.layers[l].weights.cols(); ++i) {
        EXPECT_EQ(a.layers[l].weights(j, i), static_cast<float>(b.layers[l].weights(j, i)));
      }
    }
  }
}

}  // namespace
}  // namespace coppice
