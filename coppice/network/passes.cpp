#include "coppice/network/passes.h"

namespace coppice {

namespace {

/// [0, size) in equal parts of about `longest` at most, up to rounding to a multiple of what vector registers
/// hold. More than one part means an even number, so that two or four threads have the same share.
class Parts {
 public:
  Parts(std::size_t size, std::size_t longest, std::size_t multiple)
      : size_(size), count_(tiles(size, longest)), multiple_(multiple) {
    if (count_ > 1) count_ += count_ % 2;
  }
  std::size_t count() const { return count_; }
  std::size_t begin(std::size_t i) const {
    const std::size_t even = i * size_ / count_;
    return std::min(size_, (even + multiple_ / 2) / multiple_ * multiple_);
  }
  std::size_t size(std::size_t i) const { return (i + 1 == count_ ? size_ : begin(i + 1)) - begin(i); }

 private:
  std::size_t size_;
  std::size_t count_;
  std::size_t multiple_;
};

}  // namespace

template <class T>
void product_in_blocks(const Compute& compute, Op op_a, View<const T> a, Op op_b, View<const T> b,
                       View<T> c) {
  const Parts rows(c.rows, block_rows, 24);
  const Parts cols(c.cols, block_cols, 16);
  compute.pool->parallel_for(rows.count() * cols.count(), [&](std::size_t block) {
    const std::size_t row = rows.begin(block / cols.count());
    const std::size_t height = rows.size(block / cols.count());
    const std::size_t col = cols.begin(block % cols.count());
    const std::size_t width = cols.size(block % cols.count());
    product(compute.precision, op_a, op_a == Op::plain ? a.block(row, height) : a.columns(row, height), op_b,
            op_b == Op::plain ? b.columns(col, width) : b.block(col, width),
            c.block(row, height).columns(col, width));
  });
}

template <class T>
void linear(const Compute& compute, const Network<T>& network, std::size_t layer, View<const T> input,
            View<T> z) {
  product_in_blocks(compute, Op::plain, network.layers[layer].weights.view(),
                    layer == 0 ? Op::transposed : Op::plain, input, z);
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
    const std::span<const float> all = workspace.weights;
    const std::span<const float> weights = all.empty() ? all : all.subspan(first, count);
    if (workspace.labels.empty()) {
      workspace.partial[tile] = squared_error(
          scores, std::span<const float>(workspace.targets).subspan(first, count), scale, gradient, weights);
    } else {
      workspace.partial[tile] =
          cross_entropy(scores, std::span<const T>(network.offset),
                        std::span<const std::uint32_t>(workspace.labels).subspan(first, count), scale,
                        gradient, weights, with_gradient ? workspace.label_smoothing : T(0));
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
    buffers.deviation.resize(network.layers[l].kinks.size());
  }
}

template void product_in_blocks(const Compute&, Op, View<const float>, Op, View<const float>, View<float>);
template void product_in_blocks(const Compute&, Op, View<const double>, Op, View<const double>, View<double>);
template void linear(const Compute&, const Network<float>&, std::size_t, View<const float>, View<float>);
template void linear(const Compute&, const Network<double>&, std::size_t, View<const double>, View<double>);
template LossSum loss_of_outputs(ThreadPool&, const Network<float>&, bool, float, Workspace<float>&);
template LossSum loss_of_outputs(ThreadPool&, const Network<double>&, bool, double, Workspace<double>&);
template void fit_buffers(const Network<float>&, std::size_t, Workspace<float>&);
template void fit_buffers(const Network<double>&, std::size_t, Workspace<double>&);

}  // namespace coppice
