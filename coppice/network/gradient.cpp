#include "coppice/network/gradient.h"

#include "coppice/network/norms.h"
#include "coppice/network/passes.h"

#include <utility>

namespace coppice {

namespace {

/// What a layer takes in: the samples below the first layer, the units below elsewhere.
template <class T>
View<const T> input_of(const Workspace<T>& workspace, std::size_t layer) {
  return layer == 0 ? workspace.inputs.view() : workspace.layers[layer - 1].x.view();
}

/// What the layer remembers, which is a share of the batch from now on.
template <class T>
Memory memory_of(const Network<T>& network, std::size_t layer, const Workspace<T>& workspace) {
  if (workspace.seen == nullptr || !network.capped(layer)) return {};
  return {.units = (*workspace.seen)[layer],
          .share = std::min(1.0, static_cast<double>(workspace.inputs.rows()) / workspace.seen_rows)};
}

template <class T>
void forward(const Compute& compute, const Network<T>& network, Workspace<T>& workspace) {
  fit_buffers(network, workspace.inputs.rows(), workspace);
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    LayerBuffers<T>& buffers = workspace.layers[l];
    const View<const T> input = input_of(workspace, l);
    const View<T> y = buffers.y;
    const View<T> x = l + 1 < network.layers.size() ? buffers.x.view() : y;
    linear(compute, network, l, input, y);
    for_unit_tiles(*compute.pool, y.rows, [&](std::size_t first, std::size_t count) {
      normalise(network, l, y, x, first, count, std::span(buffers.mean), std::span(buffers.divisor),
                workspace.weights, std::span(buffers.deviation), memory_of(network, l, workspace));
    });
  }
}

/// Of a tile of units with kinks, g being dE/dx: y moves by -sigma/m where kappa moves by 1.
template <class T>
void kink_gradients(View<const T> g, Activation activation, View<const T> y, View<const T> x,
                    std::span<const T> divisor, std::span<const T> deviation, std::span<double> gradient) {
  with_activation(activation, [&]<Activation A>() {
    for (std::size_t j = 0; j < g.rows; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < g.cols; ++i)
        sum += static_cast<double>(g(j, i)) * static_cast<double>(slope<A>(y(j, i), x(j, i)));
      gradient[j] = -sum * static_cast<double>(deviation[j] / divisor[j]);
    }
  });
}

/// dE/dz of all layers and the weights' gradients, from dE/dy of the outputs.
template <class T>
void backward(const Compute& compute, const Network<T>& network, Workspace<T>& workspace) {
  for (std::size_t l = network.layers.size(); l-- > 0;) {
    LayerBuffers<T>& buffers = workspace.layers[l];
    const bool output = l + 1 == network.layers.size();
    const Matrix<T>& weights = network.layers[l].weights;
    if (!output) buffers.gradient.reshape(buffers.y.rows(), buffers.y.cols());
    buffers.weight_gradient.reshape(weights.rows(), weights.cols());
    buffers.affine_gradient.reshape(network.layers[l].affine.rows(), network.layers[l].affine.cols());
    const View<const T> y = std::as_const(buffers.y).view();
    const View<const T> x = output ? y : std::as_const(buffers.x).view();
    if (!output) {
      product_in_blocks(compute, Op::transposed, network.layers[l + 1].weights.view(), Op::plain,
                        std::as_const(workspace.layers[l + 1].gradient).view(), buffers.gradient.view());
    }
    const bool kinks_learn = workspace.kinks_learn && !network.layers[l].kinks.empty();
    buffers.kink_gradient.resize(kinks_learn ? y.rows : 0);
    for_unit_tiles(*compute.pool, y.rows, [&](std::size_t first, std::size_t count) {
      const View<T> gradient = buffers.gradient.view().block(first, count);
      const auto divisor = std::span<const T>(buffers.divisor).subspan(first, count);
      if (kinks_learn)
        kink_gradients(View<const T>(gradient), network.activation_of(l), y.block(first, count),
                       x.block(first, count), divisor,
                       std::span<const T>(buffers.deviation).subspan(first, count),
                       std::span(buffers.kink_gradient).subspan(first, count));
      if (network.batch_normed(l)) {
        batchnorm_backward(gradient, affine_tile(network.layers[l], first, count), network.activation_of(l),
                           y.block(first, count), x.block(first, count), divisor,
                           buffers.affine_gradient.view().block(first, count), workspace.weights);
      } else {
        capnorm_backward(gradient, network.capped(l), network.activation_of(l), y.block(first, count),
                         x.block(first, count), divisor, workspace.zero_units_learn, workspace.weights,
                         kinks_tile(network.layers[l], first, count, std::span(buffers.deviation)),
                         memory_of(network, l, workspace).block(first, count));
      }
    });
    product_in_blocks(compute, Op::plain, std::as_const(buffers.gradient).view(),
                      l == 0 ? Op::plain : Op::transposed, input_of(workspace, l),
                      buffers.weight_gradient.view());
  }
}

