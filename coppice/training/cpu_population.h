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
enum class Turns : std::uint8_t {
  least_trained_first,  ///< all go on side by side
  first_to_last,  ///< nets end one after another, and a stop leaves as few half trained as there are threads
};

/// Nets on the processor: each is a task of its own that any thread takes up for an epoch; threads
/// without a net of their own help inside the others'.
class CpuPopulation final : public Population {
 public:
  CpuPopulation(ThreadPool& pool, const Trainer& trainer, std::vector<NetData> data, std::vector<NetRun> runs,
                Turns turns = Turns::least_trained_first);

  void train(Observer& observer, const std::function<bool()>& stop) override;
  const std::vector<NetRun>& runs() override { return runs_; }

 private:
  void train_nets(Observer& observer, const std::function<bool()>& stop);

  ThreadPool* pool_;
  const Trainer* trainer_;
  std::vector<NetData> data_;
  std::vector<NetRun> runs_;
  Turns turns_;
  std::mutex mutex_;
  std::atomic<bool> broken_ = false;  ///< a thread left with an exception: the others stop too
  std::vector<std::size_t> waiting_;  ///< nets that no thread works on; guarded by mutex_
};

}  // namespace coppice
