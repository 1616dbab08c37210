#pragma once

#include "coppice/core/matrix.h"
#include "coppice/data/dataset.h"
#include "coppice/exports/lowered.h"
#include "coppice/exports/steep_inputs.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// The largest level of what goes from layer to layer, in 8 bits.
constexpr double top_level = 255;
/// Inputs that are scaled by column have 10 bits, which cost no flash: nets of few inputs would feel how coarse 8 are. A half, a
/// third, a quarter and the like are levels, not just between two of them.
constexpr double top_wide_level = 960;

/// A layer of 8-bit weights over levels (whole numbers from 0): sum = weights x + bias, in 32 bits.
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
/// own nets are those that the 8-bit ones stand for. The levels of steep inputs are then shifted.
struct QuantizedModel {
  LoweredModel lowered;
  Activation activation = Activation::identity;
  double top_input_level = top_level;
  std::vector<SteepInput> steep;
  std::vector<QuantizedNet> nets;
};

/// The nearest level from 0 to `top`.
std::uint16_t to_level(double value, double top);

/// The level that a hidden unit makes of its sum.
std::uint8_t hidden_level(const QuantizedLayer& layer, Activation activation, std::size_t j,
                          std::int32_t sum);

/// tanh of hidden units is looked up: (sum * multiplier >> shift) + half the table's size is the place.
constexpr std::size_t tanh_places = 1024;
constexpr double tanh_places_per_unit = 128;
std::vector<std::uint8_t> tanh_table();

/// Whether sums of so many products surely fit into 32 bits.
constexpr bool fits_sums(std::size_t inputs, double top) {
  return static_cast<double>(inputs) <= (1 << 30) / (127 * top);
}

/// The largest level of a model's inputs.
double top_input_level(const LoweredModel& model);

/// The levels of an encoded row, before they are rounded and those of steep inputs shifted.
std::vector<float> levels_of(const LoweredModel& model, const QuantizedModel& quantized,
                             std::span<const float> inputs);

/// The same as the nets take them: rounded, and shifted where inputs are steep.
std::vector<std::uint16_t> whole_levels(const QuantizedModel& model, std::span<const float> levels);

/// Other rows go beyond those of the calibration: by so much of what these span, cells at either end and units at the upper
/// one, there is room. The more rows were looked at, the less is needed.
struct LevelRoom {
  double cells = 0.25;
  double units = 0.5;
};
constexpr LevelRoom room_after_many_rows{.cells = 0.02, .units = 0.1};

/// Levels by what the units say about these encoded rows, weights such that the sums over them come out right, biases so that
/// the mean of what a unit says about them stays.
QuantizedModel quantize(const LoweredModel& model, const Matrix<float>& inputs, const LevelRoom& room = {});

/// The scores of encoded rows, averaged over the nets, as C computes them.
Matrix<float> quantized_scores(const LoweredModel& model, const QuantizedModel& quantized,
                               const Matrix<float>& inputs);

}  // namespace coppice