/// The loss of scores that are the outputs times the net's scale; dE/dy * scale into the output layer's gradient.
template <class T>
LossSum scaled_loss(ThreadPool& pool, const Network<T>& network, T scale, Workspace<T>& workspace) {
  LayerBuffers<T>& output = workspace.layers.back();
  workspace.outputs = output.y;
  for (std::size_t k = 0; k < output.y.rows(); ++k)
    for (T& score : output.y.row(k)) score *= network.output_scale;
  const LossSum loss = loss_of_outputs(pool, network, true, scale, workspace);
  workspace.output_scale_gradient = 0;
  for (std::size_t k = 0; k < output.y.rows(); ++k) {
    for (std::size_t i = 0; i < output.y.cols(); ++i) {
      T& gradient = output.gradient(k, i);
      workspace.output_scale_gradient += static_cast<double>(gradient) * static_cast<double>(output.y(k, i));
      gradient *= network.output_scale;
    }
  }
  std::swap(workspace.outputs, output.y);
  return loss;
}

}  // namespace

template <class T>
void gather_batch(ThreadPool& pool, const Dataset& data, std::span<const std::uint32_t> rows,
                  Workspace<T>& workspace) {
  RowReader reader(data, rows);
  gather_batch(pool, reader, 0, rows.size(), workspace);
}

template <class T>
void gather_batch(ThreadPool& pool, RowReader& reader, std::size_t first, std::size_t count,
                  Workspace<T>& workspace) {
  const Dataset& data = reader.data();
  workspace.inputs.reshape(count, data.input_count());
  reader.load(first, count);
  pool.parallel_for(tiles(count, sample_tile), [&](std::size_t tile) {
    const std::size_t begin = tile * sample_tile;
    reader.read(first + begin, workspace.inputs.view().block(begin, std::min(sample_tile, count - begin)));
  });
  workspace.labels.clear();
  workspace.targets.clear();
  workspace.weights.clear();
  for (const std::uint32_t row : reader.rows().subspan(first, count)) {
    if (!data.labels.empty()) workspace.labels.push_back(data.labels[row]);
    if (!data.targets.empty()) workspace.targets.push_back(data.targets[row]);
    if (!data.weights.empty()) workspace.weights.push_back(data.weights[row]);
  }
}

template <class T>
LossSum compute_gradient(const Compute& compute, const Network<T>& network, T scale,
                         Workspace<T>& workspace) {
  forward(compute, network, workspace);
  const LossSum loss = workspace.output_scale_learns
                           ? scaled_loss(*compute.pool, network, scale, workspace)
                           : loss_of_outputs(*compute.pool, network, true, scale, workspace);
  backward(compute, network, workspace);
  return loss;
}

template <class T>
LossSum compute_loss(const Compute& compute, const Network<T>& network, Workspace<T>& workspace) {
  forward(compute, network, workspace);
  return loss_of_outputs(*compute.pool, network, false, T(0), workspace);
}

template void gather_batch(ThreadPool&, const Dataset&, std::span<const std::uint32_t>, Workspace<float>&);
template void gather_batch(ThreadPool&, const Dataset&, std::span<const std::uint32_t>, Workspace<double>&);
template void gather_batch(ThreadPool&, RowReader&, std::size_t, std::size_t, Workspace<float>&);
template void gather_batch(ThreadPool&, RowReader&, std::size_t, std::size_t, Workspace<double>&);
template LossSum compute_gradient(const Compute&, const Network<float>&, float, Workspace<float>&);
template LossSum compute_gradient(const Compute&, const Network<double>&, double, Workspace<double>&);
template LossSum compute_loss(const Compute&, const Network<float>&, Workspace<float>&);
template LossSum compute_loss(const Compute&, const Network<double>&, Workspace<double>&);

}  // namespace coppice
