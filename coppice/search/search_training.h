#pragma once

#include "coppice/search/trials.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// A search in memory: what search() and the directory of a search are made of. Calls block.
class SearchTraining {
 public:
  /// Prepares the data. `check` may throw, to end it.
  SearchTraining(
      const Table& table, SearchSpace space, const Options& options,
      const std::function<void()>& check = [] {});

  const SearchSpace& space() const { return space_; }
  const Options& options() const { return options_; }  ///< complete
  SearchInfo info() const;

  /// Trains all trials that `results` lacks, reruns the best settings, and trains the net that becomes the model once
  /// more. False if `stop` ended it. Where the GPU's memory does not suffice and the options leave the device open, the
  /// processor goes on. A crew, if there is one, trains all but the model.
  bool train(TrialResults& results, SearchObserver* observer, const std::function<bool()>& stop,
             TrialCrew* crew = nullptr);

  // What a crew needs (ranks/search_crew.h).

  /// Trains these with so many threads and appends each as it ends; false if `stop` ended it. Several threads may ask at once.
  bool train_some(std::span<const Trial> trials, std::size_t threads, TrialResults& results,
                  SearchObserver* observer, const std::function<bool()>& stop) const;
  /// What computes, by all that rounding depends on.
  std::string kernels() const;
  /// Where nets of all kinds compute: a GPU if they all do.
  Device device() const;
  /// Of the trials so far, in their order.
  const std::vector<TrialResult>& results() const { return results_; }

  SearchResult finish() const;

 private:
  bool train_all(TrialResults& results, SearchObserver* observer, const std::function<bool()>& stop,
                 TrialCrew* crew);
  std::string find_device() const;

  PreparedData data_;
  SearchSpace space_;
  Options options_;
  std::string device_text_;
  std::vector<TrialResult> results_;
  std::vector<RankedSetting> ranked_;
  std::optional<std::size_t> chosen_;  ///< the result that becomes the model
  std::optional<TrainedTrial> model_;
};

/// Brings what happens in the threads of a search to the thread of its caller.
class Conductor;
class SearchRelay final : public SearchObserver {
 public:
  SearchRelay(Conductor& conductor, SearchObserver* observer) : conductor_(&conductor), observer_(observer) {}
  void on_info(const SearchInfo& info) override;
  void on_begin(std::span<const Trial> trials, std::size_t known) override;
  void on_epoch(const EpochReport& epoch) override;
  void on_result(const TrialResult& result) override;
  void on_note(const std::string& note) override;

 private:
  template <class F>
  void post(F call);

  Conductor* conductor_;
  SearchObserver* observer_;
};

}  // namespace coppice
