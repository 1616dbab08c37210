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

// Tables whose best possible error is known, as csv with a header, the label last.

/// Two normal classes of deviation 1 in 20 inputs, their means 2/sqrt(20) and -2/sqrt(20) in each: 2.3 % err at best.
std::string generate_twonorm(std::size_t rows, std::uint64_t seed, std::size_t first = 0);

/// 20 inputs; label 0: mean 0 and deviation 2, label 1: mean 1/sqrt(20) in each and deviation 1. 1.7 % err at best.
std::string generate_ringnorm(std::size_t rows, std::uint64_t seed, std::size_t first = 0);

/// Three classes, 21 inputs: a random mixture of two of three triangles, and noise of deviation 1. About 14 % err at best.
std::string generate_waveform(std::size_t rows, std::uint64_t seed, std::size_t first = 0);

/// 10 inputs, uniform from -1 to 1; label 1 if an odd number of the first three is above 0. Nothing errs at best.
std::string generate_xor(std::size_t rows, std::uint64_t seed, std::size_t first = 0);

/// Two spirals around each other, 2 inputs, with noise of deviation 0.05.
std::string generate_spirals(std::size_t rows, std::uint64_t seed, std::size_t first = 0);

/// 16 inputs of 0 or 1; label 1 if an odd number of the first five is 1, then a tenth of the labels is turned around.
std::string generate_parity(std::size_t rows, std::uint64_t seed, std::size_t first = 0);

}  // namespace coppice
