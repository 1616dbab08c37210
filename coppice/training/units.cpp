#include "coppice/training/units.h"

#include "coppice/network/resize.h"
#include "coppice/training/schedule.h"

#include <numeric>

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

void grow(NetRun& run, const TrainingOptions& options, std::size_t addition, EpochReport& report) {
  Network<float>& network = run.current.network;
  for (std::size_t l = network.layers.size() - 1; l-- > 0;) {
    const std::size_t count = units_added(options, run.seed, run.steps, addition, network.layers.size(), l);
    if (count == 0) continue;
    ResizePlan plan{
        .layer = l, .keep = std::vector<std::size_t>(network.layers[l].units.size()), .added = {}};
    std::iota(plan.keep.begin(), plan.keep.end(), std::size_t{0});
    for (std::size_t i = 0; i < count; ++i) plan.added.push_back(run.next_unit++);
    resize(network, plan);
    run.current.optimizer.resize(plan);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = plan.keep.size() + i;
      draw_fan_in(network.layers[l].weights.row(row), Birth::added, run.seed, l, plan.added[i]);
      report.born.push_back({plan.added[i], l});
    }
  }
}

}  // namespace coppice
