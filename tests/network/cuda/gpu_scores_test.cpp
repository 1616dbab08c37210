#include "coppice/network/gpu_scores.h"

#include "coppice/network/evaluate.h"

#include "tests/gpu.h"
#include "tests/network/fixture.h"

namespace coppice {
namespace {

using GpuScores = test::OnGpu;

TEST_F(GpuScores, EqualTheCpus) {
  ThreadPool pool(1);
  Workspace<float> workspace;
  const Dataset data = random_dataset(20011, 13, 3, 1);  // more rows than the GPU takes at once
  const auto check = [&](Activation activation, Norm norm) {
    Network<float> network = uneven_network<float>({.inputs = 13,
                                                    .outputs = 3,
                                                    .hidden = {70, 9},
                                                    .activation = activation,
                                                    .norm = norm,
                                                    .output_capnorm = norm == Norm::capnorm},
                                                   2);
    for (Layer<float>& layer : network.layers) {
      for (std::size_t j = 0; j < layer.affine.rows(); ++j) {
        layer.affine(j, 0) = 0.5F - 0.1F * static_cast<float>(j % 7);
        layer.affine(j, 1) = 0.2F * static_cast<float>(j % 3) - 0.3F;
      }
    }
    std::vector<std::uint32_t> rows = all_rows(data);
    const Statistics<float> statistics = measure_statistics<float>(
        pool, network, data, std::span<const std::uint32_t>(rows).first(500), workspace);
    std::ranges::reverse(rows);
    const Matrix<float> scores = gpu_scores(network, statistics, data, rows);
    std::size_t at = 0;
    double worst = 0;
    for_scores<float>(pool, network, statistics, data, rows, workspace,
                      [&](View<const float> chunk, std::span<const std::uint32_t> chunk_rows) {
                        for (std::size_t i = 0; i < chunk_rows.size(); ++i, ++at) {
                          for (std::size_t k = 0; k < 3; ++k) {
                            worst =
                                std::max(worst, std::abs(static_cast<double>(chunk(k, i)) - scores(at, k)));
                          }
                        }
                      });
    EXPECT_EQ(at, rows.size());
    EXPECT_LT(worst, norm == Norm::none ? 2e-4 : 2e-5);  // scores that nothing holds down are larger
  };
  for (const Activation activation : activations) check(activation, Norm::capnorm);
  for (const Norm norm : {Norm::batchnorm, Norm::batchnorm_affine, Norm::none}) check(Activation::relu, norm);
  check(Activation::tanh, Norm::batchnorm_affine);
}

}  // namespace
}  // namespace coppice
