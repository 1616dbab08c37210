#include "coppice/network/evaluate.h"

#include "coppice/device/signals.h"
#include "coppice/network/gradient.h"
#include "coppice/network/norms.h"
#include "coppice/network/passes.h"

#include <utility>

namespace coppice {

namespace {

constexpr std::size_t chunk_rows = 1000;

template <class T, class F>
void for_chunks(ThreadPool& pool, const Dataset& data, std::span<const std::uint32_t> rows,
                Workspace<T>& workspace, const F& f) {
  RowReader reader(data, rows);
  for (std::size_t first = 0; first < rows.size(); first += chunk_rows) {
    const std::size_t count = std::min(chunk_rows, rows.size() - first);
    gather_batch(pool, reader, first, count, workspace);
    f(first, rows.subspan(first, count));
  }
}

/// Scores of the gathered chunk, left in the output layer's y.
template <class T>
void propagate(const Compute& compute, const Network<T>& network, const Statistics<T>& statistics,
               Workspace<T>& workspace) {
  const SignalPause pause;
  fit_buffers(network, workspace.inputs.rows(), workspace);
  View<const T> input = std::as_const(workspace.inputs).view();
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const View<T> y = workspace.layers[l].y;
    const View<T> x = l + 1 < network.layers.size() ? workspace.layers[l].x.view() : y;
    linear(compute, network, l, input, y);
    for_unit_tiles(*compute.pool, y.rows, [&](std::size_t first, std::size_t count) {
      normalise_as_trained(network, l, y, x, first, count, std::span<const T>(statistics.mean[l]),
                           std::span<const T>(statistics.divisor[l]));
    });
    input = x;
  }
}

}  // namespace

template <class T>
Statistics<T> measure_statistics(const Compute& compute, const Network<T>& network, const Dataset& data,
                                 std::span<const std::uint32_t> rows, Workspace<T>& workspace) {
  const SignalPause pause;
  fit_buffers(network, rows.size(), workspace);
  const std::vector<float> weights = weights_of(data, rows);
  Statistics<T> statistics;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const View<T> y = workspace.layers[l].y;
    const View<T> x = l + 1 < network.layers.size() ? workspace.layers[l].x.view() : y;
    if (l == 0) {  // the samples are gathered chunk by chunk: all of them at once would be a copy of the data
      const auto layer = [&](std::size_t first_row, std::span<const std::uint32_t> chunk) {
        linear(compute, network, l, std::as_const(workspace.inputs).view(),
               y.columns(first_row, chunk.size()));
      };
      for_chunks(*compute.pool, data, rows, workspace, layer);
    } else {
      linear(compute, network, l, std::as_const(workspace.layers[l - 1].x).view(), y);
    }
    statistics.mean.emplace_back(y.rows);
    statistics.divisor.emplace_back(y.rows);
    for_unit_tiles(*compute.pool, y.rows, [&](std::size_t first, std::size_t count) {
      normalise(network, l, y, x, first, count, std::span(statistics.mean[l]),
                std::span(statistics.divisor[l]), weights);
    });
  }
  for (T& divisor : statistics.divisor.back()) divisor /= network.output_scale;
  return statistics;
}

template <class T>
void for_scores(const Compute& compute, const Network<T>& network, const Statistics<T>& statistics,
                const Dataset& data, std::span<const std::uint32_t> rows, Workspace<T>& workspace,
                const UseScores<T>& use) {
  const auto scores = [&](std::size_t, std::span<const std::uint32_t> chunk) {
    propagate(compute, network, statistics, workspace);
    use(std::as_const(workspace.layers.back().y).view(), chunk);
  };
  for_chunks(*compute.pool, data, rows, workspace, scores);
}

template <class T>
LossSum evaluate(const Compute& compute, const Network<T>& network, const Statistics<T>& statistics,
                 const Dataset& data, std::span<const std::uint32_t> rows, Workspace<T>& workspace,
                 Matrix<T>* scores) {
  LossSum total;
  std::size_t at = 0;
  if (scores != nullptr) scores->reshape(rows.size(), network.outputs());
  for_scores<T>(compute, network, statistics, data, rows, workspace,
                [&](View<const T> chunk, std::span<const std::uint32_t> rows_here) {
                  total += loss_of_outputs(*compute.pool, network, false, T(0), workspace);
                  for (std::size_t i = 0; scores != nullptr && i < rows_here.size(); ++i, ++at) {
                    for (std::size_t k = 0; k < chunk.rows; ++k)
                      (*scores)(at, k) = chunk(k, i) + (network.offset.empty() ? T(0) : network.offset[k]);
                  }
                });
  return total;
}

#define COPPICE_INSTANTIATE(T)                                                                       \
  template Statistics<T> measure_statistics(const Compute&, const Network<T>&, const Dataset&,       \
                                            std::span<const std::uint32_t>, Workspace<T>&);          \
  template void for_scores(const Compute&, const Network<T>&, const Statistics<T>&, const Dataset&,  \
                           std::span<const std::uint32_t>, Workspace<T>&, const UseScores<T>&);      \
  template LossSum evaluate(const Compute&, const Network<T>&, const Statistics<T>&, const Dataset&, \
                            std::span<const std::uint32_t>, Workspace<T>&, Matrix<T>*);
COPPICE_INSTANTIATE(float)
COPPICE_INSTANTIATE(double)

}  // namespace coppice
