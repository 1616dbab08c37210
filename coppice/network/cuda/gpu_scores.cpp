#include "coppice/network/gpu_scores.h"

#include "coppice/core/fail.h"
#include "coppice/device/cuda/product.h"
#include "coppice/device/gpu.h"
#include "coppice/network/cuda/device_dataset.h"

#include <algorithm>
#include <vector>

namespace coppice {

namespace {

using namespace cuda;

/// A trained layer in the GPU's memory.
struct DeviceLayer {
  Array<float> weights;
  int stride = 0;
  Array<float> mean;
  Array<float> divisor;
  Array<float> affine;  ///< free variance and mean per unit; null if there are none
  Array<float> output;  ///< a row per unit, a column per sample
};

class DeviceNetwork {
 public:
  DeviceNetwork(const Network<float>& network, const Statistics<float>& statistics, std::size_t samples)
      : network_(&network), samples_(padded(samples, 4)) {
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      const View<const float> weights = network.layers[l].weights.view();
      const std::size_t stride = padded(weights.cols, 4);
      DeviceLayer layer{.weights = Array<float>(weights.rows * stride),
                        .stride = static_cast<int>(stride),
                        .mean = uploaded(std::span(statistics.mean[l]), stream_),
                        .divisor = uploaded(std::span(statistics.divisor[l]), stream_),
                        .affine = {},
                        .output = Array<float>(weights.rows * samples_)};
      const View<const float> affine = network.layers[l].affine.view();
      if (affine.rows > 0) {
        layer.affine = Array<float>(2 * affine.rows);
        copy_rows(layer.affine.data(), 2 * sizeof(float), affine.data, affine.stride * sizeof(float),
                  2 * sizeof(float), affine.rows, stream_);
      }
      copy_rows(layer.weights.data(), stride * sizeof(float), weights.data, weights.stride * sizeof(float),
                weights.cols * sizeof(float), weights.rows, stream_);
      layers_.push_back(std::move(layer));
    }
    stream_.wait();
  }

  const Stream& stream() const { return stream_; }

  /// Scores of `count` picked rows, a row per output.
  Matrix<float> run(const DeviceDataset& data, const PickedRows& pick, std::size_t count) const {
    const auto samples = static_cast<int>(count);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const DeviceLayer& layer = layers_[l];
      const auto units = static_cast<int>(network_->layers[l].weights.rows());
      const auto inputs = static_cast<int>(network_->layers[l].weights.cols());
      Product p{.a = {.data = layer.weights.data(), .net_stride = 0, .stride = layer.stride},
                .op_b = l == 0 ? Op::transposed : Op::plain,
                .c = layer.output.data(),
                .c_stride = static_cast<int>(samples_),
                .m = {.per_net = nullptr, .most = units},
                .n = {.per_net = nullptr, .most = samples},
                .k = {.per_net = nullptr, .most = inputs},
                .mean = layer.mean.data(),
                .divisor = layer.divisor.data(),
                .affine = layer.affine.data(),
                .activation = network_->activation_of(l)};
      if (l == 0) {
        p.b = {.data = data.inputs(), .net_stride = 0, .stride = data.stride(), .pick = pick};
      } else {
        p.b = {.data = layers_[l - 1].output.data(), .net_stride = 0, .stride = static_cast<int>(samples_)};
      }
      product(p, 1, Precision::fp32, stream_);
    }
    Matrix<float> scores(network_->outputs(), count);
    copy_rows(scores.view().data, scores.stride() * sizeof(float), layers_.back().output.data(),
              samples_ * sizeof(float), count * sizeof(float), network_->outputs(), stream_);
    stream_.wait();
    return scores;
  }

 private:
  const Network<float>* network_;
  std::size_t samples_;
  Stream stream_;
  std::vector<DeviceLayer> layers_;
};

}  // namespace

Matrix<float> gpu_scores(const Network<float>& network, const Statistics<float>& statistics,
                         const Dataset& data, std::span<const std::uint32_t> rows) {
  constexpr std::size_t chunk = 16384;
  const GpuStatus status = gpu_status();
  if (!status.usable) fail("GPU: {}", status.text);
  Matrix<float> scores(rows.size(), network.outputs());
  if (rows.empty()) return scores;
  const DeviceNetwork device(network, statistics, std::min(chunk, rows.size()));
  const DeviceDataset device_data(data, device.stream());
  const Array<std::uint32_t> device_rows = uploaded(rows, device.stream());
  for (std::size_t first = 0; first < rows.size(); first += chunk) {
    const std::size_t count = std::min(chunk, rows.size() - first);
    const auto start = static_cast<std::uint32_t>(first);
    const Array<std::uint32_t> at = uploaded(std::span(&start, 1), device.stream());
    const Matrix<float> part =
        device.run(device_data, {.all = device_rows.data(), .first = at.data()}, count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < part.rows(); ++k) scores(first + i, k) = part(k, i);
    }
  }
  return scores;
}

}  // namespace coppice
