#include "coppice/data/number_shape.h"

#include "tests/data/encoding_tables.h"

#include <cmath>
#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

using namespace coppice::testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<float> sorted(std::vector<float> values) {
  std::ranges::sort(values);
  return values;
}

/// Numbers of a random kind: few or many distinct ones, some with a value that fills half of the rows.
std::vector<float> random_numbers(std::size_t least, std::size_t most) {
  const auto count = *rc::gen::inRange<std::size_t>(least, most);
  const auto range = *rc::gen::element(3, 8, 60, 100'000);
  const auto raw = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(-range, range));
  const auto scale = *rc::gen::element(1e-20F, 0.01F, 1.0F, 1e20F);
  const auto zeros = *rc::gen::inRange<std::size_t>(1, 4);
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(i % zeros == 1 ? 0.0F : static_cast<float>(raw[i]) * scale);
  return values;
}

Cells texts_of(std::span<const float> values) {
  Cells texts;
  for (const float value : values) texts.push_back(std::isnan(value) ? "" : fmt::format("{}", value));
  return texts;
}

EncodingOptions with_bins(Scaling scaling = Scaling::column) {
  EncodingOptions options;
  options.scaling = scaling;
  options.encode = Encode::bins;
  return options;
}

Written table_of(std::span<const float> values) {
  return {
      {{"x", texts_of(values)}, {"y", cells(values.size(), [](auto i) { return i % 2 == 0 ? "p" : "q"; })}}};
}

/// What the column's inputs must be, in double, from the formulas of docs/model-format.md.
std::vector<double> reference(const Encoding& encoding, float cell) {
  const InputColumn& column = encoding.columns.front();
  const double x = std::isnan(cell) ? column.fill : cell;
  std::vector<double> raw{x};
  if (column.squash.factor != 0) {
    const double z = (x - column.squash.median) * column.squash.factor;
    raw[0] = z / std::sqrt(1 + z * z / 9);
  }
  if (column.indicator) raw.push_back(std::isnan(cell) ? 1 : 0);
  for (std::size_t t = 1; t < column.edges.size(); ++t) {
    const double low = column.edges[t - 1];
    const double high = column.edges[t];
    raw.push_back(x <= low ? 0 : x >= high ? 1 : (x - low) / (high - low));
  }
  for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = (raw[i] - encoding.offset[i]) * encoding.factor[i];
  return raw;
}

RC_GTEST_PROP(NumberShape, InputsAreWhatTheFormulasSayAlsoOfNumbersThatTrainingNeverSaw, ()) {
  std::vector<float> values = random_numbers(3, 300);
  values[0] = 7;
  if (*rc::gen::arbitrary<bool>()) values[2] = std::nanf("");
  const auto scaling = *rc::gen::element(Scaling::column, Scaling::standard);
  const Trained t(table_of(values), with_bins(scaling));
  std::vector<float> others = values;
  for (const float far : {-1e30F, -1.5F, 0.0F, 0.3F, 1e30F}) others.push_back(far);
  std::vector<std::string> warnings;
  const Written fresh{{{"x", texts_of(others)}}};
  const Dataset data = encode(fresh.table(hints_for(t.encoding, false)), t.encoding, false, warnings);
  RC_ASSERT(t.encoding.columns[0].squash.used() == (scaling == Scaling::column));
  for (std::size_t r = 0; r < others.size(); ++r) {
    const std::vector<double> expected = reference(t.encoding, others[r]);
    RC_ASSERT(expected.size() == data.inputs.cols());
    for (std::size_t i = 0; i < expected.size(); ++i)
      RC_ASSERT(std::abs(data.inputs(r, i) - expected[i]) <= 1e-5 * std::max(1.0, std::abs(expected[i])));
  }
}

RC_GTEST_PROP(NumberShape, NumbersAndBinsHaveMeanZeroAndDeviationOne, ()) {
  std::vector<float> values = random_numbers(40, 400);
  values[0] = 7;
  if (*rc::gen::arbitrary<bool>()) values[2] = std::nanf("");
  const Trained t(table_of(values), with_bins());
  const InputColumn& column = t.encoding.columns[0];
  const auto n = static_cast<double>(values.size());
  for (std::size_t i = 0; i < t.encoding.inputs(); ++i) {
    double mean = 0;
    double variance = 0;
    for (std::size_t r = 0; r < values.size(); ++r) mean += t.data.inputs(r, i) / n;
    for (std::size_t r = 0; r < values.size(); ++r) variance += std::pow(t.data.inputs(r, i) - mean, 2) / n;
    RC_ASSERT(std::abs(mean) < 1e-3);
    if (i == 0 || i >= column.first_bin()) RC_ASSERT(std::abs(variance - 1) < 1e-3);
  }
}

