#pragma once

#include "coppice/device/cuda/fan_ins.h"

namespace coppice::cuda {

/// A unit to be born.
struct NewUnit {
  int layer = 0;
  std::uint32_t unit = 0;  ///< its id, which names the random numbers of its fan-in
  float kink = 0;          ///< the offset of its kink, if its layer has such
};

/// Births of one moment, in order, for every net. A unit takes the next free slot; the i-th normal number of its
/// stream, over the square root of their number, goes to the i-th living unit below. Fan-out and memory are zero. Or the
/// other way round: a random fan-out to the living units above, and a zero fan-in.
struct Births {
  const FanIns* layers = nullptr;  ///< on the GPU
  int* widths = nullptr;           ///< [layer][net]: what FanIns::units point to
  const int* count = nullptr;      ///< per net
  const NewUnit* all = nullptr;    ///< [net][most]
  int most = 0;
  const std::uint64_t* seeds = nullptr;
  std::uint32_t purpose = 0;
  bool fan_out = false;
};
void grow(const Births& births, std::size_t nets, const Stream& stream);

}  // namespace coppice::cuda
