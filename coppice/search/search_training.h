#pragma once

#include "coppice/search/trials.h"

#include <functional>
#include <optional>
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
  /// processor goes on.
  bool train(TrialResults& results, SearchObserver* observer, const std::function<bool()>& stop);

  SearchResult finish() const;

 private:
  bool train_all(TrialResults& results, SearchObserver* observer, const std::function<bool()>& stop);
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
