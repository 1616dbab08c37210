#include "coppice/network/gradient.h"

#include "tests/network/gradient_check.h"

#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice {
namespace {

const std::vector<std::vector<std::size_t>> shapes{{}, {5}, {4, 3}, {3, 5, 2}, {4, 2, 3, 4}};

TEST(Gradient, AgreesWithFiniteDifferencesEverywhere) {
  GradientCheck total;
  std::size_t samples = 2;
  for (const Activation activation : activations) {
    for (const std::vector<std::size_t>& hidden : shapes) {
      for (const bool capnorm : {true, false}) {
        for (const std::size_t classes : {0U, 2U, 4U}) {
          samples = samples % 39 + 2;  // 2 to 40, different in every case
          Network<double> network = uneven_network<double>({.inputs = 3,
                                                            .outputs = std::max<std::size_t>(1, classes),
                                                            .hidden = hidden,
                                                            .activation = activation,
                                                            .output_capnorm = capnorm},
                                                           samples);
          for (std::size_t k = 0; k < classes; ++k) network.offset.push_back(-0.5 * static_cast<double>(k));
          const std::string what =
              fmt::format("activation {}, {} hidden layers, output CapNorm {}, {} classes, {} samples",
                          static_cast<int>(activation), hidden.size(), capnorm, classes, samples);
          const GradientCheck check =
              check_gradient(network, random_dataset(samples, 3, classes, samples), what);
          total.checked += check.checked;
          total.skipped += check.skipped;
        }
      }
    }
  }
  EXPECT_GT(total.checked, 4000U);
  EXPECT_LT(total.skipped, total.checked / 50);
}

TEST(Gradient, OfNetsWithKinksAgreesWithFiniteDifferences) {
  GradientCheck total;
  std::size_t samples = 2;
  for (const Activation activation : activations) {
    for (const std::vector<std::size_t>& hidden : shapes) {
      for (const bool weighted : {false, true}) {
        samples = samples % 39 + 7;
        const Network<double> network = uneven_network<double>(
            {.inputs = 3, .outputs = 3, .hidden = hidden, .activation = activation, .kinks = 1}, samples);
        Dataset data = random_dataset(samples, 3, 3, samples);
        for (std::size_t i = 0; weighted && i < samples; ++i)
          data.weights.push_back(0.5F * static_cast<float>(1 + i % 5));
        const GradientCheck check =
            check_gradient(network, data,
                           fmt::format("kinks, activation {}, {} hidden layers, {} samples, weighted {}",
                                       static_cast<int>(activation), hidden.size(), samples, weighted));
        total.checked += check.checked;
        total.skipped += check.skipped;
      }
    }
  }
  EXPECT_GT(total.checked, 1000U);
  EXPECT_LT(total.skipped, total.checked / 50);
}

TEST(Gradient, WithManyUnitsAndSamplesCrossesTileBorders) {
  const Network<double> network = uneven_network<double>(
      {.inputs = 2, .outputs = 2, .hidden = {2 * unit_tile + 1}, .activation = Activation::tanh}, 1);
  const GradientCheck check = check_gradient(network, random_dataset(sample_tile + 3, 2, 2, 1), "tiles");
  EXPECT_GT(check.checked, network.parameters() * 9 / 10);
}

TEST(Gradient, IsProportionalToScaleAndAddsUpOverNothingElse) {
  ThreadPool pool(1);
  const Dataset data = random_dataset(30, 4, 3, 1);
  const Network<double> network = uneven_network<double>({.inputs = 4, .outputs = 3, .hidden = {6}}, 2);
  Workspace<double> workspace = batch_of<double>(data);
  compute_gradient(pool, network, 1.0, workspace);
  const std::vector<LayerBuffers<double>> whole = workspace.layers;
  compute_gradient(pool, network, 0.25, workspace);
  for (std::size_t l = 0; l < 2; ++l) {
    const Matrix<double>& expected = whole[l].weight_gradient;
    for (std::size_t j = 0; j < expected.rows(); ++j) {
      for (std::size_t i = 0; i < expected.cols(); ++i)
        EXPECT_NEAR(workspace.layers[l].weight_gradient(j, i), 0.25 * expected(j, i), 1e-13);
    }
  }
}

class GradientOfKinks : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Kinks, GradientOfKinks, ::testing::Values(0, 1));

