#include "coppice/network/resize.h"

#include "coppice/core/random.h"

#include "tests/network/fixture.h"

#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice {
namespace {

/// Fan-in and fan-out of every unit by id; weights between two kept units must survive any resize.
using Weights = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

Weights incoming(const Network<double>& network, std::size_t layer) {
  Weights weights;
  for (std::size_t j = 0; j < network.layers[layer].weights.rows(); ++j) {
    for (std::size_t i = 0; i < network.layers[layer].weights.cols(); ++i) {
      const std::uint32_t from =
          layer == 0 ? static_cast<std::uint32_t>(i) : network.layers[layer - 1].units[i];
      weights[{network.layers[layer].units[j], from}] = network.layers[layer].weights(j, i);
    }
  }
  return weights;
}

ResizePlan random_plan(const Network<double>& network, std::uint32_t first_id) {
  ResizePlan plan;
  plan.layer = *rc::gen::inRange<std::size_t>(0, network.layers.size() - 1);
  const std::size_t units = network.layers[plan.layer].units.size();
  for (std::size_t j = 0; j < units; ++j) {
    if (j + 1 == units || *rc::gen::inRange(0, 3) > 0) plan.keep.push_back(j);
  }
  const auto added = *rc::gen::inRange<std::uint32_t>(0, 5);
  for (std::uint32_t i = 0; i < added; ++i) plan.added.push_back(first_id + i);
  return plan;
}

TEST(Resize, KeptUnitsKeepIdsAndWeightsAndNewOnesAreZero) {
  EXPECT_TRUE(rc::check("resize", [] {
    Network<double> network = make_network<double>({.inputs = 3, .outputs = 2, .hidden = {6, 5, 4}},
                                                   *rc::gen::inRange<std::uint64_t>(0, 1000));
    for (std::uint32_t round = 0; round < 8; ++round) {
      const Network<double> before = network;
      const ResizePlan plan = random_plan(network, 100 + 10 * round);
      resize(network, plan);
      const std::vector<std::uint32_t>& units = network.layers[plan.layer].units;
      RC_ASSERT(units.size() == plan.keep.size() + plan.added.size());
      RC_ASSERT(network.layers[plan.layer].weights.rows() == units.size());
      RC_ASSERT(network.layers[plan.layer + 1].weights.cols() == units.size());
      for (std::size_t i = 0; i < plan.keep.size(); ++i) {
        RC_ASSERT(units[i] == before.layers[plan.layer].units[plan.keep[i]]);
      }
      for (std::size_t i = 0; i < plan.added.size(); ++i)
        RC_ASSERT(units[plan.keep.size() + i] == plan.added[i]);
      const std::set<std::uint32_t> fresh(plan.added.begin(), plan.added.end());
      for (std::size_t l = 0; l < network.layers.size(); ++l) {
        const Weights old = incoming(before, l);
        for (const auto& [edge, weight] : incoming(network, l)) {
          const bool touched = (l == plan.layer && fresh.contains(edge.first)) ||
                               (l == plan.layer + 1 && fresh.contains(edge.second));
          RC_ASSERT(weight == (touched ? 0.0 : old.at(edge)));
        }
      }
    }
  }));
}

/// Random fan-in with zero fan-out, or the other way round: f is unchanged by the unit's coming and going.
void check_zero_units(Activation activation, bool zero_fan_out, double kinks) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const Dataset data = random_dataset(25, 4, 3, seed);
  Network<double> network = uneven_network<double>(
      {.inputs = 4, .outputs = 3, .hidden = {5, 4, 6}, .activation = activation, .kinks = kinks}, seed);
  const Matrix<double> before = training_scores(network, data);
  const auto layer = *rc::gen::inRange<std::size_t>(0, 3);
  const auto added = *rc::gen::inRange<std::uint32_t>(1, 4);
  ResizePlan growth{.layer = layer, .keep = {}, .added = {}};
  for (std::size_t j = 0; j < network.layers[layer].units.size(); ++j) growth.keep.push_back(j);
  for (std::uint32_t i = 0; i < added; ++i) growth.added.push_back(50 + i);
  resize(network, growth);
  const Network<double> grown = network;
  Random random(seed, Purpose::generator, 1);
  for (std::size_t i = growth.keep.size(); i < growth.keep.size() + added; ++i) {
    if (kinks > 0) network.layers[layer].kinks[i] = kinks * random.normal();
    if (zero_fan_out) {
      for (double& weight : network.layers[layer].weights.row(i)) weight = 3 * random.normal();
    } else {
      Matrix<double>& above = network.layers[layer + 1].weights;
      for (std::size_t k = 0; k < above.rows(); ++k) above(k, i) = 3 * random.normal();
    }
  }
  RC_ASSERT(!(network == grown));
  RC_ASSERT(largest_difference(training_scores(network, data), before) < 1e-12);
  resize(network, {.layer = layer, .keep = growth.keep, .added = {}});
  RC_ASSERT(training_scores(network, data) == before);
}

TEST(ZeroUnits, ComeAndGoWithoutChangingTheFunction) {
  for (const Activation activation : activations) {
    for (const bool zero_fan_out : {true, false}) {
      for (const double kinks : {0.0, 1.0})
        EXPECT_TRUE(rc::check("zero units", [&] { check_zero_units(activation, zero_fan_out, kinks); }));
    }
  }
}

TEST(Resize, AUnitKeepsItsKink) {
  Network<double> network =
      make_network<double>({.inputs = 3, .outputs = 2, .hidden = {6, 5}, .kinks = 0.5}, 4);
  const std::vector<double> before = network.layers[0].kinks;
  const std::vector<double> above = network.layers[1].kinks;
  resize(network, {.layer = 0, .keep = {1, 4, 5}, .added = {7}});
  EXPECT_EQ(network.layers[0].kinks, (std::vector<double>{before[1], before[4], before[5], 0}));
  EXPECT_EQ(network.layers[1].kinks, above);
  EXPECT_TRUE(network.layers[2].kinks.empty()) << "outputs have none";
}

TEST(ZeroUnits, AUnitThatIsNotZeroDoesChangeTheFunction) {
  const Dataset data = random_dataset(25, 4, 3, 1);
  Network<double> network = uneven_network<double>({.inputs = 4, .outputs = 3, .hidden = {5}}, 1);
  const Matrix<double> before = training_scores(network, data);
  const std::vector<std::size_t> keep{0, 1, 3, 4};
  resize(network, {.layer = 0, .keep = keep, .added = {}});
  EXPECT_GT(largest_difference(training_scores(network, data), before), 1e-3);
}

TEST(ResizeEntries, KeepsMovesAndAppendsZeros) {
  std::vector<double> entries{1, 2, 3, 4, 5};
  resize_entries(entries, {.layer = 0, .keep = {1, 2, 4}, .added = {9, 10}});
  EXPECT_EQ(entries, (std::vector<double>{2, 3, 5, 0, 0}));
}

}  // namespace
}  // namespace coppice
