#pragma once

#include "coppice/core/matrix.h"
#include "coppice/exports/lowered.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coppice {

/// An input whose levels are multiplied by 2^shift, and whose weights are smaller by as much: one that hardly varies has large
/// weights, and the 127 steps of a unit's weights would be spread over them.
struct SteepInput {
  std::uint16_t input = 0;
  std::uint8_t shift = 0;
};

/// As far as levels of 16 bits go.
constexpr int most_shift_of_levels = 6;

/// So many inputs of a model may be steep.
constexpr std::size_t most_steep(std::size_t inputs) {
  return 4 + inputs / 8;
}

/// The inputs that are better steep: for which the weights of the units that they go to, rounded to 8 bits, put the sums over
/// these levels (0 to `top`) less far off, beside how much the sums vary.
std::vector<SteepInput> steep_inputs(const LoweredModel& model, const Matrix<float>& levels, double top);

}  // namespace coppice
