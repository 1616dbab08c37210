// Prediction intervals and sets of classes are right as often as they say, on rows that were never seen.
#include "coppice/analysis/metrics.h"
#include "coppice/api/train.h"
#include "coppice/core/random.h"
#include "coppice/model/parts.h"

#include "tests/api/results.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <cmath>
#include <gmock/gmock.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coppice {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;

/// So few rows beside so many columns of noise that nets know their training rows far better than others. The number's noise
/// grows with it.
Table noisy(std::size_t rows, std::uint64_t seed, bool numbers) {
  constexpr std::size_t columns = 12;
  Random random(seed, Purpose::generator);
  std::vector<std::vector<float>> x(columns);
  std::vector<double> value;
  std::vector<std::string> word;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::vector<float>& column : x) column.push_back(static_cast<float>(random.normal()));
    value.push_back(10 + 2 * x[0][i] + std::exp(0.5 * x[0][i]) * random.normal());
    word.emplace_back(2 * x[0][i] + random.normal() > 0 ? "high" : "low");
  }
  Table table;
  for (std::size_t c = 0; c < columns; ++c) table.add_numbers(fmt::format("x{}", c), x[c]);
  if (numbers) table.add_numbers("y", value);
  if (!numbers) table.add_texts("y", word);
  return table;
}

Options noisy_options(std::uint64_t seed) {
  Options options;
  options.target = std::string("y");
  options.effort = Effort::quick;
  options.encode = Encode::plain;
  options.hidden_layers = 1;
  options.lambdas = {3e-4};
  options.ensemble = 3;
  options.seed = seed;
  options.device = Device::cpu;
  return options;
}

PredictOptions asking(double level) {
  PredictOptions options;
  options.interval = level;
  return options;
}

/// Of ten trainings.
IntervalMetrics mean_of_ten(bool numbers, bool single) {
  IntervalMetrics mean{.level = 0.9, .coverage = 0, .mean_size = 0};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Options options = noisy_options(seed);
    if (single) options.ensemble = 1;
    const Model model = train(noisy(240, seed, numbers), options).model();
    EXPECT_EQ(model.nets(), single ? 1U : 3U);
    const IntervalMetrics one = *evaluate(model, noisy(1000, seed + 100, numbers), asking(0.9)).interval;
    mean.coverage += one.coverage / 10;
    mean.mean_size += one.mean_size / 10;
  }
  return mean;
}

TEST(Intervals, OfNumbersAreRightAsOftenAsTheySay) {
  const IntervalMetrics mean = mean_of_ten(true, false);
  EXPECT_THAT(mean.coverage, AllOf(Ge(0.88), Le(0.96)));
  EXPECT_LT(mean.mean_size, 8) << "without the columns they would be about 8 wide";
}

TEST(Intervals, OfClassesAreRightAsOftenAsTheySay) {
  const IntervalMetrics mean = mean_of_ten(false, false);
  EXPECT_THAT(mean.coverage, AllOf(Ge(0.88), Le(0.98)));
  EXPECT_LT(mean.mean_size, 1.9);
}

TEST(Intervals, OfANetThatWasTaughtAreThoseOfItsTeachers) {
  double coverage = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Options options = noisy_options(seed);
    options.distil = Distil::on;
    const Model model = train(noisy(240, seed, true), options).model();
    EXPECT_EQ(model.nets(), 1U);
    coverage += evaluate(model, noisy(1000, seed + 100, true), asking(0.9)).interval->coverage / 10;
  }
  EXPECT_THAT(coverage, AllOf(Ge(0.88), Le(0.97)));
}

TEST(Intervals, OfOneNetAreThoseOfItsValidationRows) {
  EXPECT_THAT(mean_of_ten(true, true).coverage, AllOf(Ge(0.88), Le(0.97)));
  const Result result = train(noisy(240, 1, false), [] {
    Options options = noisy_options(1);
    options.ensemble = 1;
    return options;
  }());
  EXPECT_EQ(result.model().parts().conformity.rows, result.model().origin().validation_rows);
}

TEST(Intervals, OfAnEnsembleAreThoseOfAllRows) {
  const Result result = train(noisy(240, 1, true), noisy_options(1));
  EXPECT_EQ(result.model().parts().conformity.rows, 240U);
  EXPECT_DOUBLE_EQ(result.model().highest_interval(), 240.0 / 241);
  EXPECT_EQ(Model::from_bytes(result.model().bytes()).parts().conformity, result.model().parts().conformity);
}

TEST(Intervals, AreWideWhereTheNoiseIs) {
  const Model model = train(noisy(600, 3, true), noisy_options(3)).model();
  const Prediction prediction = model.predict(noisy(1000, 4, true), asking(0.9));
  double wide = 0;
  double narrow = 0;
  std::size_t high = 0;
  std::size_t low = 0;
  for (std::size_t i = 0; i < prediction.rows; ++i) {
    EXPECT_LT(prediction.lower[i], prediction.values[i]);
    EXPECT_GT(prediction.upper[i], prediction.values[i]);
    const double width = prediction.upper[i] - prediction.lower[i];
    if (prediction.values[i] > 12) {
      wide += width;
      ++high;
    } else if (prediction.values[i] < 8) {
      narrow += width;
      ++low;
    }
  }
  EXPECT_GT(wide / static_cast<double>(high), 1.5 * narrow / static_cast<double>(low));
}

TEST(Intervals, RowsCountByTheirWeights) {
  Table table = noisy(240, 1, true);
  std::vector<float> weights(240, 1);
  for (std::size_t i = 0; i < 240; i += 2) weights[i] = 3;
  table.add_numbers("w", weights);
  Options options = noisy_options(1);
  options.weight = "w";
  EXPECT_EQ(train(table, options).model().parts().conformity.rows, 192U) << "480 * 480 / 1200";
}

TEST(Intervals, TooFewRowsForALevelAreSaid) {
  const Model model = train(noisy(40, 1, true), noisy_options(1)).model();
  EXPECT_NO_THROW(model.predict(noisy(5, 2, true), asking(0.95)));
  EXPECT_THAT(test::message_of([&] { model.predict(noisy(5, 2, true), asking(0.99)); }),
              HasSubstr("40 rows"));
}

}  // namespace
}  // namespace coppice
