#include "coppice/data/generate.h"
#include "coppice/data/generate_row.h"

#include <bit>
#include <numeric>

namespace coppice {

namespace {

constexpr int ranks = 13;
constexpr int cards = 52;

/// The top of a shuffled deck: only the five cards that are dealt are shuffled.
std::array<Card, 5> deal(Random& random) {
  std::array<int, cards> deck{};
  std::iota(deck.begin(), deck.end(), 0);
  std::array<Card, 5> hand;
  for (std::size_t i = 0; i < hand.size(); ++i) {
    std::swap(deck[i], deck[i + random.below(cards - i)]);
    hand[i] = {.suit = deck[i] / ranks + 1, .rank = deck[i] % ranks + 1};
  }
  return hand;
}

/// Suits and ranks have at most two digits.
void append_number(std::string& text, int number) {
  if (number >= 10) text += '1';
  text += static_cast<char>('0' + number % 10);
  text += ',';
}

}  // namespace

bool counts_as_hand(const std::array<Card, 5>& hand) {
  unsigned present_ranks = 0;
  unsigned present_suits = 0;
  for (const Card& card : hand) {
    present_ranks |= 1U << card.rank;
    present_suits |= 1U << card.suit;
  }
  constexpr unsigned ace = 1U << 1;
  constexpr unsigned five_in_a_row = 0b11111U;
  constexpr unsigned ten_to_ace = ace | (0b1111U << 10);
  const bool pair = std::popcount(present_ranks) < 5;
  const bool flush = std::popcount(present_suits) == 1;
  const bool straight =
      present_ranks >> std::countr_zero(present_ranks) == five_in_a_row || present_ranks == ten_to_ace;
  return pair || flush || straight;
}

std::string generate_poker(std::size_t rows, std::uint64_t seed, std::size_t first) {
  constexpr std::size_t longest_row = 28;
  std::string text;
  if (first == 0) text = "suit1,rank1,suit2,rank2,suit3,rank3,suit4,rank4,suit5,rank5,label\n";
  text.reserve(text.size() + rows * longest_row);
  for (std::size_t row = first; row < first + rows; ++row) {
    Random random = row_random(seed, GeneratorKind::poker, row);
    const std::array<Card, 5> hand = deal(random);
    for (const Card& card : hand) {
      append_number(text, card.suit);
      append_number(text, card.rank);
    }
    text += counts_as_hand(hand) ? "1\n" : "0\n";
  }
  return text;
}

}  // namespace coppice
