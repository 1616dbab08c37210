#include "coppice/training/cuda/engine.h"

#include "coppice/core/random.h"
#include "coppice/network/score_metrics.h"
#include "coppice/training/schedule.h"

#include <algorithm>
#include <limits>

namespace coppice::cuda {

namespace {

/// That any net has.
std::size_t most_rows(std::span<const NetData> nets, std::vector<std::uint32_t> NetData::*rows) {
  std::size_t most = 0;
  for (const NetData& net : nets) most = std::max(most, (net.*rows).size());
  return most;
}

/// Steps per launch: equal parts of an epoch. Even, because steps take turns with two memories.
std::size_t series_length(std::span<const NetData> nets, const TrainingOptions& options) {
  constexpr std::size_t longest = 10;  // the GPU is at work while the host launches the rest
  const std::size_t steps = steps_per_epoch(most_rows(nets, &NetData::train_rows), options);
  const std::size_t launches = (steps + longest - 1) / longest;
  return padded((steps + launches - 1) / launches, 2);
}

/// Samples per pass of a validation: all of them, if the buffers for that are no more than a fair share. Whole blocks of
/// losses, so that sums do not depend on it.
std::size_t wide_pass(const Nets& nets, std::span<const NetData> data) {
  const std::size_t rows = most_rows(data, &NetData::validation_rows);
  std::size_t sample = 1;  // bytes of one sample's activations, and one for a net without units
  for (std::size_t l = 0; l < nets.layers(); ++l) {
    sample += 2 * sizeof(float) * nets.nets() * static_cast<std::size_t>(nets.capacity(l));
  }
  constexpr std::size_t share = std::size_t{2} << 30U;
  const std::size_t most = std::min(share, free_memory() / 4) / sample;
  return padded(std::max(validation_statistics_rows, std::min(rows, most)), loss_block);
}

/// Per layer, of the nets that are trained.
std::vector<int> least_widths(const Engine::Settings& settings, std::size_t layers) {
  const std::size_t nets = settings.active.size();
  std::vector<int> least(layers, std::numeric_limits<int>::max());
  for (std::size_t at = 0; at < layers * nets; ++at) {
    if (settings.active[at % nets]) least[at / nets] = std::min(least[at / nets], settings.widths[at]);
  }
  return least;
}

Array<float> offsets(std::span<const NetRun> runs, const Stream& stream) {
  std::vector<float> all;
  for (const NetRun& run : runs) {
    const std::vector<float>& offset = run.current.network.offset;
    all.insert(all.end(), offset.begin(), offset.end());
  }
  return uploaded(std::span<const float>(all), stream);
}

template <class T, class F>
Array<T> per_net(std::span<const NetRun> runs, const Stream& stream, const F& f) {
  std::vector<T> values;
  for (std::size_t i = 0; i < runs.size(); ++i) values.push_back(f(i));
  return uploaded(std::span<const T>(values), stream);
}

}  // namespace

BatchSizes batch_sizes(std::span<const NetData> nets, const TrainingOptions& options) {
  BatchSizes sizes{.least = std::numeric_limits<std::size_t>::max(), .most = 0};
  for (const NetData& net : nets) {
    const std::size_t rows = net.train_rows.size();
    const std::size_t steps = steps_per_epoch(rows, options);
    sizes.least = std::min(sizes.least, rows / steps);
    sizes.most = std::max(sizes.most, (rows + steps - 1) / steps);
  }
  return sizes;
}

Engine::Engine(const Nets& nets, std::span<const NetRun> runs, const Data& data,
               const TrainingOptions& options, const Stream& stream, const Stream& beside)
    : nets_(&nets),
      data_(data),
      options_(&options),
      stream_(&stream),
      beside_(&beside),
      batch_(static_cast<int>(batch_sizes(data.nets, options).most)),
      passes_(nets, runs.front().current.network, options.precision.value_or(Precision::tf32),
              batch_sizes(data.nets, options), wide_pass(nets, data.nets),
              most_rows(data.nets, &NetData::validation_rows)),
      validation_(data.nets, *data.train, *data.validation, passes_.wide(),
                  needs_scores(options.metric) ? runs.front().current.network.outputs() : 0, stream),
      optimizer_(nets, options, stream),
      table_(nets.nets(), series_length(data.nets, options), 1),
      host_sizes_(nets.nets()),
      host_widths_(nets.nets() * nets.layers()),
      sizes_(nets.nets()),
      seeds_(per_net<std::uint64_t>(runs, stream, [&](std::size_t i) { return runs[i].seed; })),
      scale_(per_net<float>(runs, stream,
                            [&](std::size_t i) {
                              const NetData& net = data.nets[i];
                              return static_cast<float>(1.0 / total_weight(*net.train, net.train_rows));
                            })),
      offset_(offsets(runs, stream)),
      failed_(nets.nets()),
      parts_(table_.series() * nets.nets() * static_cast<std::size_t>(loss_parts(batch_))),
      train_loss_(nets.nets()),
      validation_loss_(nets.nets()) {
  passes_.let_zero_units_learn(options.regularizer.fan == Fan::fan_out);
  passes_.smooth_labels(static_cast<float>(options.label_smoothing));
  passes_.set_loss(offset_.size() > 0 ? offset_.data() : nullptr, scale_.data());
  results_.train = Pinned<LossPart>(nets.nets());
  results_.validation = Pinned<LossPart>(nets.nets());
  if (validation_.scores().size() > 0) results_.scores = Pinned<float>(validation_.scores().size());
  if (data.train->weights() != nullptr || data.validation->weights() != nullptr) passes_.take_weights();
  results_.failed = Pinned<int>(nets.nets());
  results_.tallies = Pinned<StepTally>(optimizer_.tallies().size());
  for (std::size_t l = 0; l + 1 < nets.layers(); ++l) {
    const std::size_t slots = nets.nets() * static_cast<std::size_t>(nets.capacity(l));
    results_.died.emplace_back(slots);
    results_.lengths.emplace_back(slots);
  }
}

Matrix<float> Engine::scores(std::size_t net) const {
  if (results_.scores.size() == 0) return {};
  const std::size_t rows = data_.nets[net].validation_rows.size();
  const std::size_t stride = validation_.score_stride();
  const std::size_t outputs = results_.scores.size() / (stride * nets_->nets());
  Matrix<float> scores(rows, outputs);
  for (std::size_t k = 0; k < outputs; ++k) {
    const float* from = results_.scores.data() + (net * outputs + k) * stride;
    for (std::size_t i = 0; i < rows; ++i) scores(i, k) = from[i];
  }
  return scores;
}

StepTable& Engine::table(std::size_t most_births) {
  if (most_births > table_.most_births()) {
    table_ = StepTable(nets_->nets(), table_.series(), most_births);
    graphs_.clear();
  }
  return table_;
}

void Engine::enqueue_step(std::size_t s, const Series& series) const {
  const Rows rows{.data = data_.train,
                  .pick = {.all = data_.order, .first = table_.first(s)},
                  .count = {.per_net = table_.count(s), .most = batch_}};
  const std::size_t parts = nets_->nets() * static_cast<std::size_t>(loss_parts(batch_));
  passes_.gradient(rows, parts_.data() + s * parts, *stream_, *beside_);

  optimizer_.enqueue({.sizes = sizes_.data(),
                      .samples = rows.count,
                      .failed = failed_.data(),
                      .first_step = table_.first_step(),
                      .step = s,
                      .shrinks = series.shrinks},
                     *stream_);
  if (!series.births[s]) return;
  grow({.layers = nets_->table(),
        .widths = nets_->widths(),
        .count = table_.birth_count(s),
        .all = table_.births(s),
        .most = static_cast<int>(table_.most_births()),
        .seeds = seeds_.data(),
        .purpose = static_cast<std::uint32_t>(Purpose::new_unit),
        .fan_out = options_->regularizer.fan == Fan::fan_out},
       nets_->nets(), *stream_);
}

const Graph& Engine::steps(const Series& series) {
  const auto found = graphs_.find(series);
  if (found != graphs_.end()) return found->second;
  Graph graph(*stream_, [&] {
    for (std::size_t s = 0; s < table_.series(); ++s) enqueue_step(s, series);
    add_loss(parts_.data(), static_cast<int>(table_.series()), loss_parts(batch_), train_loss_.data(),
             nets_->nets(), *stream_);
  });
  return graphs_.emplace(series, std::move(graph)).first->second;
}

void Engine::begin(const Settings& settings) {
  std::ranges::copy(settings.sizes, host_sizes_.data());
  std::ranges::copy(settings.widths, host_widths_.data());
  copy(sizes_.data(), host_sizes_.data(), sizes_.bytes(), *stream_);
  copy(nets_->widths(), host_widths_.data(), host_widths_.bytes(), *stream_);
  validation_.set_active(settings.active, *stream_);
  for (const Array<LossPart>* sums : {&train_loss_, &validation_loss_}) {
    fill(sums->data(), 0, sums->bytes(), *stream_);
  }
  optimizer_.begin(*stream_);
  fill(failed_.data(), 0, failed_.bytes(), *stream_);
  for (std::size_t l = 0; l < nets_->layers(); ++l) {
    static_assert(alive == -1);
    const FanIns& layer = nets_->layer(l);
    fill(layer.died, 0xff, nets_->nets() * layer.unit_stride * sizeof(int), *stream_);
  }
}

void Engine::launch(const Settings& settings, bool with_lengths) {
  const bool shrinks = !turns_fan_ins(options_->optimizer) &&  // those shrink as they turn
                       std::ranges::any_of(settings.sizes, [](const NetStep& sizes) {
                         return sizes.shrinkage_per_sample > 0;
                       });
  if (passes_.expect_widths(least_widths(settings, nets_->layers()))) graphs_.clear();
  // All that takes memory comes first: where it does not suffice, the nets are as they were.
  std::vector<const Graph*> graphs;
  for (std::size_t i = 0; i < table_.launches(); ++i) {
    graphs.push_back(&steps({.births = table_.births_in(i), .shrinks = shrinks}));
  }
  if (!validation_graph_) {
    validation_graph_ =
        Graph(*stream_, [&] { validation_.enqueue(passes_, validation_loss_.data(), *stream_); });
  }
  begin(settings);
  for (std::size_t i = 0; i < table_.launches(); ++i) {
    table_.upload(i, *stream_);
    graphs[i]->launch(*stream_);
  }
  validation_graph_.launch(*stream_);
  end(with_lengths);
}

void Engine::end(bool with_lengths) {
  for (std::size_t l = 0; l < nets_->layers(); ++l) {
    const FanIns& layer = nets_->layer(l);
    const FanIns* above = layer.hidden ? &nets_->layer(l + 1) : nullptr;
    measure_lengths(layer, above, nets_->lengths(l), failed_.data(), nets_->nets(), *stream_);
    if (!layer.hidden) continue;
    copy(results_.died[l].data(), layer.died, results_.died[l].bytes(), *stream_);
    if (with_lengths) {
      copy(results_.lengths[l].data(), nets_->lengths(l), results_.lengths[l].bytes(), *stream_);
    }
  }
  copy(results_.train.data(), train_loss_.data(), train_loss_.bytes(), *stream_);
  copy(results_.validation.data(), validation_loss_.data(), validation_loss_.bytes(), *stream_);
  if (results_.scores.size() > 0)
    copy(results_.scores.data(), validation_.scores().data(), results_.scores.bytes(), *stream_);
  copy(results_.failed.data(), failed_.data(), failed_.bytes(), *stream_);
  copy(results_.tallies.data(), optimizer_.tallies().data(), optimizer_.tallies().bytes(), *stream_);
}

}  // namespace coppice::cuda
