#include "coppice/data/folds.h"

#include "coppice/core/error.h"
#include "coppice/core/random.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers rows_to(std::size_t count) {
  Numbers rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

/// Rows of each fold, of a stratum or of all.
std::vector<std::size_t> fold_sizes(const Numbers& folds, std::size_t count, const Numbers& rows = {},
                                    const Numbers& strata = {}, std::uint32_t stratum = 0) {
  std::vector<std::size_t> sizes(count);
  for (std::size_t i = 0; i < folds.size(); ++i)
    if (strata.empty() || strata[rows[i]] == stratum) ++sizes.at(folds[i]);
  return sizes;
}

std::size_t difference(const std::vector<std::size_t>& sizes) {
  const auto [least, greatest] = std::ranges::minmax(sizes);
  return greatest - least;
}

RC_GTEST_PROP(Folds, AreEqualAndSpreadEveryStratum, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 9);
  const auto total = *rc::gen::inRange<std::size_t>(2 * count, 300);
  const auto strata = *rc::gen::container<Numbers>(total, rc::gen::inRange(0U, 6U));
  Numbers rows;  // not from 0 and not all: test rows are gone
  for (std::uint32_t row = 1; row < total; ++row)
    if (row % 5 != 2 || total < 20) rows.push_back(row);
  const Numbers folds = assign_folds(rows, {.strata = strata, .groups = {}}, count, 3, 2);
  RC_ASSERT(folds.size() == rows.size());
  RC_ASSERT(difference(fold_sizes(folds, count)) <= 1U);
  for (std::uint32_t stratum = 0; stratum < 6; ++stratum)
    RC_ASSERT(difference(fold_sizes(folds, count, rows, strata, stratum)) <= 1U);
}

RC_GTEST_PROP(Folds, NeverPartAGroupAndAreNeverEmpty, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  const auto total = *rc::gen::inRange<std::size_t>(30, 300);
  const auto groups = *rc::gen::container<Numbers>(total, rc::gen::inRange(100U, 120U));
  const auto strata = *rc::gen::container<Numbers>(total, rc::gen::inRange(0U, 3U));
  const Numbers rows = rows_to(total);
  RC_PRE(std::set(groups.begin(), groups.end()).size() >= count);
  const Numbers folds = assign_folds(rows, {.strata = strata, .groups = groups}, count, 3, 2);
  std::map<std::uint32_t, std::set<std::uint32_t>> seen;
  for (std::size_t i = 0; i < total; ++i) seen[groups[i]].insert(folds[i]);
  for (const auto& [group, of] : seen) RC_ASSERT(of.size() == 1U);
  for (const std::size_t size : fold_sizes(folds, count)) RC_ASSERT(size > 0U);
}

TEST(Folds, GroupsSpreadStrataAndSizesAsFarAsTheyCan) {
  // Twenty groups of five rows each, of which every fourth is of a rare class, and one large group.
  Numbers groups;
  Numbers strata;
  for (std::uint32_t group = 0; group < 20; ++group) {
    for (int k = 0; k < 5; ++k) {
      groups.push_back(group);
      strata.push_back(group % 4 == 0 ? 1 : 0);
    }
  }
  const Numbers rows = rows_to(groups.size());
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Numbers folds = assign_folds(rows, {.strata = strata, .groups = groups}, 5, seed, 2);
    EXPECT_EQ(difference(fold_sizes(folds, 5)), 0U);
    EXPECT_EQ(difference(fold_sizes(folds, 5, rows, strata, 1)), 0U) << seed;
  }
  groups.insert(groups.end(), 40, 99);
  strata.insert(strata.end(), 40, 0);
  const Numbers all = rows_to(groups.size());
  const Numbers folds = assign_folds(all, {.strata = {}, .groups = groups}, 4, 1, 2);
  const std::vector<std::size_t> sizes = fold_sizes(folds, 4);
  EXPECT_EQ(std::ranges::max(sizes), 40U) << "the large group fills a fold by itself";
  EXPECT_GE(std::ranges::min(sizes), 30U);
}

TEST(Folds, DependOnSeedAndStreamOnly) {
  const Numbers rows = rows_to(100);
  Numbers groups(100);
  for (std::size_t i = 0; i < 100; ++i) groups[i] = static_cast<std::uint32_t>(i / 2);
  for (const std::span<const std::uint32_t> by :
       {std::span<const std::uint32_t>(), std::span(std::as_const(groups))}) {
    const SplitBy split{.strata = {}, .groups = by};
    const Numbers folds = assign_folds(rows, split, 5, 7, 2);
    EXPECT_EQ(assign_folds(rows, split, 5, 7, 2), folds);
    EXPECT_NE(assign_folds(rows, split, 5, 8, 2), folds);
    EXPECT_NE(assign_folds(rows, split, 5, 7, 3), folds);
  }
}

