#pragma once

#include "coppice/ranks/messenger.h"
#include "coppice/ranks/wire.h"
#include "coppice/run/run.h"
#include "coppice/run/search_run.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// What rank 0 does: it owns the run, the others train nets for it.
namespace coppice {

/// Who reads the data: rank 0, which hands the files on, or every rank for itself.
enum class DataFrom : std::uint8_t { root, shared };

/// The ranks that one launcher started, seen from rank 0.
class Ranks {
 public:
  explicit Ranks(Messenger& messenger) : messenger_(&messenger), hellos_(messenger.size()) {}
  /// Lets all others end. A launcher ends every process once one returns a mistake: what is to be said is said before.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// Waits until all have said who they are; fails if they cannot train together (agree.h). `arguments`: of the command line.
  void meet(std::vector<std::string> arguments);

  std::size_t size() const { return hellos_.size(); }
  /// "4 ranks on 2 machines, 1 to 8 threads each".
  std::string text(std::optional<std::size_t> threads) const;
  const std::vector<Hello>& hellos() const { return hellos_; }
  Messenger& messenger() { return *messenger_; }

  /// Where all can compute: on a GPU each if every rank sees one and they are of one kind, else on processors. Fails if the
  /// ranks would round differently, or the options ask for what a rank lacks.
  void choose_device(Options& options) const;

  /// Makes all others ready to train nets of the run: they read its data and prepare it. Fails, naming a rank, if one has too
  /// little memory or comes to other data, settings or kernels.
  void set_up(const Run& run, DataFrom from, const std::function<bool()>& stop);
  /// The same for trials of a search.
  void set_up(const SearchRun& search, DataFrom from, const std::function<bool()>& stop);

  /// What all processes are to return.
  void quit(int code);

 private:
  void set_up(nlohmann::json setup, RunOptions options, Device device, DataFrom from,
              const std::function<bool()>& stop);

  Messenger* messenger_;
  std::vector<Hello> hellos_;
  bool quit_ = false;
};

/// Trains the rounds of a run on all ranks: each net on the one that is free.
class RankCrew final : public Crew {
 public:
  RankCrew(Ranks& ranks, const Run& run);

  bool train_round(Training& training, TrainingObserver& observer,
                   const std::function<bool()>& stop) override;
  void restore(NetRun&) override {}

 private:
  class Round;

  Ranks* ranks_;
  std::uint32_t fingerprint_;
  std::size_t checkpoint_every_;
  std::vector<std::size_t> threads_;
};

/// Trains the trials of a search on all ranks.
class SearchCrew final : public TrialCrew {
 public:
  SearchCrew(Ranks& ranks, const SearchRun& search);

  bool train(std::span<const Trial> trials, const std::function<void(const TrialResult&)>& record,
             SearchObserver* observer, const std::function<bool()>& stop) override;

 private:
  Ranks* ranks_;
  const SearchTraining* search_;
  std::vector<std::size_t> threads_;
};

}  // namespace coppice
