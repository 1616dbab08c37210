#include "coppice/data/made_rows.h"

#include "coppice/core/random.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// Two heaps far from each other: one number, and a text of two inputs.
Matrix<float> two_heaps(std::size_t rows) {
  Matrix<float> inputs(rows, 3);
  Random random(1, Purpose::generator);
  for (std::size_t i = 0; i < rows; ++i) {
    const bool high = i % 2 == 1;
    inputs(i, 0) = static_cast<float>((high ? 10 : 0) + random.normal());
    inputs(i, 1) = random.below(2) == 0 ? 1.0F : 0.0F;
    inputs(i, 2) = 1 - inputs(i, 1);
  }
  return inputs;
}

const std::vector<std::vector<std::size_t>> columns{{0}, {1, 2}};

std::vector<std::uint32_t> all(std::size_t rows) {
  std::vector<std::uint32_t> numbers(rows);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

TEST(MadeRows, EveryRowIsFirstInTurnBesideOneThatLiesNear) {
  const Matrix<float> inputs = two_heaps(100);
  ThreadPool pool(1);
  const std::vector<RowPair> pairs = near_pairs(pool, inputs, all(100), columns, 250, 7);
  ASSERT_EQ(pairs.size(), 250U);
  std::map<std::uint32_t, int> first;
  double apart = 0;
  int far = 0;
  for (const RowPair& pair : pairs) {
    ++first[pair.first];
    EXPECT_NE(pair.first, pair.second);
    if (pair.first % 2 == pair.second % 2)
      apart += std::abs(inputs(pair.first, 0) - inputs(pair.second, 0));
    else
      ++far;
  }
  EXPECT_LT(far, 25) << "the other heap lies far away; rows at the edge of their own may be as far from all";
  EXPECT_EQ(first.size(), 100U);
  EXPECT_TRUE(
      std::ranges::all_of(first, [](const auto& count) { return count.second == 2 || count.second == 3; }));
  EXPECT_LT(apart / 250, 0.6) << "two of a heap are 1.1 apart on average";
}

TEST(MadeRows, NoColumnTellsRowsFurtherApartThanAFewDeviations) {
  Matrix<float> inputs(3, 3);
  inputs(1, 0) = 1000;              // in one column far from the first row
  inputs(2, 1) = inputs(2, 2) = 5;  // in two
  std::vector<std::uint32_t> rows{0};
  rows.insert(rows.end(), 40, 1);
  rows.insert(rows.end(), 40, 2);  // so many that some of both are drawn
  const std::vector<std::vector<std::size_t>> three{{0}, {1}, {2}};
  ThreadPool pool(1);
  EXPECT_EQ(near_pairs(pool, inputs, rows, three, 1, 1).front(), (RowPair{.first = 0, .second = 1}));
}

TEST(MadeRows, AColumnComesWholeFromOneOfBoth) {
  const Matrix<float> inputs = two_heaps(60);
  ThreadPool pool(1);
  const std::vector<RowPair> pairs = near_pairs(pool, inputs, all(60), columns, 600, 3);
  const Matrix<float> made = mixed_rows(inputs, pairs, columns, 3);
  ASSERT_EQ(made.rows(), 600U);
  int firsts = 0;
  for (std::size_t i = 0; i < made.rows(); ++i) {
    const RowPair& pair = pairs[i];
    EXPECT_EQ(made(i, 1) + made(i, 2), 1) << "a text is one of the two";
    EXPECT_TRUE(made(i, 0) == inputs(pair.first, 0) || made(i, 0) == inputs(pair.second, 0));
    firsts += made(i, 0) == inputs(pair.first, 0) ? 1 : 0;
  }
  EXPECT_NEAR(firsts, 300, 60);
}

TEST(MadeRows, AreTheSameForAnyNumberOfThreads) {
  const Matrix<float> inputs = two_heaps(80);
  ThreadPool one(1);
  ThreadPool four(4);
  EXPECT_EQ(near_pairs(one, inputs, all(80), columns, 200, 5),
            near_pairs(four, inputs, all(80), columns, 200, 5));
  EXPECT_NE(near_pairs(one, inputs, all(80), columns, 200, 5),
            near_pairs(one, inputs, all(80), columns, 200, 6));
}

TEST(MadeRows, OneRowMakesNone) {
  ThreadPool pool(1);
  EXPECT_TRUE(near_pairs(pool, two_heaps(1), all(1), columns, 10, 1).empty());
}

}  // namespace
}  // namespace coppice
