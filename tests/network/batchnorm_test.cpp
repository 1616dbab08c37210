#include "coppice/device/batchnorm.h"

#include "coppice/network/evaluate.h"
#include "coppice/network/gradient.h"
#include "coppice/network/resize.h"

#include "tests/network/fixture.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coppice {
namespace {

/// Free parameters away from 1 and 0, some of them negative.
template <class T>
void perturb(Network<T>& network) {
  Random random(11, Purpose::generator, 7);
  for (Layer<T>& layer : network.layers) {
    for (std::size_t j = 0; j < layer.affine.rows(); ++j) {
      for (T& value : layer.affine.row(j)) value += static_cast<T>(0.8 * random.normal());
    }
  }
}

/// On which side of its kink every unit is for every sample.
std::vector<bool> sides(const Network<double>& network, const Workspace<double>& workspace) {
  std::vector<bool> all;
  for (std::size_t l = 0; l + 1 < network.layers.size(); ++l) {
    const LayerBuffers<double>& buffers = workspace.layers[l];
    const Matrix<double>& affine = network.layers[l].affine;
    for (std::size_t j = 0; j < buffers.y.rows(); ++j) {
      const double scale = affine.empty() ? 1 : affine(j, 0);
      const double shift = affine.empty() ? 0 : affine(j, 1);
      for (const double y : buffers.y.row(j)) all.push_back(scale * y + shift > 0);
    }
  }
  return all;
}

/// Compares the gradient of every parameter with central differences; how many could be compared.
std::size_t check_normed_gradient(Network<double> network, const Dataset& data, const std::string& what) {
  constexpr double h = 1e-6;
  ThreadPool pool(1);
  Workspace<double> workspace = batch_of<double>(data);
  compute_gradient(pool, network, 0.7, workspace);
  std::vector<LayerBuffers<double>> gradients = workspace.layers;
  std::size_t checked = 0;
  const auto compare = [&](double& parameter, double gradient, const std::string& where) {
    const double value = parameter;
    parameter = value + h;
    const double up = compute_loss(pool, network, workspace).loss;
    const std::vector<bool> above = sides(network, workspace);
    parameter = value - h;
    const double down = compute_loss(pool, network, workspace).loss;
    const std::vector<bool> below = sides(network, workspace);
    parameter = value;
    if (network.activation != Activation::tanh && above != below) return;
    const double expected = 0.7 * (up - down) / (2 * h);
    EXPECT_NEAR(gradient, expected, 1e-5 * (1 + std::abs(expected))) << what << ": " << where;
    ++checked;
  };
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    Layer<double>& layer = network.layers[l];
    for (std::size_t j = 0; j < layer.weights.rows(); ++j) {
      for (std::size_t i = 0; i < layer.weights.cols(); ++i) {
        compare(layer.weights(j, i), gradients[l].weight_gradient(j, i),
                fmt::format("weight {} {} {}", l, j, i));
      }
      for (std::size_t i = 0; i < layer.affine.cols(); ++i) {
        compare(layer.affine(j, i), gradients[l].affine_gradient(j, i),
                fmt::format("affine {} {} {}", l, j, i));
      }
    }
  }
  return checked;
}

TEST(BatchNorm, GradientsAgreeWithFiniteDifferencesEverywhere) {
  std::size_t checked = 0;
  std::size_t parameters = 0;
  for (const Norm norm : {Norm::batchnorm, Norm::batchnorm_affine, Norm::none}) {
    for (const Activation activation : activations) {
      for (const std::size_t classes : {0U, 3U}) {
        Network<double> network = uneven_network<double>({.inputs = 4,
                                                          .outputs = std::max<std::size_t>(1, classes),
                                                          .hidden = {5, 3},
                                                          .activation = activation,
                                                          .norm = norm,
                                                          .output_capnorm = false},
                                                         3);
        perturb(network);
        parameters += network.parameters();
        checked +=
            check_normed_gradient(network, random_dataset(13, 4, classes, 2),
                                  fmt::format("norm {} activation {} classes {}", static_cast<int>(norm),
                                              static_cast<int>(activation), classes));
      }
    }
  }
  EXPECT_GT(checked, parameters * 9 / 10);
}

