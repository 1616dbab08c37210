#include "coppice/network/gradient.h"
#include "coppice/network/passes.h"

#include "tests/device/random_matrix.h"
#include "tests/network/fixture.h"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice {
namespace {

TEST(ProductInBlocks, IsTheProduct) {
  ThreadPool pool(3);
  EXPECT_TRUE(rc::check("of one block or many, in every layout", [&] {
    const std::size_t m = *rc::gen::inRange<std::size_t>(1, 2 * block_rows + 20);
    const std::size_t n = *rc::gen::inRange<std::size_t>(1, 3 * block_cols + 20);
    const std::size_t k = *rc::gen::inRange<std::size_t>(1, 9);
    const Op op_a = *rc::gen::element(Op::plain, Op::transposed);
    const Op op_b = *rc::gen::element(Op::plain, Op::transposed);
    const Matrix<double> a =
        op_a == Op::plain ? random_matrix<double>(m, k, 1) : random_matrix<double>(k, m, 1);
    const Matrix<double> b =
        op_b == Op::plain ? random_matrix<double>(k, n, 2) : random_matrix<double>(n, k, 2);
    Matrix<double> whole(m, n);
    Matrix<double> blocks(m, n);
    product(op_a, a.view(), op_b, b.view(), whole.view());
    product_in_blocks<double>(pool, op_a, a, op_b, b, blocks);
    RC_ASSERT(blocks == whole);
  }));
}

/// All weight gradients of a net that is larger than one block in every direction.
std::vector<Matrix<float>> gradients(std::size_t threads, Precision precision) {
  ThreadPool pool(threads);
  const Dataset data = random_dataset(2 * block_cols + 44, block_cols + 22, 3, 1);
  const Network<float> network = make_network<float>(
      {.inputs = block_cols + 22, .outputs = 3, .hidden = {block_rows + 44, block_cols + 12}}, 1);
  Workspace<float> workspace = batch_of<float>(data);
  compute_gradient(Compute(pool, precision), network, 0.01F, workspace);
  std::vector<Matrix<float>> all;
  for (const LayerBuffers<float>& layer : workspace.layers) all.push_back(layer.weight_gradient);
  return all;
}

TEST(Precision, GradientsAreTheSameForAnyNumberOfThreads) {
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    const std::vector<Matrix<float>> expected = gradients(1, precision);
    for (const std::size_t threads : {2U, 5U}) EXPECT_TRUE(gradients(threads, precision) == expected);
  }
}

/// Numbers rounded by a third of a percent put as many relus on the other side, and such a share p of entries
/// changes a gradient of random labels by sqrt(p): six percent.
TEST(Precision, GradientsInBf16PointWhereThoseInFloatDo) {
  const std::vector<Matrix<float>> exact = gradients(1, Precision::fp32);
  const std::vector<Matrix<float>> rounded = gradients(1, Precision::bf16);
  for (std::size_t l = 0; l < exact.size(); ++l) {
    double difference = 0;
    double length = 0;
    for (std::size_t i = 0; i < exact[l].rows(); ++i) {
      for (std::size_t j = 0; j < exact[l].cols(); ++j) {
        difference += std::pow(static_cast<double>(exact[l](i, j) - rounded[l](i, j)), 2);
        length += std::pow(static_cast<double>(exact[l](i, j)), 2);
      }
    }
    EXPECT_LT(std::sqrt(difference / length), 0.1) << "layer " << l;
    EXPECT_EQ(difference > 0, bf16_works()) << "layer " << l;
  }
}

}  // namespace
}  // namespace coppice