RC_GTEST_PROP(NumberShape, ASquashedNumberRisesNeverFasterThanItsFactorAndStaysWithinItsLimit, ()) {
  const std::vector<float> values = sorted(random_numbers(3, 200));
  if (values.front() == values.back()) return;
  const Squash squash = fit_squash(values);
  RC_ASSERT(squash.used());
  RC_ASSERT(squash(squash.median) == 0.0);
  double before = squash(-3e38F);
  RC_ASSERT(before >= -3);
  RC_ASSERT(squash(3e38F) <= 3);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double now = squash(values[i]);
    RC_ASSERT(now >= before);
    if (i > 0) {
      const double step = (static_cast<double>(values[i]) - values[i - 1]) * squash.factor;
      RC_ASSERT(now - before <= step * (1 + 1e-9) + 1e-12);
    }
    before = now;
  }
}

TEST(NumberShape, NumbersAreSquashedByTheirQuartilesElseByTheirRange) {
  const Squash quartiles = fit_squash(std::vector<float>{0, 1, 2, 4, 100});
  EXPECT_EQ(quartiles.median, 2.0F);
  EXPECT_FLOAT_EQ(quartiles.factor, 1.0F / 3);
  EXPECT_DOUBLE_EQ(quartiles(5), static_cast<double>(quartiles.factor) * 3 /
                                     std::sqrt(1 + std::pow(static_cast<double>(quartiles.factor), 2)));
  const Squash range = fit_squash(std::vector<float>{5, 5, 5, 5, 5, 9});
  EXPECT_EQ(range.median, 5.0F);
  EXPECT_EQ(range.factor, 0.5F);
  EXPECT_EQ(fit_squash(std::vector<float>{0, 0.25F, 0.5F, 0.75F, 100}).factor, 2.0F) << "quartiles within 1";
  EXPECT_FALSE(fit_squash(std::vector<float>{5, 5}).used());
  EXPECT_FALSE(fit_squash(std::vector<float>{0, 1e-44F, 1e-44F}).used()) << "float32 has no 1e44";
}

RC_GTEST_PROP(NumberShape, EdgesRiseAreNumbersOfTheColumnAndNoMoreThanRowsAllow, ()) {
  const std::vector<float> values = sorted(random_numbers(1, 400));
  const std::vector<float> edges = fit_edges(values);
  RC_ASSERT(std::ranges::adjacent_find(edges, std::greater_equal{}) == edges.end());
  for (const float edge : edges) RC_ASSERT(std::ranges::binary_search(values, edge));
  if (edges.empty()) return;
  RC_ASSERT(edges.size() >= 3U);
  RC_ASSERT(edges.size() <= 9U);
  RC_ASSERT(edges.size() - 1 <= values.size() / 20);
}

RC_GTEST_PROP(NumberShape, BinsRiseOneAfterAnotherFromZeroToOne, ()) {
  const std::vector<float> edges = fit_edges(sorted(random_numbers(60, 400)));
  for (std::size_t t = 1; t < edges.size(); ++t) {
    const auto value = [&](float x) { return bin_value(x, edges[t - 1], edges[t]); };
    RC_ASSERT(value(-3e38F) == 0.0);
    RC_ASSERT(value(edges[t - 1]) == 0.0);
    RC_ASSERT(value(edges[t]) == 1.0);
    RC_ASSERT(value(3e38F) == 1.0);
    double before = 0;
    for (int k = 0; k <= 50; ++k) {  // no jump anywhere
      const double now = value(edges[t - 1] + (edges[t] - edges[t - 1]) * static_cast<float>(k) / 50);
      RC_ASSERT(now >= before - 1e-6);
      RC_ASSERT(now - before <= 0.0201 + 1e-3);
      before = now;
    }
  }
}

