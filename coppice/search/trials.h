#pragma once

#include "coppice/model/model.h"
#include "coppice/run/prepare.h"
#include "coppice/run/settings.h"
#include "coppice/search/trial.h"
#include "coppice/training/net_run.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// Watches trials in training. Calls come one at a time.
class TrialObserver {
 public:
  virtual ~TrialObserver() = default;
  /// Before all else: what is to be trained, and how many more there are whose results are known.
  virtual void on_begin(std::span<const Trial> /*trials*/, std::size_t /*known*/) {}
  /// After every epoch; `run.id` is the index of its trial among those of on_begin. Its weights may lie on a device.
  virtual void on_epoch(const NetRun& /*run*/, const EpochReport& /*report*/) {}
  /// A trial ended; its line is written.
  virtual void on_result(const TrialResult& /*result*/) {}
  /// Something a user should know, as a sentence: the GPU's memory took fewer nets.
  virtual void on_note(const std::string& /*note*/) {}
};

/// Trains the trials whose results the file does not hold yet, as populations of nets of different widths and steps, and
/// appends a line as each ends. Returns the results in the order of `trials`; nothing if `stop` ended it: then another
/// call with the same file goes on. On a processor a result depends on its trial, `data` and `base` alone, so it does not
/// matter what was interrupted when.
///
/// `base` is what all trials share, as prepare_data left it; its lambdas, step, optimizer, norm and fixed size are not used. A file
/// that other data or settings gave is refused. Where the GPU's memory does not suffice, half as many nets are trained
/// together; GpuOutOfMemory if it does not even for one alone.
std::optional<std::vector<TrialResult>> train_trials(const PreparedData& data, const RunOptions& base,
                                                     std::span<const Trial> trials,
                                                     const std::string& results_path, TrialObserver* observer,
                                                     const std::function<bool()>& stop);

/// A net and what it came to.
struct TrainedTrial {
  TrialResult result;
  Model model;
};

/// Trains one trial again, on a processor to the net that its line in the results tells of. On a GPU sums are cut into
/// other parts where fewer nets are trained together: then the net has a result of its own. Nothing if `stop` ended it.
std::optional<TrainedTrial> train_model(const PreparedData& data, const RunOptions& base, const Trial& trial,
                                        TrialObserver* observer, const std::function<bool()>& stop);

/// Stands for all that the trials of a search share.
std::uint32_t search_fingerprint(const PreparedData& data, const RunOptions& base);

}  // namespace coppice
