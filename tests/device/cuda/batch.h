#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/cuda/runtime.h"

#include <cstddef>
#include <span>
#include <vector>

namespace coppice::cuda {

/// One matrix per net, padded as kernels want them; padding holds a number that must not get into results.
class PaddedMatrices {
 public:
  PaddedMatrices(const std::vector<Matrix<float>>& all, std::size_t rows, std::size_t stride)
      : rows_(rows), stride_(stride), host_(all.size() * rows * stride, poison) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < all[i].rows(); ++j) {
        std::ranges::copy(all[i].row(j),
                          host_.begin() + static_cast<std::ptrdiff_t>((i * rows + j) * stride));
      }
    }
    device_ = uploaded(std::span<const float>(host_), stream_);
  }
  static constexpr float poison = 1e30F;

  float* data() const { return device_.data(); }
  std::size_t net_stride() const { return rows_ * stride_; }
  int stride() const { return static_cast<int>(stride_); }
  /// Entry of a net's matrix as it is on the GPU now.
  void download() { host_ = downloaded(device_.data(), device_.size(), stream_); }
  float at(std::size_t net, std::size_t row, std::size_t col) const {
    return host_[(net * rows_ + row) * stride_ + col];
  }

 private:
  std::size_t rows_;
  std::size_t stride_;
  Stream stream_;
  std::vector<float> host_;
  Array<float> device_;
};

}  // namespace coppice::cuda
