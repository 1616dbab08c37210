#pragma once

#include "coppice/api/options.h"
#include "coppice/core/export.h"
#include "coppice/search/ranking.h"
#include "coppice/search/space.h"
#include "coppice/training/epoch_report.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// What a search came to.
struct SearchResult {
  SearchKind kind = SearchKind::random;
  Task task = Task::classification;
  std::vector<TrialResult> results;   ///< every net
  std::vector<RankedSetting> ranked;  ///< best first
  std::optional<std::size_t> chosen;  ///< index of the best net; none if all diverged
  std::optional<TrialResult> again;   ///< what that came to when it was trained once more, as the model
  std::optional<Model> model;
  Options options;  ///< complete: what all trials share
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

/// What is known when a search begins.
struct SearchInfo {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  Task task = Task::classification;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t train_rows = 0;
  std::size_t validation_rows = 0;
  std::size_t test_rows = 0;
  std::size_t trials = 0;  ///< before any reruns
  std::size_t threads = 0;
  std::string device_text;  ///< "on the CPU, products in fp32"
  SearchSpace space;        ///< complete
  Options options;          ///< complete
};

/// Watches a search, in the thread that called search(); what its calls throw ends the search and comes out of it.
class COPPICE_API SearchObserver {
 public:
  virtual ~SearchObserver() = default;
  virtual void on_info(const SearchInfo& /*info*/) {}
  /// What is trained next, and how many more there are whose results are known.
  virtual void on_begin(std::span<const Trial> /*trials*/, std::size_t /*known*/) {}
  /// After every epoch; `epoch.net` is the index of its trial among those of on_begin.
  virtual void on_epoch(const EpochReport& /*epoch*/) {}
  virtual void on_result(const TrialResult& /*result*/) {}
  /// A sentence worth knowing, such as that the GPU's memory took fewer nets.
  virtual void on_note(const std::string& /*note*/) {}
};

/// Trains nets of fixed size with every, or many, settings of a space, and the best one once more: that is the model.
/// The effort is the paper's unless the options say otherwise. `stop` is asked as in train(); if it says true the search fails
/// with an error of kind interrupted, since what is missing might have been the best.
COPPICE_API SearchResult search(const Table& table, const SearchSpace& space, const Options& options,
                                SearchObserver* observer = nullptr, const std::function<bool()>& stop = {});

}  // namespace coppice
