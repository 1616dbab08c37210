#include "coppice/data/generate.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using Hand = std::array<Card, 5>;

/// The ranks in suits that make neither a flush nor anything else of their own.
Hand of_mixed_suits(std::array<int, 5> ranks) {
  Hand hand;
  for (std::size_t i = 0; i < hand.size(); ++i)
    hand[i] = {.suit = static_cast<int>(i % 4) + 1, .rank = ranks[i]};
  return hand;
}

TEST(PokerRule, NothingIsNothing) {
  EXPECT_FALSE(counts_as_hand(of_mixed_suits({2, 5, 7, 9, 12})));
}

TEST(PokerRule, PairAndBetter) {
  EXPECT_TRUE(counts_as_hand(of_mixed_suits({9, 2, 5, 12, 9})));
  EXPECT_TRUE(counts_as_hand(of_mixed_suits({13, 1, 5, 1, 13})));
  EXPECT_TRUE(counts_as_hand(of_mixed_suits({4, 4, 4, 4, 10})));
}

TEST(PokerRule, StraightInAnyOrder) {
  EXPECT_TRUE(counts_as_hand(of_mixed_suits({6, 3, 7, 5, 4})));
  EXPECT_TRUE(counts_as_hand(of_mixed_suits({9, 10, 11, 12, 13})));
}

TEST(PokerRule, TheAceIsLowOrHigh) {
  EXPECT_TRUE(counts_as_hand(of_mixed_suits({5, 4, 3, 2, 1})));
  EXPECT_TRUE(counts_as_hand(of_mixed_suits({1, 10, 11, 12, 13})));
}

TEST(PokerRule, NoStraightRunsAroundTheAce) {
  EXPECT_FALSE(counts_as_hand(of_mixed_suits({12, 13, 1, 2, 3})));
  EXPECT_FALSE(counts_as_hand(of_mixed_suits({13, 1, 2, 3, 4})));
  EXPECT_FALSE(counts_as_hand(of_mixed_suits({11, 12, 13, 1, 2})));
}

TEST(PokerRule, FourInARowAreNoStraight) {
  EXPECT_FALSE(counts_as_hand(of_mixed_suits({4, 5, 6, 7, 9})));
}

TEST(PokerRule, FiveOfOneSuitAreAFlush) {
  Hand hand = of_mixed_suits({2, 5, 7, 9, 12});
  for (Card& card : hand) card.suit = 3;
  EXPECT_TRUE(counts_as_hand(hand));
  hand[4].suit = 1;
  EXPECT_FALSE(counts_as_hand(hand));
}

struct Row {
  Hand hand;
  int label = 0;
};

std::vector<Row> parse(const std::string& text) {
  std::vector<Row> rows;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "suit1,rank1,suit2,rank2,suit3,rank3,suit4,rank4,suit5,rank5,label");
  while (std::getline(lines, line)) {
    std::ranges::replace(line, ',', ' ');
    std::istringstream cells(line);
    Row row;
    for (Card& card : row.hand) cells >> card.suit >> card.rank;
    cells >> row.label;
    EXPECT_TRUE(cells && cells.eof()) << line;
    rows.push_back(row);
  }
  return rows;
}

TEST(GeneratePoker, HandsAreFiveDistinctCardsWithTheRightLabel) {
  const std::vector<Row> rows = parse(generate_poker(20000, 3));
  ASSERT_EQ(rows.size(), 20000U);
  std::set<int> seen;
  for (const Row& row : rows) {
    std::set<int> cards;
    for (const Card& card : row.hand) {
      ASSERT_TRUE(card.suit >= 1 && card.suit <= 4 && card.rank >= 1 && card.rank <= 13);
      cards.insert(card.suit * 100 + card.rank);
    }
    ASSERT_EQ(cards.size(), 5U);
    seen.merge(cards);
    ASSERT_EQ(row.label, counts_as_hand(row.hand) ? 1 : 0);
  }
  EXPECT_EQ(seen.size(), 52U);
}

TEST(GeneratePoker, HalfOfTheHandsAreWorthNothing) {
  // 1,302,540 of the 2,598,960 hands hold nothing.
  const std::string text = generate_poker(200000, 1);
  double negative = 0;
  for (std::size_t end = text.find('\n', text.find('\n') + 1); end != std::string::npos;
       end = text.find('\n', end + 1)) {
    negative += text[end - 1] == '0' ? 1 : 0;
  }
  EXPECT_NEAR(negative / 200000, 1302540.0 / 2598960.0, 0.004);
}

TEST(GeneratePoker, ALongerFileBeginsWithAShorterOneAndSeedsDiffer) {
  const std::string text = generate_poker(1000, 5);
  EXPECT_TRUE(text.starts_with(generate_poker(10, 5)));
  EXPECT_NE(text, generate_poker(1000, 6));
  EXPECT_EQ(text, generate_poker(7, 5) + generate_poker(993, 5, 7));
}

}  // namespace
}  // namespace coppice
