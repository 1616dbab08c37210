#include "coppice/network/cuda/device_dataset.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace coppice::cuda {

DeviceDataset::DeviceDataset(const Dataset& data, const Stream& stream)
    : stride_(static_cast<int>(row_stride(data.input_count()))),
      inputs_(data.rows() * static_cast<std::size_t>(stride_)),
      labels_(uploaded(std::span(data.labels), stream)),
      targets_(uploaded(std::span(data.targets), stream)),
      weights_(uploaded(std::span(data.weights), stream)) {
  const auto put = [&](std::size_t first, View<const float> rows) {
    copy_rows(inputs_.data() + first * static_cast<std::size_t>(stride_),
              static_cast<std::size_t>(stride_) * sizeof(float), rows.data, rows.stride * sizeof(float),
              rows.cols * sizeof(float), rows.rows, stream);
    stream.wait();
  };
  if (!data.packed) {
    put(0, data.inputs.view());
    return;
  }
  constexpr std::size_t block = 8192;
  for (std::size_t first = 0; first < data.rows(); first += block) {
    std::vector<std::uint32_t> rows(std::min(block, data.rows() - first));
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
    put(first, inputs_of(data, rows).view());
  }
}

}  // namespace coppice::cuda
