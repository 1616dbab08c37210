#include "coppice/training/cuda/nets.h"

#include "coppice/device/cuda/product.h"
#include "coppice/network/cuda/device_dataset.h"

namespace coppice::cuda {

/// Of the nets as they are.
FanIns Nets::view_of(const LayerArrays& arrays) {
  const LayerCopy& current = arrays.copies[static_cast<std::size_t>(Version::current)];
  return {.weights = current.weights.data(),
          .gradient = arrays.gradient.data(),
          .average = current.average.data(),
          .filled = current.filled.data(),
          .dots = arrays.dots.data(),
          .ends = arrays.ends.data(),
          .died = arrays.died.data(),
          .mean = current.mean.data(),
          .square = current.square.data(),
          .mean_filled = current.mean_filled.data(),
          .mean_square = arrays.mean_square.data(),
          .affine = {.values = current.affine.data(),
                     .gradient = arrays.affine_gradient.data(),
                     .mean = current.affine_mean.data(),
                     .square = current.affine_square.data()},
          .kinks = current.kinks.data()};
}

Nets::Nets(const Network<float>& like, std::size_t nets, std::size_t batch,
           const std::vector<int>& capacities, const NetMemory& memory, int expected, const Stream& stream)
    : nets_(nets),
      expected_(expected),
      inputs_(static_cast<int>(like.inputs())),
      stream_(&stream),
      layers_(capacities.size()),
      widths_(capacities.size() * nets),
      largest_(2 * nets),
      kept_largest_(nets) {
  std::size_t stride = row_stride(like.inputs());
  Extent inputs{.per_net = nullptr, .most = inputs_};
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const auto capacity = static_cast<std::size_t>(capacities[l]);
    const std::size_t units = nets * capacity;
    const bool hidden = l + 1 < layers_.size();
    LayerArrays& arrays = layers_[l];
    for (LayerCopy& copy : arrays.copies) {
      copy = LayerCopy::make(nets, {.units = capacity, .row = stride}, hidden, memory);
    }
    const Cut cut = cut_for(gradient_load(l), static_cast<int>(batch));
    arrays.gradient = Array<float>(static_cast<std::size_t>(cut.most) * units * stride);
    if (memory.affine && hidden) arrays.affine_gradient = Array<float>(2 * units);
    arrays.dots = Array<RowDots>(units);
    if (memory.means) arrays.mean_square = Array<double>(units);
    arrays.ends = Array<std::uint8_t>(units);
    arrays.died = Array<int>(units);
    arrays.keep = Array<int>(units);
    arrays.lengths = Array<Lengths>(units);
    FanIns& view = views_.emplace_back(view_of(arrays));
    view.cut = cut;
    view.part_stride = units * stride;
    view.net_stride = capacity * stride;
    view.stride = static_cast<int>(stride);
    view.units = {.per_net = widths_.data() + l * nets, .most = capacities[l]};
    view.inputs = inputs;
    view.unit_stride = capacity;
    view.hidden = hidden;
    inputs = view.units;
    stride = row_stride(capacity);
  }
  table_ = uploaded(std::span<const FanIns>(views_), stream);
}

void Nets::put(std::size_t net, const NetState& state, Version version) const {
  for (std::size_t l = 0; l < layers(); ++l) {
    copy_of(l, version).put(net, strides(l), state.network.layers[l], state.optimizer.layers[l], *stream_);
  }
  const Largest largest{state.optimizer.largest_average, state.optimizer.largest_capacity};
  copy(largest_of(net, version), &largest, sizeof largest, *stream_);
  stream_->wait();
}

void Nets::get(std::size_t net, NetState& state, Version version) const {
  auto below = static_cast<std::size_t>(views_.front().inputs.most);
  state.optimizer.layers.resize(layers());
  for (std::size_t l = 0; l < layers(); ++l) {
    Layer<float>& layer = state.network.layers[l];
    copy_of(l, version).get(net, strides(l), below, layer, state.optimizer.layers[l], *stream_);
    below = layer.units.size();
  }
  Largest largest;
  copy(&largest, largest_of(net, version), sizeof largest, *stream_);
  stream_->wait();
  state.optimizer.largest_average = largest.average;
  state.optimizer.largest_capacity = largest.filled;
}

void Nets::copy_version(std::size_t net, Version from, Version to) const {
  for (std::size_t l = 0; l < layers(); ++l) {
    copy_of(l, to).copy_from(copy_of(l, from), net, strides(l), *stream_);
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
  for (Layer<float>& layer : state.network.layers) {
    layer.weights = {};
    layer.affine = {};
    layer.kinks = {};
  }
  for (OptimizerState::LayerState& layer : state.optimizer.layers) layer = {};
}

}  // namespace coppice::cuda
