#include "coppice/search/in_populations.h"

#include "coppice/device/gpu.h"

#include <algorithm>
#include <iterator>

namespace coppice {

namespace {

/// Trains the nets, which are then as far as they came. False if the GPU's memory does not suffice.
bool train_together(const ManyNets& nets, std::vector<NetRun>& runs, NetObserver& observer,
                    const std::function<bool()>& stop) {
  std::unique_ptr<Population> population;
  bool fits = true;
  try {
    population = nets.together(runs);
    population->train(observer, stop);
  } catch (const GpuOutOfMemory&) {
    if (runs.size() == 1) throw;
    fits = false;
  }
  if (population) runs = population->runs();
  std::erase_if(runs, [](const NetRun& run) { return !run.running(); });
  return fits;
}

}  // namespace

bool train_in_populations(const ManyNets& nets, std::size_t& most, NetObserver& observer,
                          const std::function<bool()>& stop) {
  std::vector<NetRun> begun;  // by a population that was too large
  std::size_t next = 0;
  while (!begun.empty() || next < nets.count) {
    if (stop()) return false;
    const std::size_t from_before = std::min(most, begun.size());
    const auto middle = begun.begin() + static_cast<std::ptrdiff_t>(from_before);
    std::vector<NetRun> runs(std::make_move_iterator(begun.begin()), std::make_move_iterator(middle));
    begun.erase(begun.begin(), middle);
    while (runs.size() < most && next < nets.count) runs.push_back(nets.start(next++));
    const std::size_t tried = runs.size();
    if (train_together(nets, runs, observer, stop)) {
      if (!runs.empty()) return false;
      continue;
    }
    most = (tried + 1) / 2;
    nets.halved(most);
    begun.insert(begun.begin(), std::make_move_iterator(runs.begin()), std::make_move_iterator(runs.end()));
  }
  return true;
}

}  // namespace coppice
