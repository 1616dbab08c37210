#include "coppice/training/units.h"

#include "coppice/core/fail.h"
#include "coppice/core/memory.h"
#include "coppice/core/text.h"
#include "coppice/network/resize.h"
#include "coppice/training/schedule.h"

#include <numeric>
#include <string>
#include <vector>

namespace coppice {

void bury(ThreadPool& pool, NetRun& run, const DeadUnits& dead, const Optimizer<float>& optimizer,
          EpochReport& report) {
  Network<float>& network = run.current.network;
  for (std::size_t l = 0; l < dead.size(); ++l) {
    if (dead[l].empty()) continue;
    ResizePlan plan{.layer = l, .keep = {}, .added = {}};
    const std::vector<std::uint32_t>& units = network.layers[l].units;
    for (std::size_t j = 0, next = 0; j < units.size(); ++j) {
      if (next < dead[l].size() && dead[l][next] == j) {
        report.died.push_back({units[j], l});
        ++next;
      } else {
        plan.keep.push_back(j);
      }
    }
    resize(network, plan);
    run.current.optimizer.resize(plan);
    optimizer.units_removed(pool, network, l, run.current.optimizer);
  }
}

namespace {

/// New zero units of a layer, at its end; returns the index of the first.
std::size_t append(NetRun& run, std::size_t layer, std::size_t count, EpochReport& report) {
  Network<float>& network = run.current.network;
  ResizePlan plan{
      .layer = layer, .keep = std::vector<std::size_t>(network.layers[layer].units.size()), .added = {}};
  std::iota(plan.keep.begin(), plan.keep.end(), std::size_t{0});
  for (std::size_t i = 0; i < count; ++i) {
    plan.added.push_back(run.next_unit++);
    report.born.push_back({plan.added.back(), layer});
  }
  resize(network, plan);
  run.current.optimizer.resize(plan);
  return plan.keep.size();
}

/// What the system may give this process: asked once, since units come by the thousand.
double memory_for_nets() {
  static const double bytes = usable_memory();
  return bytes;
}

}  // namespace

void require_room(const Network<float>& network, double memory) {
  constexpr double copies = 4;  // itself, its kept state, its gradient, a checkpoint that is being written
  const double needed = copies * sizeof(float) * static_cast<double>(network.parameters());
  if (needed <= memory) return;
  std::vector<std::string> units;
  for (const std::size_t count : network.hidden_units()) units.push_back(std::to_string(count));
  fail_as(ErrorKind::out_of_memory,
          "a net has grown to {} hidden units, which need {:.1f} GB with their gradients and copies, but "
          "there are "
          "{:.1f} GB of memory; give a larger `lambda`, or less of `add-units` and `additions-per-epoch`",
          joined(units, "-"), needed / 1e9, memory / 1e9);
}

void grow(NetRun& run, const TrainingOptions& options, std::size_t addition, EpochReport& report) {
  std::vector<Layer<float>>& layers = run.current.network.layers;
  const bool fan_out = options.regularizer.fan == Fan::fan_out;
  require_room(run.current.network, memory_for_nets());
  for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
    const std::size_t l = fan_out ? i : layers.size() - 2 - i;
    const std::size_t count = units_added(options, run.seed, run.steps, addition, layers.size(), l);
    if (count == 0) continue;
    const std::size_t first = append(run, l, count, report);
    for (std::size_t j = first; j < first + count; ++j) {
      const std::uint32_t unit = layers[l].units[j];
      if (!layers[l].kinks.empty())
        layers[l].kinks[j] = static_cast<float>(draw_kink(run.current.network.kinks, run.seed, l, unit));
      if (!fan_out) {
        draw_fan_in(layers[l].weights.row(j), Birth::added, run.seed, l, unit);
        continue;
      }
      std::vector<float> weights(layers[l + 1].weights.rows());
      draw_fan_in(std::span(weights), Birth::added, run.seed, l, unit);
      for (std::size_t k = 0; k < weights.size(); ++k) layers[l + 1].weights(k, j) = weights[k];
    }
  }
}

}  // namespace coppice
