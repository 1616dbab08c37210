#include "coppice/core/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

std::array<std::uint32_t, 4> first_four(Random random) {
  std::array<std::uint32_t, 4> values{};
  for (auto& value : values) value = random.next();
  return values;
}

TEST(Random, PhiloxGivesItsPublishedAnswer) {
  // From Random123's kat_vectors: philox4x32-10 with counter and key all zero.
  const r123::Philox4x32::ctr_type zero{};
  const auto answer = r123::Philox4x32{}(zero, r123::Philox4x32::key_type{});
  EXPECT_EQ(answer[0], 0x6627e8d5U);
  EXPECT_EQ(answer[1], 0xe169c58dU);
  EXPECT_EQ(answer[2], 0xbc57ac4cU);
  EXPECT_EQ(answer[3], 0x9b00dbd8U);
}

TEST(Random, StreamsStayWhatTheyAre) {
  // Models are reproducible across versions only while these numbers do not change.
  EXPECT_EQ(first_four(Random(1, Purpose::initial_weights)),
            (std::array<std::uint32_t, 4>{0x833ff8dcU, 0x225c963cU, 0x232b88b3U, 0x0b334b07U}));
  EXPECT_EQ(first_four(Random(0x123456789abcdefULL, Purpose::split, 7, 9)),
            (std::array<std::uint32_t, 4>{0x098417d3U, 0xb47bf595U, 0x2526198eU, 0x9c2dc9f6U}));
}

TEST(Random, EveryPartOfTheNameMakesAnotherStream) {
  const std::set<std::array<std::uint32_t, 4>> streams{
      first_four(Random(1, Purpose::split)),          first_four(Random(2, Purpose::split)),
      first_four(Random(1ULL << 32, Purpose::split)), first_four(Random(1, Purpose::new_unit)),
      first_four(Random(1, Purpose::split, 1)),       first_four(Random(1, Purpose::split, 0, 1))};
  EXPECT_EQ(streams.size(), 6U);
}

TEST(Random, UniformStaysInRangeWithTheRightMoments) {
  Random random(5, Purpose::generator);
  double sum = 0, squares = 0;
  constexpr int count = 200000;
  for (int i = 0; i < count; ++i) {
    const double value = random.uniform();
    ASSERT_TRUE(value >= 0 && value < 1);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / count, 0.5, 0.005);
  EXPECT_NEAR(squares / count, 1.0 / 3, 0.005);
}

TEST(Random, NormalHasTheMomentsOfTheNormal) {
  Random random(6, Purpose::initial_weights);
  std::array<double, 5> moment{};
  constexpr int count = 200000;
  for (int i = 0; i < count; ++i) {
    const double value = random.normal();
    ASSERT_TRUE(std::isfinite(value));
    for (int k = 1; k <= 4; ++k) moment[k] += std::pow(value, k) / count;
  }
  EXPECT_NEAR(moment[1], 0, 0.01);
  EXPECT_NEAR(moment[2], 1, 0.02);
  EXPECT_NEAR(moment[3], 0, 0.05);
  EXPECT_NEAR(moment[4], 3, 0.1);
}

TEST(Random, PoissonHasEqualMeanAndVariance) {
  for (const double mean : {0.1, 1.5, 5.0}) {
    Random random(7, Purpose::growth_count);
    double sum = 0, squares = 0;
    constexpr int count = 100000;
    for (int i = 0; i < count; ++i) {
      const auto value = static_cast<double>(random.poisson(mean));
      sum += value / count;
      squares += value * value / count;
    }
    EXPECT_NEAR(sum, mean, 0.03);
    EXPECT_NEAR(squares - sum * sum, mean, 0.1);
  }
  EXPECT_EQ(Random(1, Purpose::growth_count).poisson(0), 0U);
}

RC_GTEST_PROP(Random, BelowStaysBelow, (std::uint64_t seed)) {
  const auto bound = *rc::gen::inRange<std::uint64_t>(1, 1000);
  Random random(seed, Purpose::generator);
  for (int i = 0; i < 100; ++i) RC_ASSERT(random.below(bound) < bound);
}

RC_GTEST_PROP(Random, ShuffleIsAPermutation, (std::vector<int> values, std::uint64_t seed)) {
  std::vector<int> shuffled = values;
  Random(seed, Purpose::batch_order).shuffle(shuffled);
  std::ranges::sort(shuffled);
  std::ranges::sort(values);
  RC_ASSERT(shuffled == values);
}

TEST(Random, ShuffleReachesEveryOrderEquallyOften) {
  std::array<int, 6> seen{};
  Random random(8, Purpose::batch_order);
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> values{0, 1, 2};
    random.shuffle(values);
    ++seen.at(values[0] * 2 + (values[1] > values[2] ? 1 : 0));
  }
  for (const int count : seen) EXPECT_NEAR(count, 1000, 130);
}

}  // namespace
}  // namespace coppice
