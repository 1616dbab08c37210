#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace coppice {

// Every row has its own stream of random numbers: a longer file begins with the rows of a shorter one, and can be made a few
// rows at a time, those from `first` on.

/// Suit 1-4; rank 1 (ace) to 13 (king).
struct Card {
  int suit = 1;
  int rank = 1;
};

/// Whether a hand holds at least a pair, a straight (ace low or high) or a flush.
bool counts_as_hand(const std::array<Card, 5>& hand);

/// Poker hands: five distinct cards; inputs suit (1-4) and rank (1-13) of each; label 1 if the hand holds at
/// least a pair, a straight (ace low or high) or a flush, else 0. Csv with header.
std::string generate_poker(std::size_t rows, std::uint64_t seed, std::size_t first = 0);

/// 28x28 images, pixels 0 or 1: label 1 if the white region is convex (an intersection of half-planes), 0 if
/// it is a union of such regions that is not convex; both classes have the same mean area. Amat.
std::string generate_convex(std::size_t rows, std::uint64_t seed, std::size_t first = 0);

/// 28x28 images, pixels in [0, 1]: a rectangle filled from one texture over another; label 1 if it is taller
/// than wide, else 0. Amat.
std::string generate_rectangles(std::size_t rows, std::uint64_t seed, std::size_t first = 0);

}  // namespace coppice
