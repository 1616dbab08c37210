#include "coppice/data/split.h"

#include "coppice/core/error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

std::vector<std::uint32_t> numbered(std::size_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

std::map<std::uint32_t, double> counts(const std::vector<std::uint32_t>& rows,
                                       const std::vector<std::uint32_t>& labels) {
  std::map<std::uint32_t, double> count;
  for (const std::uint32_t row : rows) ++count[labels[row]];
  return count;
}

RC_GTEST_PROP(Split, IsAStratifiedPartitionOfTheExactSize, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(2, 400);
  const auto labels = *rc::gen::container<std::vector<std::uint32_t>>(count, rc::gen::inRange(0U, 7U));
  const double fraction = *rc::gen::inRange(1, 100) / 100.0;
  // Rows need not start at 0: a validation split is made of what the test split left.
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < count; ++row) {
    if (row % 3 != 2 || count < 6) rows.push_back(row);
  }
  const Split split = split_rows(rows, labels, fraction, 1, 0);

  std::vector<std::uint32_t> both = split.kept;
  both.insert(both.end(), split.held_out.begin(), split.held_out.end());
  std::ranges::sort(both);
  RC_ASSERT(both == rows);
  const auto n = static_cast<double>(rows.size());
  RC_ASSERT(static_cast<double>(split.held_out.size()) == std::clamp(std::round(fraction * n), 1.0, n - 1));

  const double share = static_cast<double>(split.held_out.size()) / n;
  auto held_out = counts(split.held_out, labels);
  for (const auto& [label, total] : counts(rows, labels)) {
    RC_ASSERT(std::abs(held_out[label] - share * total) < 1);
  }
}

RC_GTEST_PROP(Split, DependsOnSeedAndStreamOnly, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::vector<std::uint32_t> rows = numbered(200);
  const Split a = split_rows(rows, {}, 0.3, seed, 0);
  const Split same = split_rows(rows, {}, 0.3, seed, 0);
  RC_ASSERT(a.held_out == same.held_out && a.kept == same.kept);
  RC_ASSERT(a.held_out != split_rows(rows, {}, 0.3, seed, 1).held_out);
  RC_ASSERT(a.held_out != split_rows(rows, {}, 0.3, seed + 1, 0).held_out);
}

TEST(Split, BothPartsAreShuffledAndNotByLabel) {
  std::vector<std::uint32_t> labels(1000);
  for (std::size_t row = 0; row < labels.size(); ++row) labels[row] = row < 500 ? 0 : 1;
  const Split split = split_rows(numbered(1000), labels, 0.5, 3, 0);
  for (const auto* part : {&split.kept, &split.held_out}) {
    const auto first = std::count_if(part->begin(), part->begin() + 250, [](auto row) { return row < 500; });
    EXPECT_NEAR(static_cast<double>(first), 125, 40);
  }
}

TEST(Split, ALabelsOnlyRowStaysInTraining) {
  // 4 of 13 rows: 3.08 of the common label and 0.31 of each rare one are due.
  std::vector<std::uint32_t> labels(10, 0);
  labels.insert(labels.end(), {1, 2, 3});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Split split = split_rows(numbered(labels.size()), labels, 0.3, seed, 0);
    EXPECT_EQ(split.held_out.size(), 4U);
    for (const std::uint32_t row : split.held_out) EXPECT_EQ(labels[row], 0U);
  }
}

TEST(Split, EveryLabelOnceStillSplits) {
  const std::vector<std::uint32_t> labels = numbered(10);
  EXPECT_EQ(split_rows(numbered(10), labels, 0.3, 1, 0).held_out.size(), 3U);
}

TEST(Split, AtLeastOneRowIsHeldOutAndOneKept) {
  EXPECT_EQ(split_rows(numbered(2), {}, 0.001, 1, 0).held_out.size(), 1U);
  EXPECT_EQ(split_rows(numbered(2), {}, 0.999, 1, 0).kept.size(), 1U);
  EXPECT_THROW(split_rows(numbered(1), {}, 0.5, 1, 0), Error);
  EXPECT_THROW(split_rows({}, {}, 0.5, 1, 0), Error);
}

}  // namespace
}  // namespace coppice
