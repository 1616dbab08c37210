#pragma once

#include "coppice/api/training.h"
#include "coppice/ranks/messenger.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <thread>

namespace coppice {

/// Trains nets in threads of its own and tells rank 0, which may be this one, about every epoch.
class NetWorker {
 public:
  /// `fingerprint` stands for settings and data, as in checkpoints.
  NetWorker(Messenger& messenger, const Training& training, std::uint32_t fingerprint)
      : messenger_(&messenger), training_(&training), fingerprint_(fingerprint) {}
  /// Ends what is under way.
  ~NetWorker();
  NetWorker(const NetWorker&) = delete;
  NetWorker& operator=(const NetWorker&) = delete;

  /// `checkpoint_every`: epochs after which the net's state goes along, as it does at its end.
  void begin(NetTask task, std::size_t threads, std::size_t checkpoint_every);
  /// Nets go back to the end of their last epoch, and are told as they are then.
  void stop() { stopping_ = true; }

 private:
  struct Slot {
    std::atomic<bool> ended = false;
    std::thread thread;
  };
  void train(NetTask task, std::size_t threads, std::size_t checkpoint_every);

  Messenger* messenger_;
  const Training* training_;
  std::uint32_t fingerprint_;
  std::atomic<bool> stopping_ = false;
  std::list<Slot> slots_;
};

}  // namespace coppice
