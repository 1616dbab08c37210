#include "coppice/training/cpu_population.h"

#include <algorithm>

namespace coppice {

CpuPopulation::CpuPopulation(ThreadPool& pool, std::vector<const Trainer*> trainers,
                             std::vector<NetData> data, std::vector<NetRun> runs, NetOrder order)
    : pool_(&pool),
      trainers_(std::move(trainers)),
      data_(std::move(data)),
      runs_(std::move(runs)),
      order_(order) {}

CpuPopulation::CpuPopulation(ThreadPool& pool, const Trainer& trainer, std::vector<NetData> data,
                             std::vector<NetRun> runs, NetOrder order)
    : pool_(&pool),
      trainers_(runs.size(), &trainer),
      data_(std::move(data)),
      runs_(std::move(runs)),
      order_(order) {}

void CpuPopulation::train(NetObserver& observer, const std::function<bool()>& stop) {
  broken_ = false;
  waiting_.clear();
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (runs_[i].running()) waiting_.push_back(i);
  }
  const std::function<bool()> stop_or_broken = [&] { return broken_ || stop(); };
  pool_->parallel_for(std::min(pool_->threads(), waiting_.size()), [&](std::size_t) {
    try {
      train_nets(observer, stop_or_broken);
    } catch (...) {
      broken_ = true;
      throw;
    }
  });
}

/// One thread's life: take the net whose turn it is, train it for an epoch, put it back. There are
/// never more nets than before, so a thread that finds none may leave for good and help the others.
void CpuPopulation::train_nets(NetObserver& observer, const std::function<bool()>& stop) {
  Workspace<float> workspace;
  NetRun run;  // trained in place of the net, which is untouched until the epoch is whole
  while (!stop()) {
    std::size_t net = 0;
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.empty()) return;
      const auto next = std::ranges::min_element(waiting_, {}, [&](std::size_t i) {
        return std::pair(order_ == NetOrder::side_by_side ? runs_[i].epoch : 0, i);
      });
      net = *next;
      waiting_.erase(next);
    }
    run = runs_[net];
    const std::optional<EpochReport> report = trainers_[net]->train_epoch(run, data_[net], workspace, stop);
    if (!report) return;
    const std::lock_guard lock(mutex_);
    std::swap(runs_[net], run);
    observer.on_epoch(runs_[net], *report);
    if (runs_[net].running()) waiting_.push_back(net);
  }
}

}  // namespace coppice