TEST(NumberShape, FewDistinctNumbersBecomeEdges) {
  std::vector<float> few;
  for (int i = 0; i < 200; ++i) few.push_back(static_cast<float>(i % 9));
  EXPECT_THAT(fit_edges(sorted(few)), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
  std::vector<float> uneven(100, 0.0F);
  for (const auto& [value, count] : {std::pair{1, 10}, {2, 40}, {3, 4}, {4, 46}})
    uneven.insert(uneven.end(), static_cast<std::size_t>(count), static_cast<float>(value));
  EXPECT_THAT(fit_edges(uneven), ElementsAre(0, 1, 2, 3, 4)) << "rare ones too";
  few.resize(100);  // rows for five bins
  EXPECT_EQ(fit_edges(sorted(few)).size(), 6U);
  EXPECT_THAT(fit_edges(std::vector<float>(100, 4.0F)), IsEmpty()) << "constant";
  std::vector<float> two(100, 4.0F);
  std::fill(two.begin() + 50, two.end(), 5.0F);
  EXPECT_THAT(fit_edges(two), IsEmpty()) << "one input says all";
}

TEST(NumberShape, ABinNeedsTwentyNumbers) {
  std::vector<float> values;
  for (const std::size_t bins : {1, 2, 5, 8, 8, 8}) {
    for (std::size_t rows = 20 * bins; values.size() < rows;)
      values.push_back(static_cast<float>(values.size()));
    EXPECT_EQ(fit_edges(values).size(), bins < 2 ? 0 : bins + 1);
  }
  values.pop_back();
  EXPECT_EQ(fit_edges(values).size(), 8U);
}

TEST(NumberShape, EdgesAreQuantiles) {
  std::vector<float> values;
  for (int i = 0; i <= 800; ++i) values.push_back(static_cast<float>(i * i));
  const std::vector<float> edges = fit_edges(values);
  ASSERT_EQ(edges.size(), 9U);
  for (std::size_t t = 0; t < edges.size(); ++t) EXPECT_EQ(edges[t], static_cast<float>(t * 100 * (t * 100)));
}

TEST(NumberShape, AValueThatDominatesIsAnEdgeAndTheOthersKeepTheirQuantiles) {
  std::vector<float> zeros(600, 0.0F);
  for (int i = 0; i < 141; ++i) zeros.push_back(static_cast<float>(10 + i));
  EXPECT_THAT(fit_edges(zeros), ElementsAre(0, 10, 30, 50, 70, 90, 110, 130, 150));
  std::vector<float> middle(600, 75.5F);
  for (int i = 0; i < 141; ++i) middle.push_back(static_cast<float>(10 + i));
  EXPECT_THAT(fit_edges(sorted(middle)), ElementsAre(10, 30, 50, 70, 75.5F, 90, 110, 130, 150));
  std::vector<float> rare(990, 0.0F);
  for (int i = 0; i < 15; ++i) rare.push_back(static_cast<float>(1 + i));
  EXPECT_THAT(fit_edges(rare), IsEmpty()) << "too few others for a bin";
  for (const int filled : {199, 200}) {  // of 800 rows: two of eight bins
    std::vector<float> share(static_cast<std::size_t>(filled), 0.5F);
    for (int i = filled; i < 800; ++i) share.push_back(static_cast<float>(i));
    const std::vector<float> edges = fit_edges(share);
    EXPECT_EQ(edges.size(), filled < 200 ? 8U : 9U) << "the others have seven bins of their own";
  }
}

TEST(NumberShape, BinsStandBesideTheNumberWithNamesOfTheirOwn) {
  std::vector<float> values;
  for (int i = 0; i < 60; ++i) values.push_back(static_cast<float>(i % 3));
  values[5] = std::nanf("");
  Written file = table_of(values);
  file.columns.insert(file.columns.begin() + 1, {"c", cells(60, [](auto i) { return i % 2 ? "u" : "v"; })});
  const Trained t(file, with_bins());
  EXPECT_THAT(t.encoding.input_names(),
              ElementsAre("x", "x missing", "x 0..1", "x 1..2", "c=u", "c=v", "c other"));
  EXPECT_THAT(t.encoding.plain_inputs(), ElementsAre(0U, 1U, 4U, 5U, 6U));
  EXPECT_TRUE(t.encoding.has_bins());
  EncodingOptions options;
  for (const Encode encode : {Encode::plain, Encode::automatic}) {
    options.encode = encode;
    const Trained plain(file, options);
    EXPECT_THAT(plain.encoding.plain_inputs(), ElementsAre(0U, 1U, 2U, 3U, 4U));
    EXPECT_FALSE(plain.encoding.has_bins());
    for (std::size_t r = 0; r < 60; ++r) EXPECT_EQ(plain.data.inputs(r, 0), t.data.inputs(r, 0));
  }
}

TEST(NumberShape, ZeroHasNoSign) {
  for (const float zero : {0.0F, -0.0F}) {
    const Trained t(table_of(std::vector<float>{zero, -zero, zero, zero, -1, zero, 2}));
    EXPECT_EQ(t.encoding.columns[0].squash.median, 0);
    EXPECT_FALSE(std::signbit(t.encoding.columns[0].squash.median)) << "it would stand in the model";
  }
}

TEST(NumberShape, ImagesHaveNoBinsAndTheirNumbersStayAsTheyAre) {
  std::vector<float> values;
  for (int i = 0; i < 60; ++i) values.push_back(static_cast<float>(i * i));
  Written file = table_of(values);
  file.format = Format::idx;
  EXPECT_FALSE(Trained(file).encoding.columns[0].squash.used());
  EncodingOptions options;
  options.encode = Encode::bins;
  EXPECT_THAT(message_of([&] { Trained(file, options); }),
              ::testing::AllOf(::testing::HasSubstr("`encode` bins"), ::testing::HasSubstr("global"),
                               ::testing::HasSubstr("images")));
  options.scaling = Scaling::column;
  EXPECT_EQ(Trained(file, options).encoding.columns[0].bins(), 3U);
}

TEST(NumberShape, ManyRowsAreSampledAndStillScaledByAll) {
  std::vector<float> values;
  for (int i = 0; i < 250'000; ++i) values.push_back(static_cast<float>(i * 7919 % 250'007));
  Table table;
  table.add_numbers("x", values);
  const NumberShape shape = number_shapes(table, std::vector<std::size_t>{0}, std::vector<float>{0},
                                          all_rows(values.size()), {.squash = true, .bins = true})
                                .front();
  ASSERT_EQ(shape.edges.size(), 9U);
  EXPECT_NEAR(shape.edges[4], 125'000, 1500);
  EXPECT_NEAR(shape.squash.median, 125'000, 1500);
  EXPECT_NEAR(shape.bins[3].mean, 0.5625, 0.01);
}

}  // namespace
}  // namespace coppice
