#include "coppice/network/row_shares.h"

#include "coppice/device/capnorm.h"
#include "coppice/device/loss.h"
#include "coppice/device/rows.h"
#include "coppice/device/signals.h"
#include "coppice/network/passes.h"

#include <numeric>
#include <utility>

namespace coppice {

namespace {

constexpr const char* name = "a message about rows";
constexpr std::size_t chunk_rows = 1000;

Network<float> get_weights(ByteReader& from) {
  Network<float> network;
  network.activation = from.get<Activation>();
  network.norm = from.get<Norm>();
  network.output_capnorm = from.get<bool>();
  network.offset = from.get_vector<float>();
  network.layers.resize(from.get<std::uint64_t>());
  for (Layer<float>& layer : network.layers) layer.weights = from.get_matrix<float>();
  return network;
}

View<const float> input_of(const Workspace<float>& workspace, std::size_t layer) {
  return layer == 0 ? workspace.inputs.view() : workspace.layers[layer - 1].x.view();
}

/// After the nonlinearity; of the outputs, which have none, before it.
View<float> x_of(const Network<float>& network, Workspace<float>& workspace, std::size_t layer) {
  return layer + 1 < network.layers.size() ? workspace.layers[layer].x.view()
                                           : workspace.layers[layer].y.view();
}

void apply(const Compute& compute, const Network<float>& network, std::size_t layer,
           Workspace<float>& workspace, std::span<const float> mean, std::span<const float> divisor) {
  const View<float> y = workspace.layers[layer].y;
  const View<float> x = x_of(network, workspace, layer);
  for_unit_tiles(*compute.pool, y.rows, [&](std::size_t first, std::size_t count) {
    capnorm_apply(y.block(first, count), network.activation_of(layer), x.block(first, count),
                  mean.subspan(first, count), divisor.subspan(first, count));
  });
}

}  // namespace

void put_weights(ByteWriter& to, const Network<float>& network) {
  to.put(network.activation);
  to.put(network.norm);
  to.put(network.output_capnorm);
  to.put(network.offset);
  to.put<std::uint64_t>(network.layers.size());
  for (const Layer<float>& layer : network.layers) to.put(layer.weights);
}

Matrix<float> tree_sum(ThreadPool& pool, std::span<Matrix<float>> matrices) {
  for (std::size_t apart = 1; apart < matrices.size(); apart *= 2) {
    for (std::size_t i = 0; i < matrices.size(); i += 2 * apart) {
      for_unit_tiles(pool, matrices[i].rows(), [&](std::size_t first, std::size_t count) {
        for (std::size_t j = first; j < first + count; ++j) {
          const std::span<float> sum = matrices[i].row(j);
          const std::span<const float> added = matrices[i + apart].row(j);
          for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += added[k];
        }
      });
    }
  }
  return std::move(matrices.front());
}

HeldShares::HeldShares(const Dataset& data, std::size_t first, std::size_t count)
    : data_(&data), first_(first), shares_(count) {
  if (!data.packed || !data.packed->in_file()) return;
  for (std::size_t s = 0; s < count; ++s) {
    std::vector<std::uint32_t> rows;
    for (std::size_t row = first + s; row < data.rows(); row += row_shares)
      rows.push_back(static_cast<std::uint32_t>(row));
    shares_[s].held.emplace(data.packed->in_memory(rows));
  }
}

std::string HeldShares::answer(const Compute& compute, std::string_view question) {
  const SignalPause pause;
  ByteReader from(question, name);
  ByteWriter to;
  switch (from.get<ShareQuestion>()) {
    case ShareQuestion::forward:
      forward(compute, from, to);
      break;
    case ShareQuestion::loss:
      loss(compute, from, to);
      break;
    case ShareQuestion::backward:
      backward(compute, from, to);
      break;
    case ShareQuestion::evaluate:
      evaluate(compute, from, to);
      break;
  }
  return std::move(to.bytes());
}

template <class Body>
void HeldShares::for_shares(const Compute& compute, const Body& body) {
  compute.pool->parallel_for(shares_.size(), [&](std::size_t s) { body(shares_[s], s); });
}

/// The rows of each share, in their order.
std::vector<std::vector<std::uint32_t>> HeldShares::divided(const std::vector<std::uint32_t>& rows) const {
  std::vector<std::vector<std::uint32_t>> own(shares_.size());
  for (const std::uint32_t row : rows) {
    const std::size_t share = share_of_row(row) - first_;  // below: a large number
    if (share < own.size()) own[share].push_back(row);
  }
  return own;
}

void HeldShares::gather(Share& share, std::span<const std::uint32_t> rows) const {
  Workspace<float>& workspace = share.workspace;
  workspace.inputs.reshape(rows.size(), data_->input_count());
  if (share.held) {
    std::vector<std::uint32_t> places(rows.begin(), rows.end());
    for (std::uint32_t& place : places) place = static_cast<std::uint32_t>(place / row_shares);
    share.held->read(places, workspace.inputs);
  } else if (data_->packed) {
    data_->packed->read(rows, workspace.inputs);
  } else {
    gather_rows(data_->inputs.view(), rows, workspace.inputs.view());
  }
  workspace.labels.clear();
  workspace.targets.clear();
  workspace.weights.clear();
  for (const std::uint32_t row : rows) {
    if (!data_->labels.empty()) workspace.labels.push_back(data_->labels[row]);
    if (!data_->targets.empty()) workspace.targets.push_back(data_->targets[row]);
    if (!data_->weights.empty()) workspace.weights.push_back(data_->weights[row]);
  }
}

/// Mean and divisor of a layer's units: its z become y and x.
void HeldShares::take_normalisation(const Compute& compute, std::size_t layer, ByteReader& from) {
  const std::vector<float> mean = from.get_vector<float>();
  const std::vector<float> divisor = from.get_vector<float>();
  for_shares(compute, [&](Share& share, std::size_t) {
    share.workspace.layers[layer].divisor = divisor;
    apply(compute, network_, layer, share.workspace, mean, divisor);
  });
}

void HeldShares::forward(const Compute& compute, ByteReader& from, ByteWriter& to) {
  const auto layer = static_cast<std::size_t>(from.get<std::uint64_t>());
  if (layer == 0) {
    network_ = get_weights(from);
    const auto rows = divided(from.get_vector<std::uint32_t>());
    for_shares(compute, [&](Share& share, std::size_t s) {
      gather(share, rows[s]);
      fit_buffers(network_, rows[s].size(), share.workspace);
    });
  } else {
    take_normalisation(compute, layer - 1, from);
  }
  for_shares(compute, [&](Share& share, std::size_t) {
    const View<float> z = share.workspace.layers[layer].y;
    share.moments.assign(z.rows, {});
    if (z.cols == 0) return;
    linear(compute, network_, layer, input_of(share.workspace, layer), z);
    for_unit_tiles(*compute.pool, z.rows, [&](std::size_t first, std::size_t count) {
      part_moments(z.block(first, count), share.workspace.weights,
                   std::span(share.moments).subspan(first, count));
    });
  });
  if (!network_.capped(layer)) return;
  for (const Share& share : shares_) {
    for (const PartMoments& part : share.moments)
      for (const double number : {part.weight, part.mean, part.squares}) to.put(number);
  }
}

void HeldShares::loss(const Compute& compute, ByteReader& from, ByteWriter& to) {
  const std::size_t last = network_.layers.size() - 1;
  take_normalisation(compute, last, from);
  const auto scale = from.get<float>();
  const auto smoothing = from.get<float>();
  std::vector<LossSum> sums(shares_.size());
  for_shares(compute, [&](Share& share, std::size_t s) {
    share.workspace.label_smoothing = smoothing;
    sums[s] = loss_of_outputs(*compute.pool, network_, true, scale, share.workspace);
  });
  for (const LossSum& sum : sums) {
    to.put(sum.loss);
    to.put(sum.wrong);
  }
  put_gradients(compute, last, to);
}

/// gy of a layer, and its sums if they are needed.
void HeldShares::put_gradients(const Compute& compute, std::size_t layer, ByteWriter& to) {
  for_shares(compute, [&](Share& share, std::size_t) {
    LayerBuffers<float>& buffers = share.workspace.layers[layer];
    const View<const float> y = std::as_const(buffers.y).view();
    const View<const float> x = layer + 1 < network_.layers.size() ? std::as_const(buffers.x).view() : y;
    share.gradients.assign(y.rows, {});
    for_unit_tiles(*compute.pool, y.rows, [&](std::size_t first, std::size_t count) {
      part_gradients(buffers.gradient.view().block(first, count), network_.activation_of(layer),
                     y.block(first, count), x.block(first, count),
                     std::span(share.gradients).subspan(first, count));
    });
  });
  if (!network_.capped(layer)) return;
  for (const Share& share : shares_) {
    for (const PartGradient& part : share.gradients) {
      to.put(part.sum);
      to.put(part.along);
    }
  }
}

void HeldShares::backward(const Compute& compute, ByteReader& from, ByteWriter& to) {
  const auto layer = static_cast<std::size_t>(from.get<std::uint64_t>());
  const Matrix<float>& weights = network_.layers[layer].weights;
  std::vector<PartGradient> means(network_.capped(layer) ? weights.rows() : 0);
  for (PartGradient& mean : means) {
    mean.sum = from.get<double>();
    mean.along = from.get<double>();
  }
  std::vector<Matrix<float>> gradients(shares_.size());
  for_shares(compute, [&](Share& share, std::size_t s) {
    LayerBuffers<float>& buffers = share.workspace.layers[layer];
    const View<float> g = buffers.gradient.view();
    if (!means.empty()) {
      for_unit_tiles(*compute.pool, g.rows, [&](std::size_t first, std::size_t count) {
        finish_part(g.block(first, count), std::as_const(buffers.y).view().block(first, count),
                    std::span<const float>(buffers.divisor).subspan(first, count),
                    std::span<const PartGradient>(means).subspan(first, count), share.workspace.weights);
      });
    }
    gradients[s] = Matrix<float>(weights.rows(), weights.cols());
    if (g.cols > 0) {
      product_in_blocks(compute, Op::plain, std::as_const(buffers.gradient).view(),
                        layer == 0 ? Op::plain : Op::transposed, input_of(share.workspace, layer),
                        gradients[s].view());
    }
    if (layer == 0) return;
    Matrix<float>& below = share.workspace.layers[layer - 1].gradient;
    below.reshape(weights.cols(), g.cols);
    if (g.cols > 0) {
      product_in_blocks(compute, Op::transposed, weights.view(), Op::plain,
                        std::as_const(buffers.gradient).view(), below.view());
    }
  });
  to.put(tree_sum(*compute.pool, gradients));
  if (layer > 0) put_gradients(compute, layer - 1, to);
}

void HeldShares::evaluate(const Compute& compute, ByteReader& from, ByteWriter& to) {
  network_ = get_weights(from);
  std::vector<std::vector<float>> mean;
  std::vector<std::vector<float>> divisor;
  for (std::size_t l = 0; l < network_.layers.size(); ++l) {
    mean.push_back(from.get_vector<float>());
    divisor.push_back(from.get_vector<float>());
  }
  const bool wanted = from.get<bool>();
  const auto rows = divided(from.get_vector<std::uint32_t>());
  std::vector<LossSum> sums(shares_.size());
  std::vector<Matrix<float>> scores(shares_.size());
  for_shares(compute, [&](Share& share, std::size_t s) {
    if (wanted) scores[s] = Matrix<float>(rows[s].size(), network_.outputs());
    for (std::size_t at = 0; at < rows[s].size(); at += chunk_rows) {
      const std::size_t count = std::min(chunk_rows, rows[s].size() - at);
      gather(share, std::span(rows[s]).subspan(at, count));
      fit_buffers(network_, count, share.workspace);
      for (std::size_t l = 0; l < network_.layers.size(); ++l) {
        linear(compute, network_, l, input_of(share.workspace, l), share.workspace.layers[l].y.view());
        apply(compute, network_, l, share.workspace, mean[l], divisor[l]);
      }
      sums[s] += loss_of_outputs(*compute.pool, network_, false, 0.0F, share.workspace);
      const Matrix<float>& outputs = share.workspace.layers.back().y;
      for (std::size_t i = 0; wanted && i < count; ++i) {
        for (std::size_t k = 0; k < outputs.rows(); ++k)
          scores[s](at + i, k) = outputs(k, i) + (network_.offset.empty() ? 0.0F : network_.offset[k]);
      }
    }
  });
  for (std::size_t s = 0; s < shares_.size(); ++s) {
    to.put(sums[s].loss);
    to.put(sums[s].wrong);
    if (wanted) to.put(scores[s]);
  }
}

}  // namespace coppice
