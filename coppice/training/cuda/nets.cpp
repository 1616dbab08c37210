#include "coppice/training/cuda/nets.h"

#include "coppice/device/cuda/product.h"
#include "coppice/network/cuda/device_dataset.h"

namespace coppice::cuda {

Nets::Nets(const Network<float>& like, std::size_t nets, std::size_t batch, std::vector<int> capacities,
           const Stream& stream)
    : nets_(nets),
      stream_(&stream),
      layers_(capacities.size()),
      widths_(capacities.size() * nets),
      largest_(2 * nets),
      kept_largest_(nets) {
  std::size_t stride = row_stride(like.inputs());
  Extent inputs{.per_net = nullptr, .most = static_cast<int>(like.inputs())};
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const auto capacity = static_cast<std::size_t>(capacities[l]);
    const std::size_t units = nets * capacity;
    LayerArrays& arrays = layers_[l];
    for (Copy& copy : arrays.copies) {
      copy.weights = Array<float>(units * stride);
      copy.average = Array<double>(units);
      copy.filled = Array<double>(units);
    }
    const int parts = product_parts(capacities[l], inputs.most, static_cast<int>(batch), nets);
    arrays.gradient = Array<float>(static_cast<std::size_t>(parts) * units * stride);
    arrays.dots = Array<RowDots>(units);
    arrays.ends = Array<std::uint8_t>(units);
    arrays.died = Array<int>(units);
    arrays.keep = Array<int>(units);
    arrays.lengths = Array<Lengths>(units);
    const Copy& current = arrays.copies[0];
    views_.push_back({.weights = current.weights.data(),
                      .gradient = arrays.gradient.data(),
                      .gradient_parts = parts,
                      .part_stride = units * stride,
                      .net_stride = capacity * stride,
                      .stride = static_cast<int>(stride),
                      .units = {.per_net = widths_.data() + l * nets, .most = capacities[l]},
                      .inputs = inputs,
                      .unit_stride = capacity,
                      .average = current.average.data(),
                      .filled = current.filled.data(),
                      .dots = arrays.dots.data(),
                      .ends = arrays.ends.data(),
                      .died = arrays.died.data(),
                      .hidden = l + 1 < layers_.size()});
    inputs = views_.back().units;
    stride = row_stride(capacity);
  }
  table_ = uploaded(std::span<const FanIns>(views_), stream);
}

void Nets::put(std::size_t net, const NetState& state, Version version) const {
  for (std::size_t l = 0; l < layers(); ++l) {
    const FanIns& view = views_[l];
    const Copy& to = copy_of(l, version);
    const View<const float> weights = state.network.layers[l].weights.view();
    float* slice = to.weights.data() + net * view.net_stride;
    const std::size_t row = static_cast<std::size_t>(view.stride) * sizeof(float);
    fill(slice, 0, view.net_stride * sizeof(float), *stream_);
    copy_rows(slice, row, weights.data, weights.stride * sizeof(float), weights.cols * sizeof(float),
              weights.rows, *stream_);
    const OptimizerState::LayerState& numbers = state.optimizer.layers[l];
    copy(to.average.data() + net * view.unit_stride, numbers.average.data(), weights.rows * sizeof(double),
         *stream_);
    copy(to.filled.data() + net * view.unit_stride, numbers.capacity.data(), weights.rows * sizeof(double),
         *stream_);
  }
  const Largest largest{state.optimizer.largest_average, state.optimizer.largest_capacity};
  copy(largest_of(net, version), &largest, sizeof largest, *stream_);
  stream_->wait();
}

void Nets::get(std::size_t net, NetState& state, Version version) const {
  std::size_t below = static_cast<std::size_t>(views_.front().inputs.most);
  state.optimizer.layers.resize(layers());
  for (std::size_t l = 0; l < layers(); ++l) {
    const FanIns& view = views_[l];
    const Copy& from = copy_of(l, version);
    Layer<float>& layer = state.network.layers[l];
    const std::size_t units = layer.units.size();
    layer.weights = Matrix<float>(units, below);
    const View<float> weights = layer.weights.view();
    copy_rows(weights.data, weights.stride * sizeof(float), from.weights.data() + net * view.net_stride,
              static_cast<std::size_t>(view.stride) * sizeof(float), below * sizeof(float), units, *stream_);
    OptimizerState::LayerState& numbers = state.optimizer.layers[l];
    numbers.average.resize(units);
    numbers.capacity.resize(units);
    copy(numbers.average.data(), from.average.data() + net * view.unit_stride, units * sizeof(double),
         *stream_);
    copy(numbers.capacity.data(), from.filled.data() + net * view.unit_stride, units * sizeof(double),
         *stream_);
    below = units;
  }
  Largest largest;
  copy(&largest, largest_of(net, version), sizeof largest, *stream_);
  stream_->wait();
  state.optimizer.largest_average = largest.average;
  state.optimizer.largest_capacity = largest.filled;
}

void Nets::copy_version(std::size_t net, Version from, Version to) const {
  for (std::size_t l = 0; l < layers(); ++l) {
    const FanIns& view = views_[l];
    const Copy& source = copy_of(l, from);
    const Copy& target = copy_of(l, to);
    copy(target.weights.data() + net * view.net_stride, source.weights.data() + net * view.net_stride,
         view.net_stride * sizeof(float), *stream_);
    const std::size_t first = net * view.unit_stride;
    copy(target.average.data() + first, source.average.data() + first, view.unit_stride * sizeof(double),
         *stream_);
    copy(target.filled.data() + first, source.filled.data() + first, view.unit_stride * sizeof(double),
         *stream_);
  }
  copy(largest_of(net, to), largest_of(net, from), sizeof(Largest), *stream_);
}

void Nets::close_gaps(const std::vector<std::vector<int>>& keep) {
  const int* below = nullptr;
  std::size_t below_stride = 0;
  for (std::size_t l = 0; l < layers(); ++l) {
    const Array<int>& map = layers_[l].keep;
    copy(map.data(), keep[l].data(), map.bytes(), *stream_);
    compact(views_[l], map.data(), below, below_stride, nets_, *stream_);
    below = map.data();
    below_stride = views_[l].unit_stride;
  }
}

void strip(NetState& state) {
  for (Layer<float>& layer : state.network.layers) layer.weights = {};
  for (OptimizerState::LayerState& layer : state.optimizer.layers) layer = {};
}

}  // namespace coppice::cuda
