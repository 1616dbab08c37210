#pragma once

#include "coppice/data/dataset.h"
#include "coppice/device/cuda/runtime.h"

#include <cstdint>

namespace coppice::cuda {

/// Encoded rows in the GPU's memory.
class DeviceDataset {
 public:
  DeviceDataset(const Dataset& data, const Stream& stream);

  const float* inputs() const { return inputs_.data(); }
  int stride() const { return stride_; }  ///< from row to row; a multiple of 4
  const std::uint32_t* labels() const { return labels_.size() > 0 ? labels_.data() : nullptr; }
  const float* targets() const { return targets_.size() > 0 ? targets_.data() : nullptr; }
  /// Null: all rows count the same.
  const float* weights() const { return weights_.size() > 0 ? weights_.data() : nullptr; }

 private:
  int stride_;
  Array<float> inputs_;
  Array<std::uint32_t> labels_;
  Array<float> targets_;
  Array<float> weights_;
};

/// Numbers in a cache line: rows that begin on one are read fastest.
constexpr std::size_t line = 32;

/// Rounded up to a multiple.
constexpr std::size_t padded(std::size_t count, std::size_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

/// From row to row of a matrix: whole lines, unless it is narrow.
constexpr std::size_t row_stride(std::size_t cols) {
  return cols < line ? padded(cols, 4) : padded(cols, line);
}

}  // namespace coppice::cuda
