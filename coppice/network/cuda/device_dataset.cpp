#include "coppice/network/cuda/device_dataset.h"

#include <span>

namespace coppice::cuda {

DeviceDataset::DeviceDataset(const Dataset& data, const Stream& stream)
    : stride_(static_cast<int>(row_stride(data.inputs.cols()))),
      inputs_(data.rows() * static_cast<std::size_t>(stride_)),
      labels_(uploaded(std::span(data.labels), stream)),
      targets_(uploaded(std::span(data.targets), stream)),
      weights_(uploaded(std::span(data.weights), stream)) {
  const View<const float> rows = data.inputs.view();
  copy_rows(inputs_.data(), static_cast<std::size_t>(stride_) * sizeof(float), rows.data,
            rows.stride * sizeof(float), rows.cols * sizeof(float), rows.rows, stream);
  stream.wait();
}

}  // namespace coppice::cuda