TEST_P(GradientOfKinks, IsTheSameToTheBitForAnyNumberOfThreads) {
  const Dataset data = random_dataset(777, 19, 5, 3);
  Network<float> network =
      uneven_network<float>({.inputs = 19, .outputs = 5, .hidden = {70, 45}, .kinks = GetParam()}, 3);
  network.offset = {-1, -2, -3, -1, -2};
  const auto run = [&](std::size_t threads) {
    ThreadPool pool(threads);
    Workspace<float> workspace;
    gather_batch(pool, data, all_rows(data), workspace);
    const LossSum sum = compute_gradient(pool, network, 0.001F, workspace);
    return std::pair(std::move(workspace), sum);
  };
  const auto [reference, expected] = run(1);
  for (const std::size_t threads : {2U, 3U, 7U}) {
    for (int round = 0; round < 3; ++round) {
      const auto [workspace, sum] = run(threads);
      EXPECT_EQ(sum.loss, expected.loss);
      EXPECT_EQ(sum.wrong, expected.wrong);
      for (std::size_t l = 0; l < 3; ++l) {
        EXPECT_EQ(workspace.layers[l].weight_gradient, reference.layers[l].weight_gradient)
            << threads << " threads";
      }
    }
  }
}

TEST(Gradient, AWorkspaceUsedForAnotherNetworkBeforeLeavesNoTrace) {
  ThreadPool pool(2);
  const Dataset data = random_dataset(50, 4, 3, 4);
  const Network<float> small = make_network<float>({.inputs = 4, .outputs = 3, .hidden = {5}}, 1);
  const Network<float> large = make_network<float>({.inputs = 4, .outputs = 3, .hidden = {60, 50, 40}}, 2);
  Workspace<float> fresh = batch_of<float>(data);
  compute_gradient(pool, small, 1.0F, fresh);
  Workspace<float> used = batch_of<float>(random_dataset(300, 4, 3, 9));
  compute_gradient(pool, large, 1.0F, used);
  gather_batch(pool, data, all_rows(data), used);
  compute_gradient(pool, small, 1.0F, used);
  ASSERT_EQ(used.layers.size(), 2U);
  for (std::size_t l = 0; l < 2; ++l)
    EXPECT_EQ(used.layers[l].weight_gradient, fresh.layers[l].weight_gradient);
}

TEST(Gradient, FloatEqualsDouble) {
  ThreadPool pool(1);
  const Dataset data = random_dataset(200, 9, 4, 5);
  for (const Activation activation : activations) {
    const NetworkShape shape{.inputs = 9, .outputs = 4, .hidden = {20, 11}, .activation = activation};
    Network<float> coarse = uneven_network<float>(shape, 6);
    Network<double> fine = uneven_network<double>(shape, 6);
    for (std::size_t l = 0; l < 3; ++l) {
      for (std::size_t j = 0; j < fine.layers[l].weights.rows(); ++j) {
        std::ranges::copy(coarse.layers[l].weights.row(j), fine.layers[l].weights[j]);
      }
    }
    Workspace<float> a = batch_of<float>(data);
    Workspace<double> b = batch_of<double>(data);
    const LossSum coarse_sum = compute_gradient(pool, coarse, 0.005F, a);
    const LossSum fine_sum = compute_gradient(pool, fine, 0.005, b);
    EXPECT_NEAR(coarse_sum.loss, fine_sum.loss, 1e-5 * fine_sum.loss);
    for (std::size_t l = 0; l < 3; ++l) {
      const Matrix<double>& g = b.layers[l].weight_gradient;
      for (std::size_t j = 0; j < g.rows(); ++j) {
        for (std::size_t i = 0; i < g.cols(); ++i) {
          EXPECT_NEAR(static_cast<double>(a.layers[l].weight_gradient(j, i)), g(j, i), 2e-4);
        }
      }
    }
  }
}

}  // namespace
}  // namespace coppice
