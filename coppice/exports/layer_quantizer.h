#pragma once

#include "coppice/core/matrix.h"
#include "coppice/exports/level_range.h"
#include "coppice/exports/quantized.h"
#include "coppice/exports/weight_rounding.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace coppice {

/// What goes into a layer: as real numbers, and as levels with what they are worth.
struct Signals {
  Matrix<float> real;
  Matrix<std::uint16_t> levels;
  std::vector<double> low;
  std::vector<double> step;
};

/// Turns one layer into 8 bits, looking at what goes into it for the calibration's rows.
class LayerQuantizer {
 public:
  LayerQuantizer(const DenseLayer& layer, const Signals& in);

  QuantizedLayer last();

  /// What goes on from a hidden layer, with room for that much more than its units say here.
  std::pair<QuantizedLayer, Signals> hidden(double room);

 private:
  void unit(std::size_t j);
  /// Of what a hidden unit says in real numbers, which are put into `real`, and in 8 bits.
  LevelRange range_of(std::size_t j, double room, Matrix<float>& real) const;
  /// As large as 32 bits allow, with one shift for all units.
  void set_multipliers(const std::vector<double>& factors);

  const DenseLayer& layer_;
  const Signals& in_;
  WeightRounding rounding_;
  QuantizedLayer made_;
  std::vector<double> scale_;
  Matrix<std::int32_t> sums_;
  Matrix<float> real_;
};

}  // namespace coppice
