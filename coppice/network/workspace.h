#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/capnorm.h"
#include "coppice/device/loss.h"
#include "coppice/device/rows.h"
#include "coppice/device/step_tally.h"
#include "coppice/device/weight_rows.h"
#include "coppice/network/network.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// What one layer leaves behind for the backward pass; units are rows, samples are columns.
template <class T>
struct LayerBuffers {
  Matrix<T> y;                ///< after CapNorm
  Matrix<T> x;                ///< after the nonlinearity; unused in the output layer
  Matrix<T> gradient;         ///< dE/dz
  Matrix<T> weight_gradient;  ///< dE/dW
  Matrix<T> affine_gradient;  ///< of the layer's free means and variances, if it has them
  std::vector<T> mean;
  std::vector<T> divisor;
  std::vector<T> deviation;           ///< of units whose kinks have offsets
  std::vector<double> kink_gradient;  ///< dE/dkappa of those units, where kinks learn
};

/// Memory that passes over a network write to; kept between steps so that nothing is allocated inside an
/// epoch.
template <class T>
struct Workspace {
  Matrix<T> inputs;  ///< gathered samples, one per row
  std::vector<std::uint32_t> labels;
  std::vector<float> targets;
  std::vector<float> weights;  ///< of the samples; empty: all count the same
  std::vector<LayerBuffers<T>> layers;
  std::vector<LossSum> partial;
  /// A unit with a zero fan-in stands at relu's kink for every sample. If such units are to learn, they get the slope
  /// from the right.
  bool zero_units_learn = false;
  T label_smoothing = 0;  ///< of the loss that gradients are taken of
  bool kinks_learn = false;
  bool output_scale_learns = false;
  double output_scale_gradient = 0;  ///< by the logarithm of the scale, if it learns
  /// What CapNorm remembers of every layer's units, and of how many rows; null: nothing.
  std::vector<std::vector<SeenUnit>>* seen = nullptr;
  double seen_rows = 0;
  Matrix<T> outputs;  ///< while the output layer's y holds scores that are scaled
  // Of one layer's units, for the optimizer.
  std::vector<RowDots> dots;
  std::vector<RowScale> scales;
  std::vector<RowMix> mixes;
  std::vector<RowTurn> turns;
  std::vector<double> squares;
  std::vector<StepTally> tallies;  ///< per layer, of steps that turn fan-ins; whoever reads them empties them
};

/// CapNorm's two numbers for every unit of every layer, fixed for a trained network.
template <class T>
struct Statistics {
  std::vector<std::vector<T>> mean;
  std::vector<std::vector<T>> divisor;

  bool operator==(const Statistics&) const = default;
};

/// Work is cut into tiles of this many units or samples, whatever the number of threads: results don't depend
/// on it.
constexpr std::size_t unit_tile = 32;
constexpr std::size_t sample_tile = 128;
/// Blocks of a product's result: large enough for preparing both sides to cost little, small enough for many
/// threads (docs/performance.md has the times).
constexpr std::size_t block_rows = 256;
constexpr std::size_t block_cols = 128;

constexpr std::size_t tiles(std::size_t count, std::size_t tile) {
  return (count + tile - 1) / tile;
}

}  // namespace coppice
