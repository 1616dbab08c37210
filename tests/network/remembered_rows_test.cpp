#include "coppice/network/gradient.h"
#include "coppice/network/resize.h"

#include "tests/network/fixture.h"

#include <cmath>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using Seen = std::vector<std::vector<SeenUnit>>;

Seen nothing_of(const Network<double>& network) {
  Seen seen;
  for (const Layer<double>& layer : network.layers) seen.emplace_back(layer.weights.rows());
  return seen;
}

/// The batch's gradient where CapNorm remembers `rows` rows.
std::vector<Matrix<double>> gradient_of(const Network<double>& network, const Dataset& data,
                                        std::span<const std::uint32_t> batch, Seen* seen, double rows) {
  ThreadPool pool(1);
  Workspace<double> workspace;
  gather_batch(pool, data, batch, workspace);
  workspace.seen = seen;
  workspace.seen_rows = rows;
  compute_gradient(pool, network, 1.0 / static_cast<double>(data.rows()), workspace);
  std::vector<Matrix<double>> gradients;
  for (LayerBuffers<double>& buffers : workspace.layers)
    gradients.push_back(std::move(buffers.weight_gradient));
  return gradients;
}

double distance(const std::vector<Matrix<double>>& a, const std::vector<Matrix<double>>& b) {
  double sum = 0;
  for (std::size_t l = 0; l < a.size(); ++l)
    for (std::size_t j = 0; j < a[l].rows(); ++j)
      for (std::size_t i = 0; i < a[l].cols(); ++i) sum += std::pow(a[l](j, i) - b[l](j, i), 2);
  return std::sqrt(sum);
}

TEST(RememberedRows, MeanAndVarianceAreThoseOfAllRowsByTheirShares) {
  SeenUnit seen;
  remember(seen, 2, 9, 0.5);
  EXPECT_EQ(seen, (SeenUnit{2, 9, 0.5})) << "a new unit knows its first batch alone";
  remember(seen, 5, 3, 0.5);
  EXPECT_NEAR(seen.filled, 0.75, 1e-15);
  const double mean = 2.0 / 3 + 10.0 / 3;  // the second batch counts twice
  EXPECT_NEAR(seen.mean, mean, 1e-14);
  EXPECT_NEAR(seen.variance, (9 + 4) / 3.0 + 2 * (3 + 25) / 3.0 - mean * mean, 1e-13);
  remember(seen, -1, 4, 1);
  EXPECT_EQ(seen, (SeenUnit{-1, 4, 1})) << "no row before the batch";
}

TEST(RememberedRows, AMemoryOfOneBatchChangesNothing) {
  const Dataset data = random_dataset(40, 3, 3, 1);
  const Network<double> network =
      uneven_network<double>({.inputs = 3, .outputs = 3, .hidden = {6, 4}, .kinks = 0.5}, 2);
  const std::vector<Matrix<double>> plain = gradient_of(network, data, all_rows(data), nullptr, 0);
  Seen seen = nothing_of(network);
  EXPECT_EQ(gradient_of(network, data, all_rows(data), &seen, 1000), plain) << "nothing to remember yet";
  EXPECT_NEAR(seen[0][0].filled, 0.04, 1e-15);
  EXPECT_EQ(gradient_of(network, data, all_rows(data), &seen, 10), plain) << "fewer rows than a batch";
}

