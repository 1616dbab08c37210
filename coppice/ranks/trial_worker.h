#pragma once

#include "coppice/ranks/messenger.h"
#include "coppice/ranks/task_threads.h"
#include "coppice/ranks/wire.h"
#include "coppice/search/search_training.h"

#include <atomic>

namespace coppice {

/// Trains trials of a search in threads of its own and tells rank 0, which may be this one, about epochs and results.
class TrialWorker {
 public:
  TrialWorker(Messenger& messenger, const SearchTraining& search)
      : messenger_(&messenger), search_(&search) {}
  /// Ends what is under way; trials that did not end are begun anew another time.
  ~TrialWorker() { stop(); }
  TrialWorker(const TrialWorker&) = delete;
  TrialWorker& operator=(const TrialWorker&) = delete;

  void begin(TrialShare share);
  void stop() { stopping_ = true; }

 private:
  void train(const TrialShare& share);

  Messenger* messenger_;
  const SearchTraining* search_;
  std::atomic<bool> stopping_ = false;
  TaskThreads threads_;  ///< destroyed first: they use all of the above
};

}  // namespace coppice
