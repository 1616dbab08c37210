#pragma once

#include "coppice/api/training.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A run that several processes train without talking to each other: jobs of an array in a batch system. Each has a run
// directory of its own, and where these lie beside each other takes what the others finished from there (docs/scale.md).
namespace coppice {

/// One of `count`, counted from 0.
struct Shard {
  std::size_t index = 0;
  std::size_t count = 1;
  bool operator==(const Shard&) const = default;
};

/// "2/8". Fails on anything else.
Shard parse_shard(const std::string& text);
std::string shard_text(const Shard& shard);

/// The directory of a shard within that of the run, and back: nothing if it is not named like one.
std::string shard_directory(const std::string& run, const Shard& shard);
std::optional<Shard> shard_of_directory(const std::string& directory);

/// The directories of shards in a directory, by their numbers.
std::vector<std::string> shards_in(const std::string& directory);

/// Fails unless both are shards of one run: the same settings and data, trained by the same kernels.
void refuse_other_shard(const std::string& directory, std::uint32_t fingerprint, const std::string& kernels);

/// Brings a net to where its checkpoint in one of the directories is, if that is further.
void restore_furthest(NetRun& run, const std::vector<std::string>& directories, std::uint32_t fingerprint);

/// Trains a shard's share of each round, takes the rest from the directories of the others, and takes over the nets of those
/// that have begun but do not run any more. Nets come out the same whoever trains them, so it does no harm if two do.
class ShardCrew final : public Crew {
 public:
  /// `directory`: of this shard.
  ShardCrew(const std::string& directory, std::uint32_t fingerprint, std::string kernels);

  /// Waits for others as long as they run. False if nets are left of shards that have not begun here.
  bool train_round(Training& training, TrainingObserver& observer,
                   const std::function<bool()>& stop) override;
  void restore(NetRun& run) override;

  /// Those shards, where train_round said so.
  const std::vector<std::size_t>& missing() const { return missing_; }

 private:
  enum class State : std::uint8_t { absent, ended, running };
  std::string directory_of(std::size_t shard) const;
  /// The nets of a round are dealt out like cards.
  std::size_t owner_of(const Training& training, std::size_t net) const;
  State state_of(std::size_t shard);
  std::vector<std::string> others();
  void gather(Training& training);
  std::vector<std::size_t> share_of(const Training& training, const std::vector<std::size_t>& waiting);

  Shard shard_;
  std::string run_;  ///< the directory that holds all shards
  std::uint32_t fingerprint_;
  std::string kernels_;
  std::vector<bool> checked_;  ///< shards that are known to be of this run
  std::map<std::string, std::filesystem::file_time_type> looked_at_;
  std::vector<std::size_t> missing_;
};

}  // namespace coppice
