#pragma once

#include "coppice/device/cuda/batch.h"
#include "coppice/device/cuda/cut.h"
#include "coppice/device/cuda/runtime.h"
#include "coppice/device/rows.h"

namespace coppice::cuda {

/// Slots in which no unit has died.
constexpr int alive = -1;

/// Free variance and mean of every unit, two numbers each; what is not kept is null.
struct FreeScales {
  float* values = nullptr;
  float* gradient = nullptr;
  float* mean = nullptr;    ///< running means of the gradient
  float* square = nullptr;  ///< running means of its square
};

/// The fan-ins of one layer of every net, a row per unit, and what is remembered of each unit. Units that die
/// leave a zero row here, a zero column above, and an empty slot until `compact`.
struct FanIns {
  float* weights = nullptr;
  float* gradient = nullptr;
  Cut cut{};  ///< the gradient is the sum of parts, laid out alike; optimizers may make the first the sum
  std::size_t part_stride = 0;
  std::size_t net_stride = 0;  ///< of weights and gradient
  int stride = 0;              ///< from row to row; a multiple of 4
  Extent units{};              ///< slots in use
  Extent inputs{};
  std::size_t unit_stride = 0;  ///< of what follows, from net to net
  double* average = nullptr;
  double* filled = nullptr;  ///< how full the running means of squares are
  RowDots* dots = nullptr;
  std::uint8_t* ends = nullptr;  ///< the step reduces the unit to zero
  int* died = nullptr;           ///< the step in which the unit died, or `alive`
  bool hidden = true;            ///< units may die
  // Numbers per weight, laid out as the weights; what an optimizer does not keep is null.
  float* mean = nullptr;          ///< running means of the gradient, or of its angular part
  float* square = nullptr;        ///< running means of the squared gradient
  double* mean_filled = nullptr;  ///< per unit: how full the running means of gradients are
  double* mean_square = nullptr;  ///< per unit: the square of the mean's length, from kernel to kernel
  FreeScales affine{};            ///< null if the layer has none
  float* kinks = nullptr;         ///< per unit: the offset of its kink; null if the layer has none
};

/// Lengths of every hidden unit's fan-in and fan-out, per layer at offset first[l] + net * unit_stride; failed
/// gets 1 for nets with a weight that is not finite.
struct Lengths {
  double fan_in = 0;
  double fan_out = 0;
};
void measure_lengths(const FanIns& layer, const FanIns* above, Lengths* lengths, int* failed,
                     std::size_t nets, const Stream& stream);

/// Closes the gaps that dead units left. Slot j of net i takes what slot keep[i * unit_stride + j] held, or
/// becomes zero if that is negative; columns likewise by keep_below (null: they stay). The gradient's memory
/// is overwritten. Free scales stay: their nets keep their size.
void compact(const FanIns& layer, const int* keep, const int* keep_below, std::size_t below_stride,
             std::size_t nets, const Stream& stream);

}  // namespace coppice::cuda
