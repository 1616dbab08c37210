#include "coppice/device/cuda/product.h"

#include "tests/device/cuda/batch.h"
#include "tests/device/random_matrix.h"
#include "tests/gpu.h"

#include <algorithm>
#include <cmath>

namespace coppice::cuda {
namespace {

using GpuProduct = test::OnGpu;

/// A test for each precision, since each takes long where a tool looks at every access to memory.
class GpuProductIn : public test::OnGpu, public ::testing::WithParamInterface<Precision> {};

INSTANTIATE_TEST_SUITE_P(Gpu, GpuProductIn,
                         ::testing::Values(Precision::fp32, Precision::tf32, Precision::bf16),
                         [](const auto& tested) {
                           return std::string(names_of<Precision>[static_cast<std::size_t>(tested.param)]);
                         });

struct Case {
  Op op_a;
  Op op_b;
  Precision precision;
  std::vector<int> m;  ///< per net
  int n;
  int k;
  bool picked = false;  ///< rows of b are picked from a larger matrix that all nets share
  bool fixed = false;   ///< CapNorm with fixed numbers follows
  Activation activation = Activation::leaky_relu;
  Cut cut{};
};

/// Relative to the largest entry of a sum of k products of two numbers of deviation 1.
double tolerance(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return 2e-6;
    case Precision::tf32:
      return 1e-3;
    case Precision::bf16:
      return 8e-3;
  }
  return 0;
}

double entry(const Matrix<float>& matrix, Op op, std::size_t row, std::size_t col) {
  return op == Op::plain ? matrix(row, col) : matrix(col, row);
}

void check_product(const Case& c) {
  const Stream stream;
  const std::size_t nets = c.m.size();
  const auto n = static_cast<std::size_t>(c.n);
  const auto k = static_cast<std::size_t>(c.k);
  const auto most = static_cast<std::size_t>(*std::ranges::max_element(c.m));
  const std::size_t wide = (std::max({n, k, most}) + 35) / 4 * 4;
  std::vector<Matrix<float>> a;
  std::vector<Matrix<float>> b;
  const std::size_t b_rows = c.op_b == Op::plain ? k : n;
  const std::size_t b_cols = c.op_b == Op::plain ? n : k;
  const Matrix<float> shared = random_matrix<float>(3 * b_rows, b_cols, 99);
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> first;
  for (std::size_t i = 0; i < nets; ++i) {
    const auto m = static_cast<std::size_t>(c.m[i]);
    a.push_back(c.op_a == Op::plain ? random_matrix<float>(m, k, i) : random_matrix<float>(k, m, i));
    first.push_back(static_cast<std::uint32_t>(rows.size()));
    Matrix<float> own = random_matrix<float>(b_rows, b_cols, 50 + i);
    for (std::size_t r = 0; c.picked && r < b_rows; ++r) {
      rows.push_back(static_cast<std::uint32_t>((r * 7 + i) % (3 * b_rows)));
      std::ranges::copy(shared.row(rows.back()), own.row(r).begin());
    }
    b.push_back(own);
  }
  const PaddedMatrices device_a(a, c.op_a == Op::plain ? most : k, wide);
  const PaddedMatrices device_b(c.picked ? std::vector{shared} : b, c.picked ? 3 * b_rows : b_rows, wide);
  const auto most_cut = static_cast<std::size_t>(c.cut.most);
  PaddedMatrices result(std::vector<Matrix<float>>(most_cut * nets, Matrix<float>(0, 0)), most, wide);
  const Array<int> m = uploaded(std::span<const int>(c.m), stream);
  const Array<std::uint32_t> device_rows = uploaded(std::span<const std::uint32_t>(rows), stream);
  const Array<std::uint32_t> device_first = uploaded(std::span<const std::uint32_t>(first), stream);
  const std::vector<float> mean(nets * most, 0.25F);
  const std::vector<float> divisor(nets * most, 2.0F);
  const Array<float> device_mean = uploaded(std::span<const float>(mean), stream);
  const Array<float> device_divisor = uploaded(std::span<const float>(divisor), stream);

  Product p{.op_a = c.op_a,
            .a = {.data = device_a.data(), .net_stride = device_a.net_stride(), .stride = device_a.stride()},
            .op_b = c.op_b,
            .b = {.data = device_b.data(), .net_stride = device_b.net_stride(), .stride = device_b.stride()},
            .c = result.data(),
            .c_net_stride = result.net_stride(),
            .c_stride = result.stride(),
            .m = {.per_net = m.data(), .most = static_cast<int>(most)},
            .n = {.per_net = nullptr, .most = c.n},
            .k = {.per_net = nullptr, .most = c.k},
            .load = {.nets = static_cast<int>(nets), .columns = c.n},
            .cut = c.cut,
            .parts = c.cut.most,
            .part_stride = nets * result.net_stride()};
  if (c.picked) {
    p.b.net_stride = 0;
    p.b.pick = {.all = device_rows.data(), .first = device_first.data()};
  }
  if (c.fixed) {
    p.mean = device_mean.data();
    p.divisor = device_divisor.data();
    p.unit_stride = most;
    p.activation = c.activation;
  }
  product(p, nets, c.precision, stream);
  stream.wait();
  result.download();

  double worst = 0;
  for (std::size_t i = 0; i < nets; ++i) {
    const auto parts = static_cast<std::size_t>(parts_of(c.cut, c.m[i], c.n, c.k));
    ASSERT_LE(parts, most_cut);
    if (parts < most_cut) {
      ASSERT_EQ(result.at(parts * nets + i, 0, 0), PaddedMatrices::poison) << "a part too many";
    }
    for (std::size_t row = 0; row < most; ++row) {
      for (std::size_t col = 0; col < wide; ++col) {
        if (row >= static_cast<std::size_t>(c.m[i]) || col >= n) {
          ASSERT_EQ(result.at(i, row, col), PaddedMatrices::poison) << "written beyond the net's own";
          continue;
        }
        double sum = 0;
        for (std::size_t q = 0; q < k; ++q) {
          sum += entry(a[i], c.op_a, row, q) * entry(b[i], c.op_b, q, col);
        }
        if (c.fixed) {
          sum = (sum - 0.25) / 2;
          with_activation(c.activation, [&]<Activation A>() { sum = activate<A>(sum); });
        }
        for (std::size_t part = 0; part < parts; ++part) sum -= result.at(part * nets + i, row, col);
        worst = std::max(worst, std::abs(sum));
      }
    }
  }
  EXPECT_LT(worst, tolerance(c.precision) * 4 * std::sqrt(static_cast<double>(k)))
      << "ops " << static_cast<int>(c.op_a) << static_cast<int>(c.op_b) << " precision "
      << static_cast<int>(c.precision) << " m " << most << " n " << c.n << " k " << c.k;
}

TEST_P(GpuProductIn, EqualsTheSumsInDouble) {
  const Precision precision = GetParam();
  for (const auto& [op_a, op_b] :
       {std::pair(Op::plain, Op::plain), {Op::plain, Op::transposed}, {Op::transposed, Op::plain}}) {
    check_product({op_a, op_b, precision, {1}, 1, 1});
    check_product({op_a, op_b, precision, {10, 3, 7}, 33, 5});
    check_product({op_a, op_b, precision, {70, 0, 17, 64}, 130, 100});
    check_product({op_a, op_b, precision, {200, 129, 12, 90}, 3200, 47});  // large tiles
  }
}

TEST_F(GpuProduct, PicksRows) {
  for (const Precision precision : {Precision::fp32, Precision::tf32}) {
    for (const Op op_b : {Op::plain, Op::transposed}) {
      check_product({Op::plain, op_b, precision, {10, 40}, 50, 70, true});
      check_product({Op::plain, op_b, precision, {130, 200, 60, 80}, 3210, 50, true});
    }
  }
}

TEST_F(GpuProduct, AppliesCapNormsFixedNumbers) {
  check_product({Op::plain, Op::transposed, Precision::fp32, {10, 40}, 50, 70, true, true});
  check_product({Op::plain, Op::plain, Precision::tf32, {130, 200, 60, 80}, 3210, 50, false, true});
  for (const Activation activation :
       {Activation::relu, Activation::abs, Activation::tanh, Activation::identity}) {
    check_product({Op::plain, Op::transposed, Precision::fp32, {10, 40}, 50, 70, true, true, activation});
    check_product(
        {Op::plain, Op::transposed, Precision::tf32, {100, 200, 3, 8}, 3210, 20, true, true, activation});
  }
}

/// Enough blocks for wgmma, where there is any, of every number of rows, and sums that go round its stages.
TEST_F(GpuProduct, ManyTilesOfEveryWidth) {
  for (const Op op_b : {Op::plain, Op::transposed}) {
    check_product({Op::plain, op_b, Precision::tf32, {1, 64, 33, 128, 0}, 2690, 130, true});
    check_product({Op::plain, op_b, Precision::tf32, {300, 160, 95, 256}, 3300, 170, true});
    check_product({Op::plain, op_b, Precision::tf32, {224, 10, 192, 7}, 3203, 33});
  }
}

TEST_P(GpuProductIn, InPartsThatAddUp) {
  const Precision precision = GetParam();
  for (const auto& [op_a, op_b] :
       {std::pair(Op::plain, Op::plain), {Op::plain, Op::transposed}, {Op::transposed, Op::plain}}) {
    const Cut cut{.blocks = 20, .most = 7};  // five parts, seven, and three of few products
    check_product(
        {.op_a = op_a, .op_b = op_b, .precision = precision, .m = {70, 3}, .n = 90, .k = 500, .cut = cut});
    check_product(
        {.op_a = op_a, .op_b = op_b, .precision = precision, .m = {20}, .n = 30, .k = 200, .cut = cut});
  }
  check_product({.op_a = Op::plain,
                 .op_b = Op::plain,
                 .precision = precision,
                 .m = {20, 66, 0},
                 .n = 70,
                 .k = 270,
                 .picked = true,
                 .cut = {.blocks = 12, .most = 6}});
}

TEST(Cut, PartsFillTheGpuAndNoMore) {
  EXPECT_EQ(cut_for({.nets = 30, .columns = 1000}, 784).most, 1);
  const Cut one = cut_for({.nets = 1, .columns = 1000}, 784);
  EXPECT_EQ(one.most, most_parts);
  EXPECT_EQ(parts_of(one, 200, 1000, 784), 4);
  EXPECT_EQ(parts_of(one, 20, 1000, 784), most_parts);
  EXPECT_EQ(parts_of(one, 20, 1000, 200), 3) << "of at least 64 products";
  EXPECT_EQ(parts_of(one, 2000, 1000, 784), 1);
  EXPECT_EQ(parts_of(one, 0, 0, 0), 1);
  EXPECT_EQ(cut_for({.nets = 1, .columns = 10}, 60).most, 1);
  EXPECT_EQ(cut_for({.nets = 10000, .columns = 1}, 1000).most, 1);
}

/// Whatever tiles the widest net leads to, and however many nets there are.
TEST_P(GpuProductIn, ANetsBitsDoNotDependOnTheOthers) {
  const Stream stream;
  constexpr int n = 700;
  constexpr int k = 300;
  constexpr std::size_t units = 40;
  const Matrix<float> a = random_matrix<float>(units, k, 1);
  const Matrix<float> b = random_matrix<float>(n, k, 2);
  const auto c_of = [&](std::size_t others, std::size_t most, const Load& load, const Cut& cut,
                        Precision precision) {
    std::vector<Matrix<float>> all{a};
    std::vector<int> sizes{static_cast<int>(units)};
    for (std::size_t i = 0; i < others; ++i) {
      all.push_back(random_matrix<float>(most, k, 3 + i));
      sizes.push_back(static_cast<int>(most));
    }
    const std::size_t rows = std::max(units, most);
    const PaddedMatrices device_a(all, rows, k);
    const PaddedMatrices device_b({b}, n, k);
    const auto parts = static_cast<std::size_t>(cut.most);
    PaddedMatrices c(std::vector<Matrix<float>>(parts * all.size(), Matrix<float>(0, 0)), rows, n);
    const Array<int> m = uploaded(std::span<const int>(sizes), stream);
    product({.a = {.data = device_a.data(), .net_stride = device_a.net_stride(), .stride = device_a.stride()},
             .op_b = Op::transposed,
             .b = {.data = device_b.data(), .net_stride = 0, .stride = device_b.stride()},
             .c = c.data(),
             .c_net_stride = c.net_stride(),
             .c_stride = c.stride(),
             .m = {.per_net = m.data(), .most = static_cast<int>(rows)},
             .n = {.per_net = nullptr, .most = n},
             .k = {.per_net = nullptr, .most = k},
             .load = load,
             .cut = cut,
             .parts = cut.most,
             .part_stride = all.size() * c.net_stride()},
            all.size(), precision, stream);
    stream.wait();
    c.download();
    std::vector<float> own;
    for (int part = 0; part < parts_of(cut, units, n, k); ++part) {
      for (std::size_t row = 0; row < units; ++row) {
        for (std::size_t col = 0; col < n; ++col) {
          own.push_back(c.at(static_cast<std::size_t>(part) * all.size(), row, col));
        }
      }
    }
    return own;
  };
  const Precision precision = GetParam();
  for (const int nets : {1, 5, 256}) {
    const Load load{.nets = nets, .columns = n};
    const Cut cut = cut_for(load, k);
    const std::vector<float> alone = c_of(0, 0, load, cut, precision);
    const int many = test::under_a_tool() ? 5 : 30;
    for (const auto& [others, most] : {std::pair(1, 30), {4, 100}, {many, 129}, {many, 300}}) {
      EXPECT_TRUE(alone == c_of(static_cast<std::size_t>(others), static_cast<std::size_t>(most), load, cut,
                                precision))
          << "precision " << static_cast<int>(precision) << " nets " << nets << " others " << others;
    }
  }
}

}  // namespace
}  // namespace coppice::cuda
