#pragma once

#include "coppice/device/threads.h"
#include "coppice/training/trainer.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

namespace coppice {

/// Watches a population in training. Calls come one at a time, in the order of each net's epochs.
class Observer {
 public:
  virtual ~Observer() = default;
  /// After every epoch; `run` is the net's state from which training goes on.
  virtual void on_epoch(const NetRun& run, const EpochReport& report) = 0;
};

/// Several observers as one.
class Observers final : public Observer {
 public:
  explicit Observers(std::vector<Observer*> all) : all_(std::move(all)) {}
  void on_epoch(const NetRun& run, const EpochReport& report) override {
    for (Observer* observer : all_) observer->on_epoch(run, report);
  }

 private:
  std::vector<Observer*> all_;
};

/// Nets trained side by side: each is a task of its own that any thread takes up for an epoch; threads
/// without a net of their own help inside the others'.
class Population {
 public:
  Population(ThreadPool& pool, const Trainer& trainer, std::vector<NetData> data, std::vector<NetRun> runs);

  /// Trains until every net is done or stopped, `stop` says so (asked often) or the observer throws. Then
  /// every net is at the end of an epoch, ready to go on.
  void train(Observer& observer, const std::function<bool()>& stop);

  const std::vector<NetRun>& runs() const { return runs_; }
  const NetData& data(std::size_t net) const { return data_[net]; }

 private:
  void train_nets(Observer& observer, const std::function<bool()>& stop);

  ThreadPool* pool_;
  const Trainer* trainer_;
  std::vector<NetData> data_;
  std::vector<NetRun> runs_;
  std::mutex mutex_;
  std::atomic<bool> broken_ = false;  ///< a thread left with an exception: the others stop too
  std::vector<std::size_t> waiting_;  ///< nets that no thread works on; guarded by mutex_
};

}  // namespace coppice
