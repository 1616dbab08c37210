#pragma once

#include "coppice/device/threads.h"
#include "coppice/training/population.h"
#include "coppice/training/trainer.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace coppice {

/// Which of the nets that wait a thread takes up next.
enum class NetOrder : std::uint8_t {
  side_by_side,  ///< the one that is furthest behind
  one_by_one,  ///< the first: nets end one after another, and a stop leaves as few half trained as there are threads
};

/// Nets on the processor: each is a task of its own that any thread takes up for an epoch; threads
/// without a net of their own help inside the others'.
class CpuPopulation final : public Population {
 public:
  /// `trainers`: one per net.
  CpuPopulation(ThreadPool& pool, std::vector<const Trainer*> trainers, std::vector<NetData> data,
                std::vector<NetRun> runs, NetOrder order = NetOrder::side_by_side);
  /// One trainer for all.
  CpuPopulation(ThreadPool& pool, const Trainer& trainer, std::vector<NetData> data, std::vector<NetRun> runs,
                NetOrder order = NetOrder::side_by_side);

  void train(NetObserver& observer, const std::function<bool()>& stop) override;
  const std::vector<NetRun>& runs() override { return runs_; }

 private:
  void train_nets(NetObserver& observer, const std::function<bool()>& stop);

  ThreadPool* pool_;
  std::vector<const Trainer*> trainers_;
  std::vector<NetData> data_;
  std::vector<NetRun> runs_;
  NetOrder order_;
  std::mutex mutex_;
  std::atomic<bool> broken_ = false;  ///< a thread left with an exception: the others stop too
  std::vector<std::size_t> waiting_;  ///< nets that no thread works on; guarded by mutex_
};

}  // namespace coppice
