#include "tests/data/encoding_tables.h"

#include <cmath>
#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

using namespace coppice::testing;
using ::testing::IsEmpty;

struct Spread {
  double mean = 0;
  double variance = 0;
};

Spread spread(const Matrix<float>& inputs, std::size_t first, std::size_t count) {
  Spread s;
  const auto n = static_cast<double>(inputs.rows() * count);
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    for (std::size_t i = first; i < first + count; ++i) s.mean += inputs(r, i) / n;
  }
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    for (std::size_t i = first; i < first + count; ++i) {
      s.variance += (inputs(r, i) - s.mean) * (inputs(r, i) - s.mean) / n;
    }
  }
  return s;
}

/// Classes p and q in turn, so that both occur.
Cells two_classes(std::size_t rows) {
  return cells(rows, [](auto i) { return i % 2 == 0 ? "p" : "q"; });
}

RC_GTEST_PROP(EncodingScaling, NumbersGetMeanZeroAndDeviationOne, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 150);
  const auto values = *rc::gen::container<std::vector<int>>(rows, rc::gen::inRange(-1000, 1000));
  const auto missing = *rc::gen::container<std::vector<bool>>(rows, rc::gen::arbitrary<bool>());
  Cells column;
  for (std::size_t r = 0; r < rows; ++r) {
    column.push_back(missing[r] && r > 1 ? "" : std::to_string(values[r]) + (r == 0 ? ".25" : ""));
  }
  EncodingOptions options;
  options.scaling = *rc::gen::element(Scaling::column, Scaling::standard);
  const Trained t({{{"x", column}, {"y", two_classes(rows)}}}, options);
  const Spread s = spread(t.data.inputs, 0, 1);
  RC_ASSERT(std::abs(s.mean) < 1e-3);
  RC_ASSERT(std::abs(s.variance - 1) < 1e-3);
  if (t.encoding.inputs() == 2) {
    const Spread indicator = spread(t.data.inputs, 1, 1);
    RC_ASSERT(std::abs(indicator.mean) < 1e-3);
    RC_ASSERT(indicator.variance <= 0.2501);
  }
}

RC_GTEST_PROP(EncodingScaling, ATextColumnWeighsAsMuchAsOneNumber, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(4, 150);
  const auto values = *rc::gen::container<std::vector<int>>(rows, rc::gen::inRange(0, 12));
  Cells column{"first", "first", "second", "second"};
  for (std::size_t r = 4; r < rows; ++r)
    column.push_back(values[r] == 0 ? "" : fmt::format("v{}", values[r]));
  const Trained t({{{"c", column}, {"y", two_classes(rows)}}});
  double total = 0;
  for (std::size_t i = 0; i < t.encoding.inputs(); ++i) {
    const Spread s = spread(t.data.inputs, i, 1);
    RC_ASSERT(std::abs(s.mean) < 1e-4);
    total += s.variance;
  }
  RC_ASSERT(std::abs(total - 1) < 1e-3);
}

Written image() {
  return {{{"pixel1", {"0", "0", "0", "0"}}, {"pixel2", {"0", "9", "3", "8"}}, {"label", two_classes(4)}},
          Format::idx};
}

TEST(EncodingScaling, ImagesAreScaledByAllPixelsAndKeepConstantOnes) {
  const Trained t(image());
  EXPECT_EQ(t.encoding.scaling, Scaling::global);
  EXPECT_THAT(t.warnings, IsEmpty());
  ASSERT_EQ(t.encoding.inputs(), 2U);
  EXPECT_EQ(t.encoding.offset[0], t.encoding.offset[1]);
  EXPECT_EQ(t.encoding.factor[0], t.encoding.factor[1]);
  EXPECT_FLOAT_EQ(t.encoding.offset[0], 2.5F);
  const Spread s = spread(t.data.inputs, 0, 2);
  EXPECT_NEAR(s.mean, 0, 1e-6);
  EXPECT_NEAR(s.variance, 1, 1e-6);
}

TEST(EncodingScaling, TheDefaultFollowsTheFormatAndTheOptionWins) {
  Written file = image();
  file.format = Format::amat;
  EXPECT_EQ(Trained(file).encoding.scaling, Scaling::global);
  for (const Format format : {Format::csv, Format::arff, Format::libsvm}) {
    file.format = format;
    EXPECT_EQ(Trained(file).encoding.scaling, Scaling::column);
  }
  EncodingOptions options;
  options.scaling = Scaling::none;
  const Trained raw(file, options);
  EXPECT_EQ(raw.encoding.scaling, Scaling::none);
  EXPECT_EQ(raw.data.inputs(1, 0), 9.0F);
}

TEST(EncodingScaling, UnusedOtherInputsStayOffInEveryMode) {
  for (const Scaling scaling : {Scaling::column, Scaling::standard, Scaling::global, Scaling::none}) {
    EncodingOptions options;
    options.scaling = scaling;
    const Trained t({{{"c", {"r", "g", "r", "g"}}, {"y", two_classes(4)}}}, options);
    EXPECT_NE(t.encoding.factor[0], 0.0F);
    EXPECT_EQ(t.encoding.factor[2], 0.0F);
    EXPECT_EQ(t.data.inputs(0, 2), 0.0F);
  }
}

TEST(EncodingScaling, HugeAndTinyNumbersStayFinite) {
  const Trained t({{{"huge", {"3e38", "-3e38", "1e38", "0"}},
                    {"tiny", {"1e-44", "0", "1e-44", "0"}},
                    {"y", two_classes(4)}}});
  for (std::size_t r = 0; r < 4; ++r) {
    for (const float value : t.data.inputs.row(r)) EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace coppice
