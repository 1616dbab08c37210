#include "coppice/core/arithmetic.h"
#include "coppice/device/batchnorm.h"
#include "coppice/device/capnorm.h"
#include "coppice/device/loss.h"
#include "coppice/device/rows.h"
#include "coppice/device/weight_rows.h"

#include "tests/device/portable_vectors.h"
#include "tests/device/random_matrix.h"

#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// The bits of everything that loops have written.
class Bits {
 public:
  void add(const Matrix<float>& matrix) {
    for (std::size_t i = 0; i < matrix.rows(); ++i) add(matrix.row(i));
  }
  void add(std::span<const float> values) {
    for (const float value : values) all_.push_back(std::bit_cast<std::uint32_t>(value));
  }
  void add(double value) { all_.push_back(std::bit_cast<std::uint64_t>(value)); }
  bool operator==(const Bits&) const = default;
  std::size_t size() const { return all_.size(); }

 private:
  std::vector<std::uint64_t> all_;
};

constexpr std::size_t units = 3;

/// What is done with units over n samples, or with as many weights.
struct Work {
  explicit Work(std::size_t n) : samples(n) {}

  Matrix<float> some(std::uint64_t seed, double deviation = 1) const {
    return random_matrix<float>(units, samples, seed, deviation);
  }
  std::vector<float> weights() const {
    std::vector<float> all;
    for (std::size_t i = 0; i < samples; ++i) all.push_back(0.3F + 0.1F * static_cast<float>(i % 7));
    return all;
  }

  void normalise(Activation activation, bool batch_norm, bool weighted, Bits& bits) const {
    Matrix<float> y = some(1, 2);
    Matrix<float> x(units, samples);
    Matrix<float> g = some(2, 0.1);
    const Matrix<float> affine = random_matrix<float>(units, 2, 3);
    Matrix<float> affine_gradient(units, 2);
    std::vector<float> mean(units);
    std::vector<float> divisor(units);
    const std::vector<float> counts = weighted ? weights() : std::vector<float>();
    if (batch_norm) {
      batchnorm_forward(y.view(), affine.view(), activation, x.view(), std::span(mean), std::span(divisor),
                        counts);
      batchnorm_backward(g.view(), affine.view(), activation, std::as_const(y).view(),
                         std::as_const(x).view(), std::span<const float>(divisor), affine_gradient.view(),
                         counts);
    } else {
      capnorm_forward(y.view(), true, activation, x.view(), std::span(mean), std::span(divisor), counts);
      capnorm_backward(g.view(), true, activation, std::as_const(y).view(), std::as_const(x).view(),
                       std::span<const float>(divisor), false, counts);
    }
    for (const Matrix<float>* written : {&y, &x, &g, &affine_gradient}) bits.add(*written);
    bits.add(mean);
    bits.add(divisor);
  }

  void lose(Bits& bits) const {
    const Matrix<float> scores = some(4, 3);
    Matrix<float> gradient(units, samples);
    std::vector<std::uint32_t> labels;
    for (std::size_t i = 0; i < samples; ++i) labels.push_back(static_cast<std::uint32_t>(i % units));
    const std::vector<float> offset{0.1F, -0.2F, 0.3F};
    const LossSum sum =
        cross_entropy<float>(scores.view(), offset, labels, 0.01F, gradient, weights(), 0.05F);
    bits.add(gradient);
    bits.add(sum.loss);
  }

  void step(Bits& bits) const {
    Matrix<float> w = some(5);
    Matrix<float> m = some(6);
    Matrix<float> s = some(7);
    for (std::size_t i = 0; i < units; ++i) {
      for (float& value : s.row(i)) value = value * value;
    }
    const Matrix<float> g = some(8);
    std::vector<RowDots> dots(units);
    row_dots(std::as_const(w).view(), g.view(), std::span(dots));
    for (const RowDots& of : dots) {
      for (const double value : {of.gg, of.gw, of.ww}) bits.add(value);
    }
    const std::vector<RowScale> scales(units, {.a = 0.987, .b = -0.0123});
    combine_rows(w.view(), g.view(), std::span(scales));
    const std::vector<RowMix> mixes(units, {.keep = 0.9, .w_share = -0.03, .g_share = 0.1});
    std::vector<double> squares(units);
    mix_rows(m.view(), std::as_const(w).view(), g.view(), std::span(mixes), std::span(squares));
    for (const double square : squares) bits.add(square);
    const std::vector<RowTurn> turns(units, {.ww = 0.97, .wm = -0.07, .mw = 0.05, .mm = 0.99});
    turn_rows(w.view(), m.view(), std::span(turns));
    momentum_rows(w.view(), m.view(), g.view(), {.rate = 0.1, .m_step = 0.02, .g_step = 0.003});
    const std::vector<RowFilled> filled(units, {.mean = 0.7, .square = 0.3});
    const AdamStep step{.step = 0.01, .mean_rate = 0.1, .square_rate = 0.01, .epsilon = 1e-8};
    adam_rows(w.view(), m.view(), s.view(), g.view(), step, std::span(filled));
    adam_rows(w.view(), View<float>{}, s.view(), g.view(), step, std::span(filled));
    for (const Matrix<float>* written : {&w, &m, &s}) bits.add(*written);
  }

  Bits all() const {
    Bits bits;
    for (const Activation activation : {Activation::relu, Activation::leaky_relu, Activation::abs,
                                        Activation::tanh, Activation::identity}) {
      for (const bool batch_norm : {false, true}) {
        for (const bool weighted : {false, true}) normalise(activation, batch_norm, weighted, bits);
      }
    }
    lose(bits);
    step(bits);
    return bits;
  }

  std::size_t samples;
};

TEST(PortableLoops, HaveTheSameBitsWhateverTheVectors) {
  const WithArithmetic portably(Arithmetic::portable);
  for (const std::size_t samples : {1U, 2U, 7U, 8U, 15U, 16U, 17U, 33U, 64U, 65U, 200U, 1000U}) {
    const Work work(samples);
    Bits expected;
    {
      const test::LimitedVectors limited(Vectors::plain);
      expected = work.all();
    }
    EXPECT_GT(expected.size(), 20 * samples);
    for (const Vectors vectors : test::all_vectors()) {
      const test::LimitedVectors limited(vectors);
      EXPECT_TRUE(work.all() == expected) << samples << " samples, vectors " << static_cast<int>(vectors);
    }
  }
}

TEST(PortableLoops, AreOthersThanTheNativeOnesWhereTheProcessorFuses) {
  if (vectors_of_processor() == Vectors::plain) GTEST_SKIP() << "this processor's loops fuse nothing";
#if defined(COPPICE_SANITIZED) || defined(__clang__)
  GTEST_SKIP() << "this build's loops fuse nothing";
#endif
  const Bits native = Work(1000).all();
  const WithArithmetic portably(Arithmetic::portable);
  EXPECT_FALSE(Work(1000).all() == native) << "or the test above tests nothing";
}

}  // namespace
}  // namespace coppice