/// What is trained is the net with the numbers of all rows. Gradients of batches of eight, with their own numbers, do not add up to
/// its gradient; with those of all rows they do.
TEST(RememberedRows, GradientsOfBatchesAddUpToThatOfAllRows) {
  const Dataset data = random_dataset(800, 4, 3, 5);
  const std::vector<std::uint32_t> rows = all_rows(data);
  const Network<double> network = uneven_network<double>({.inputs = 4, .outputs = 3, .hidden = {7, 5}}, 3);
  const std::vector<Matrix<double>> whole = gradient_of(network, data, rows, nullptr, 0);
  const auto sum_of_batches = [&](Seen* seen, double remembered) {
    std::vector<Matrix<double>> sum;
    for (std::size_t first = 0; first < rows.size(); first += 8) {
      const auto one = gradient_of(network, data, std::span(rows).subspan(first, 8), seen, remembered);
      if (sum.empty()) sum.assign(one.size(), {});
      for (std::size_t l = 0; l < one.size(); ++l) {
        if (sum[l].empty()) sum[l] = Matrix<double>(one[l].rows(), one[l].cols());
        for (std::size_t j = 0; j < one[l].rows(); ++j)
          for (std::size_t i = 0; i < one[l].cols(); ++i) sum[l](j, i) += one[l](j, i);
      }
    }
    return sum;
  };
  Seen seen = nothing_of(network);
  gradient_of(network, data, rows, &seen, 800);  // all rows are known
  const double own = distance(sum_of_batches(nullptr, 0), whole);
  const double remembered = distance(sum_of_batches(&seen, 1e6), whole);
  EXPECT_LT(remembered, 1e-3 * own);
}

/// A unit that comes or goes with a zero fan-in or fan-out leaves what the others know as it was, and what they make of a batch.
TEST(RememberedRows, ZeroUnitsChangeNothing) {
  const Dataset data = random_dataset(60, 3, 3, 9);
  const std::vector<std::uint32_t> rows = all_rows(data);
  const std::span<const std::uint32_t> all(rows);
  Network<double> network = uneven_network<double>({.inputs = 3, .outputs = 3, .hidden = {5, 4}}, 8);
  for (std::size_t k = 0; k < network.layers[1].weights.rows(); ++k) network.layers[1].weights(k, 2) = 0;
  Network<double> fewer = network;
  resize(fewer, {.layer = 0, .keep = {0, 1, 3, 4}, .added = {}});
  Seen seen = nothing_of(network);
  Seen seen_by_fewer = nothing_of(fewer);
  for (const std::size_t first : {0U, 20U, 40U}) {
    const auto with = gradient_of(network, data, all.subspan(first, 20), &seen, 50);
    const auto without = gradient_of(fewer, data, all.subspan(first, 20), &seen_by_fewer, 50);
    EXPECT_LT(distance({with[2]}, {without[2]}), 1e-12);
  }
  EXPECT_NEAR(seen[1][3].mean, seen_by_fewer[1][3].mean, 1e-12);
  EXPECT_NEAR(seen[1][3].variance, seen_by_fewer[1][3].variance, 1e-12);
}

/// Proposition 1: fan-ins of a layer c times as long, the next layer's as much shorter, give the same net, step for step.
TEST(RememberedRows, ScaledLayersRememberScaledNumbers) {
  const Dataset data = random_dataset(60, 3, 3, 4);
  const std::vector<std::uint32_t> rows = all_rows(data);
  Network<double> network = uneven_network<double>({.inputs = 3, .outputs = 3, .hidden = {5}}, 8);
  for (std::size_t j = 0; j < 5; ++j)
    for (double& weight : network.layers[0].weights.row(j)) weight *= 20;  // CapNorm divides
  Network<double> longer = network;
  for (std::size_t j = 0; j < 5; ++j)
    for (double& weight : longer.layers[0].weights.row(j)) weight *= 3;
  Seen seen = nothing_of(network);
  Seen seen_by_longer = nothing_of(longer);
  for (const std::size_t first : {0U, 20U, 40U}) {
    const auto one = gradient_of(network, data, std::span(rows).subspan(first, 20), &seen, 50);
    const auto other = gradient_of(longer, data, std::span(rows).subspan(first, 20), &seen_by_longer, 50);
    EXPECT_LT(distance({one[1]}, {other[1]}), 1e-12);
  }
  EXPECT_NEAR(seen_by_longer[0][2].variance, 9 * seen[0][2].variance, 1e-9);
}

}  // namespace
}  // namespace coppice