/// More units than a tile holds: each tile has its own free parameters.
Network<double> network_of_several_tiles() {
  Network<double> network = uneven_network<double>({.inputs = 3,
                                                    .outputs = 2,
                                                    .hidden = {unit_tile + 5},
                                                    .activation = Activation::tanh,
                                                    .norm = Norm::batchnorm_affine,
                                                    .output_capnorm = false},
                                                   3);
  perturb(network);
  return network;
}

TEST(BatchNorm, EveryTileHasItsOwnFreeParameters) {
  const Network<double> network = network_of_several_tiles();
  const Dataset data = random_dataset(20, 3, 2, 5);
  EXPECT_EQ(check_normed_gradient(network, data, "tiles"), network.parameters());
}

TEST(BatchNorm, MakesEveryHiddenUnitOfMeanZeroAndDeviationOne) {
  Network<double> network = uneven_network<double>(
      {.inputs = 4, .outputs = 3, .hidden = {6}, .norm = Norm::batchnorm, .output_capnorm = false}, 3);
  ThreadPool pool(1);
  Workspace<double> workspace = batch_of<double>(random_dataset(200, 4, 3, 2));
  compute_loss(pool, network, workspace);
  for (std::size_t j = 0; j < 6; ++j) {
    double mean = 0;
    double square = 0;
    for (const double y : std::as_const(workspace.layers[0].y).row(j)) {
      mean += y / 200;
      square += y * y / 200;
    }
    EXPECT_NEAR(mean, 0, 1e-12);
    EXPECT_NEAR(square, 1, 1e-3) << "short fan-ins are stretched, unlike by CapNorm";
  }
  EXPECT_EQ(workspace.layers[1].divisor[0], 1) << "nothing follows the output layer";
}

TEST(BatchNorm, ATrainedNetworkDoesWhatItDidOnTheRowsThatMeasuredIt) {
  const Dataset data = random_dataset(50, 4, 3, 2);
  for (const Norm norm : {Norm::batchnorm, Norm::batchnorm_affine, Norm::none}) {
    Network<double> network = uneven_network<double>(
        {.inputs = 4, .outputs = 3, .hidden = {6, 5}, .norm = norm, .output_capnorm = false}, 3);
    perturb(network);
    ThreadPool pool(1);
    Workspace<double> workspace;
    const auto rows = all_rows(data);
    const Statistics<double> fixed = measure_statistics(Compute(pool), network, data, rows, workspace);
    const double trained = evaluate(Compute(pool), network, fixed, data, rows, workspace).loss;
    Workspace<double> batch = batch_of<double>(data);
    EXPECT_NEAR(compute_loss(pool, network, batch).loss, trained, 1e-9);
  }
}

TEST(BatchNorm, ATrainedNetworkOfSeveralTilesDoesToo) {
  const Network<double> network = network_of_several_tiles();
  const Dataset data = random_dataset(50, 3, 2, 5);
  ThreadPool pool(1);
  Workspace<double> workspace;
  const auto rows = all_rows(data);
  const Statistics<double> fixed = measure_statistics(Compute(pool), network, data, rows, workspace);
  const double trained = evaluate(Compute(pool), network, fixed, data, rows, workspace).loss;
  Workspace<double> batch = batch_of<double>(data);
  EXPECT_NEAR(compute_loss(pool, network, batch).loss, trained, 1e-9);
}

TEST(BatchNorm, FreeParametersAreCountedAndFollowTheirUnits) {
  Network<float> network = make_network<float>(
      {.inputs = 4, .outputs = 3, .hidden = {6}, .norm = Norm::batchnorm_affine, .output_capnorm = false}, 3);
  EXPECT_EQ(network.parameters(), 4U * 6 + 6 * 3 + 2 * 6);
  EXPECT_TRUE(network.layers[1].affine.empty());
  network.layers[0].affine(4, 1) = 7;
  resize(network, {.layer = 0, .keep = {1, 4}, .added = {9}});
  ASSERT_EQ(network.layers[0].affine.rows(), 3U);
  EXPECT_EQ(network.layers[0].affine(1, 1), 7);
  EXPECT_EQ(network.layers[0].affine(2, 0), 1);
}

}  // namespace
}  // namespace coppice
