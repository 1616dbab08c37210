#pragma once

#include "coppice/core/matrix.h"
#include "coppice/data/dataset.h"
#include "coppice/exports/lowered.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// A layer of 8-bit weights over levels (0 to 255): sum = weights x + bias, in 32 bits.
/// Hidden: level = (sum * multiplier >> shift) + zero, rounded, after the nonlinearity. Last: score = sum * scale.
struct QuantizedLayer {
  std::size_t units = 0;
  std::size_t inputs = 0;
  std::vector<std::int8_t> weights;
  std::vector<std::int32_t> bias;
  // hidden
  std::vector<std::int32_t> multiplier;
  std::vector<std::uint8_t> zero;  ///< the level of 0; empty: 0 everywhere
  int shift = 0;
  // last
  std::vector<float> scale;
};

struct QuantizedNet {
  std::vector<std::uint32_t> inputs;
  std::vector<QuantizedLayer> layers;
};

/// A model whose nets take levels: level of input i = (raw - offset) * factor, rounded, with the scales of `lowered`, whose
/// own nets are those that the 8-bit ones stand for.
struct QuantizedModel {
  LoweredModel lowered;
  Activation activation = Activation::identity;
  std::vector<QuantizedNet> nets;
};

/// The nearest level.
std::uint8_t to_level(double value);

/// tanh of hidden units is looked up: (sum * multiplier >> shift) + half the table's size is the place.
constexpr std::size_t tanh_places = 1024;
constexpr double tanh_places_per_unit = 128;
std::vector<std::uint8_t> tanh_table();

/// Whether sums of so many products surely fit into 32 bits.
constexpr bool fits_sums(std::size_t inputs) {
  return inputs <= (std::size_t{1} << 30U) / (127U * 255U);
}

/// The levels of an encoded row, before rounding.
std::vector<float> levels_of(const LoweredModel& model, const QuantizedModel& quantized,
                             std::span<const float> inputs);

/// Weights by the largest of each unit, levels by what the units say about these encoded rows, biases so that the mean of
/// what a unit says about them stays.
QuantizedModel quantize(const LoweredModel& model, const Matrix<float>& inputs);

/// The scores of encoded rows, averaged over the nets, as C computes them.
Matrix<float> quantized_scores(const LoweredModel& model, const QuantizedModel& quantized,
                               const Matrix<float>& inputs);

}  // namespace coppice