TEST(Folds, AClassWithOneRowAndFewRows) {
  const Numbers strata{0, 0, 0, 1, 2};
  for (const std::size_t count : {1, 2, 3, 5})
    EXPECT_LE(difference(
                  fold_sizes(assign_folds(rows_to(5), {.strata = strata, .groups = {}}, count, 1, 2), count)),
              1U);
}

TEST(Folds, FewerRowsOrGroupsThanFoldsAreRefused) {
  const auto message = [](auto&& call) {
    try {
      call();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_EQ(message([] { assign_folds(rows_to(2), {}, 3, 1, 2); }),
            "cannot make 3 folds of 2 rows: every fold needs one; ask for fewer folds or add rows");
  const Numbers groups{4, 4, 4, 4};
  EXPECT_EQ(message([&] { assign_folds(rows_to(4), {.strata = {}, .groups = groups}, 2, 1, 2); }),
            "cannot make 2 folds of 1 group: every fold needs one; ask for fewer folds or add rows");
  EXPECT_THROW(assign_folds({}, {}, 1, 1, 2), Error);
  EXPECT_THROW(assign_folds({}, {.strata = {}, .groups = groups}, 1, 1, 2), Error);
}

TEST(SplitGroups, HoldsOutWholeGroupsNearTheShare) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed, Purpose::generator);
    const std::size_t total = 60 + random.below(340);
    Numbers groups;
    Numbers strata;
    for (std::size_t i = 0; i < total; ++i) {
      groups.push_back(static_cast<std::uint32_t>(5 + random.below(40)));
      strata.push_back(static_cast<std::uint32_t>(random.below(2)));
    }
    const double fraction = 0.1 + random.uniform() / 2;
    const Split split = split_groups(rows_to(total), {.strata = strata, .groups = groups}, fraction, seed, 0);
    std::set<std::uint32_t> kept;
    for (const std::uint32_t row : split.kept) kept.insert(groups[row]);
    for (const std::uint32_t row : split.held_out) EXPECT_FALSE(kept.contains(groups[row]));
    Numbers both = split.kept;
    both.insert(both.end(), split.held_out.begin(), split.held_out.end());
    std::ranges::sort(both);
    EXPECT_EQ(both, rows_to(total));
    const double share = static_cast<double>(split.held_out.size()) / static_cast<double>(total);
    EXPECT_NEAR(share, fraction, 0.05) << seed;
  }
}

TEST(SplitGroups, AddsEachGroupWhereSquaresGrowLeast) {
  Numbers groups(11, 0);
  groups.insert(groups.end(), 4, 1);
  groups.insert(groups.end(), 3, 2);
  const Split split = split_groups(rows_to(18), {.strata = {}, .groups = groups}, 0.3, 1, 0);
  EXPECT_EQ(split.held_out.size(), 4U) << "(11 + 3/2) 3 / 0.7 < (4 + 3/2) 3 / 0.3";
}

TEST(SplitGroups, IsAlikeInTheStrataDrawnByTheSeedAndNeverEmpty) {
  Numbers groups;
  Numbers strata;
  for (std::uint32_t i = 0; i < 200; ++i) {
    groups.push_back(i / 5);
    strata.push_back(i / 5 % 4 == 0 ? 1 : 0);
  }
  const SplitBy by{.strata = strata, .groups = groups};
  const Split split = split_groups(rows_to(200), by, 0.3, 1, 0);
  EXPECT_EQ(split.held_out.size(), 60U);
  EXPECT_EQ(std::ranges::count_if(split.held_out, [&](auto row) { return strata[row] == 1; }), 15);
  EXPECT_EQ(split_groups(rows_to(200), by, 0.3, 1, 0).held_out, split.held_out);
  EXPECT_NE(split_groups(rows_to(200), by, 0.3, 2, 0).held_out, split.held_out);
  const Numbers two{7, 7, 7, 9};
  for (const double fraction : {0.05, 0.95}) {
    const Split halves = split_groups(rows_to(4), {.strata = {}, .groups = two}, fraction, 1, 0);
    EXPECT_EQ(std::min(halves.kept.size(), halves.held_out.size()), 1U) << fraction;
  }
  const Numbers one{3, 3};
  EXPECT_THROW(split_groups(rows_to(2), {.strata = {}, .groups = one}, 0.5, 1, 0), Error);
  EXPECT_THROW(split_groups({}, {.strata = {}, .groups = one}, 0.5, 1, 0), Error);
}

TEST(QuantileStrata, CutNumbersIntoEqualParts) {
  EXPECT_EQ(quantile_strata(std::vector<float>{5, 1, 4, 2, 3, 0}, 3), (Numbers{2, 0, 2, 1, 1, 0}));
  EXPECT_EQ(quantile_strata(std::vector<float>{1, 1, 1, 1}, 4), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(quantile_strata(std::vector<float>{0, 0, 0, 7}, 2), (Numbers{0, 0, 0, 1}));
  EXPECT_EQ(quantile_strata(std::vector<float>{2, 1}, 10), (Numbers{5, 0}));
  EXPECT_TRUE(quantile_strata({}, 3).empty());
}

}  // namespace
}  // namespace coppice
