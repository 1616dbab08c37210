#pragma once

#include "coppice/api/prepare.h"
#include "coppice/search/search.h"
#include "coppice/search/trial.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace coppice {

/// The results of trials that ended; a search in a directory also writes them down.
class TrialResults {
 public:
  virtual ~TrialResults() = default;

  const std::vector<TrialResult>& results() const { return results_; }
  /// The result of this trial, or null.
  const TrialResult* find(const Trial& trial) const;
  virtual void append(TrialResult result) { add(std::move(result)); }

 protected:
  void add(TrialResult result);

 private:
  std::vector<TrialResult> results_;
  std::map<Trial, std::size_t> index_;  ///< of results_
};

/// Who trains the trials of a search where its own threads do not: other processes, other machines.
class TrialCrew {
 public:
  virtual ~TrialCrew() = default;
  /// Trains them all and hands over each result as it comes; false if `stop` ended it. `observer`, which may be null, hears of
  /// epochs by their indices here.
  virtual bool train(std::span<const Trial> trials, const std::function<void(const TrialResult&)>& record,
                     SearchObserver* observer, const std::function<bool()>& stop) = 0;
};

/// What trials are trained with: `base` is what all share, complete; its lambdas, step, optimizer, norm and fixed size are
/// not used.
struct TrialContext {
  const PreparedData* data = nullptr;
  const Options* base = nullptr;
  SearchObserver* observer = nullptr;  ///< told from any thread, one call at a time; may be null
  std::function<bool()> stop = [] { return false; };
  TrialCrew* crew = nullptr;  ///< trains trials; null: this process does
};

/// Trains the trials that `results` does not hold yet, as populations of nets of different widths and steps, and appends
/// each as it ends. Returns the results in the order of `trials`; nothing if `stop` ended it: then another call with the same
/// results goes on. On a processor a result depends on its trial, the data and `base` alone, so it does not matter what was
/// interrupted when. Where the GPU's memory does not suffice, half as many nets are trained together; GpuOutOfMemory if it does
/// not even for one alone.
std::optional<std::vector<TrialResult>> train_trials(const TrialContext& context,
                                                     std::span<const Trial> trials, TrialResults& results);

/// A net and what it came to.
struct TrainedTrial {
  TrialResult result;
  std::optional<Model> model;  ///< none if the net diverged before it was ever validated
};

/// Trains one trial again, on a processor to the net that its result tells of. On a GPU sums are cut into other parts where
/// fewer nets are trained together: then the net has a result of its own. Nothing if `stop` ended it.
std::optional<TrainedTrial> train_model(const TrialContext& context, const Trial& trial);

}  // namespace coppice
