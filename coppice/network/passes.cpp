#include "coppice/network/passes.h"

#include "coppice/device/product.h"

namespace coppice {

template <class T>
void linear_first(ThreadPool& pool, const Network<T>& network, View<const T> samples, View<T> z) {
  const View<const T> weights = network.layers.front().weights.view();
  const std::size_t across = tiles(samples.rows, sample_tile);
  pool.parallel_for(tiles(z.rows, unit_block) * across, [&](std::size_t block) {
    const std::size_t unit = block / across * unit_block;
    const std::size_t units = std::min(unit_block, z.rows - unit);
    const std::size_t sample = block % across * sample_tile;
    const std::size_t count = std::min(sample_tile, samples.rows - sample);
    product(Op::plain, weights.block(unit, units), Op::transposed, samples.block(sample, count),
            z.block(unit, units).columns(sample, count));
  });
}

template <class T>
void linear(const Network<T>& network, std::size_t layer, View<const T> input, std::size_t first,
            std::size_t count, View<T> z) {
  product(Op::plain, network.layers[layer].weights.view().block(first, count), Op::plain, input,
          z.block(first, count));
}

template <class T>
LossSum loss_of_outputs(ThreadPool& pool, const Network<T>& network, bool with_gradient, T scale,
                        Workspace<T>& workspace) {
  LayerBuffers<T>& output = workspace.layers.back();
  const std::size_t samples = output.y.cols();
  if (with_gradient) output.gradient.reshape(output.y.rows(), samples);
  workspace.partial.assign(tiles(samples, sample_tile), {});
  pool.parallel_for(workspace.partial.size(), [&](std::size_t tile) {
    const std::size_t first = tile * sample_tile;
    const std::size_t count = std::min(sample_tile, samples - first);
    const View<const T> scores = output.y.view().columns(first, count);
    const View<T> gradient = with_gradient ? output.gradient.view().columns(first, count) : View<T>{};
    if (workspace.labels.empty()) {
      workspace.partial[tile] = squared_error(
          scores, std::span<const float>(workspace.targets).subspan(first, count), scale, gradient);
    } else {
      workspace.partial[tile] = cross_entropy(
          scores, std::span<const T>(network.offset),
          std::span<const std::uint32_t>(workspace.labels).subspan(first, count), scale, gradient);
    }
  });
  LossSum total;
  for (const LossSum& partial : workspace.partial) total += partial;
  return total;
}

template <class T>
void fit_buffers(const Network<T>& network, std::size_t samples, Workspace<T>& workspace) {
  workspace.layers.resize(network.layers.size());
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    LayerBuffers<T>& buffers = workspace.layers[l];
    const std::size_t units = network.layers[l].weights.rows();
    buffers.y.reshape(units, samples);
    if (l + 1 < network.layers.size()) buffers.x.reshape(units, samples);
    buffers.mean.resize(units);
    buffers.divisor.resize(units);
  }
}

template void linear_first(ThreadPool&, const Network<float>&, View<const float>, View<float>);
template void linear_first(ThreadPool&, const Network<double>&, View<const double>, View<double>);
template void linear(const Network<float>&, std::size_t, View<const float>, std::size_t, std::size_t,
                     View<float>);
template void linear(const Network<double>&, std::size_t, View<const double>, std::size_t, std::size_t,
                     View<double>);
template LossSum loss_of_outputs(ThreadPool&, const Network<float>&, bool, float, Workspace<float>&);
template LossSum loss_of_outputs(ThreadPool&, const Network<double>&, bool, double, Workspace<double>&);
template void fit_buffers(const Network<float>&, std::size_t, Workspace<float>&);
template void fit_buffers(const Network<double>&, std::size_t, Workspace<double>&);

}  // namespace coppice
