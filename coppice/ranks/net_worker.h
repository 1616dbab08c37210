#pragma once

#include "coppice/api/training.h"
#include "coppice/ranks/messenger.h"
#include "coppice/ranks/task_threads.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace coppice {

/// Trains nets in threads of its own and tells rank 0, which may be this one, about every epoch.
class NetWorker {
 public:
  /// `fingerprint` stands for settings and data, as in checkpoints.
  NetWorker(Messenger& messenger, const Training& training, std::uint32_t fingerprint)
      : messenger_(&messenger), training_(&training), fingerprint_(fingerprint) {}
  /// Ends what is under way.
  ~NetWorker() { stop(); }
  NetWorker(const NetWorker&) = delete;
  NetWorker& operator=(const NetWorker&) = delete;

  /// Trains these together. `checkpoint_every`: epochs after which a net's state goes along, as it does at its end.
  void begin(std::vector<NetTask> tasks, std::size_t threads, std::size_t checkpoint_every);
  /// Nets go back to the end of their last epoch, and are told as they are then.
  void stop() { stopping_ = true; }

 private:
  void train(std::vector<NetTask> tasks, std::size_t threads, std::size_t checkpoint_every);

  Messenger* messenger_;
  const Training* training_;
  std::uint32_t fingerprint_;
  std::atomic<bool> stopping_ = false;
  TaskThreads threads_;  ///< destroyed first: they use all of the above
};

}  // namespace coppice
