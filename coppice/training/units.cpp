#include "coppice/training/units.h"

#include "coppice/core/random.h"
#include "coppice/network/resize.h"

#include <numeric>

namespace coppice {

void bury(NetRun& run, const DeadUnits& dead, EpochReport& report) {
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
  }
}

void grow(NetRun& run, const TrainingOptions& options, std::size_t addition, EpochReport& report) {
  Network<float>& network = run.current.network;
  const double nu = options.add_units;
  for (std::size_t l = network.layers.size() - 1; l-- > 0;) {
    auto count = static_cast<std::size_t>(nu);
    if (static_cast<double>(count) != nu) {
      count = Random(run.seed, Purpose::growth_count, static_cast<std::uint32_t>(run.steps),
                     static_cast<std::uint32_t>(addition * network.layers.size() + l))
                  .poisson(nu);
    }
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
