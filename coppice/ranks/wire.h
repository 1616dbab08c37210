#pragma once

#include "coppice/api/training.h"
#include "coppice/search/trial.h"
#include "coppice/training/epoch_report.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What messages hold, as bytes.
namespace coppice {

/// What each rank tells first of all.
struct Hello {
  std::string version;
  std::string kernels;
  std::vector<std::string> arguments;
  std::string host;
  std::uint64_t memory = 0;      ///< bytes that are free on its machine, or that a limit leaves it
  std::uint64_t processors = 1;  ///< that it may use
  std::uint64_t online = 1;      ///< of its machine
  std::string gpu;               ///< their name, if all that it sees are of one kind
  std::uint64_t gpus = 0;        ///< that it sees
};
std::string hello_bytes(const Hello& hello);
Hello read_hello(std::string_view bytes);

/// A file as rank 0 hands it on, in parts.
struct FilePart {
  std::string name;  ///< relative to the directory that receives it
  std::string bytes;
};
std::string file_bytes(const FilePart& part);
FilePart read_file_part(std::string_view bytes);

/// A net to train.
struct Assignment {
  std::size_t net = 0;
  PlannedNet planned;
  std::optional<Ancestor> ancestor;  ///< that it began as
  std::string teacher;               ///< the model that teaches it; empty: nobody does
  std::string checkpoint;            ///< as far as it was trained before; empty: not at all
  std::size_t together = 0;          ///< how many of its kind the round has, whoever trains them
  std::size_t threads = 1;
  std::size_t checkpoint_every = 10;  ///< epochs: so often its state is wanted
};
/// Those that are trained together.
std::string task_bytes(const std::vector<Assignment>& tasks);
std::vector<Assignment> read_task(std::string_view bytes);

/// Trials of a search, by their indices there.
struct TrialShare {
  std::vector<std::size_t> indices;
  std::vector<Trial> trials;
  std::size_t threads = 1;
};
std::string trial_share_bytes(const TrialShare& share);
TrialShare read_trial_share(std::string_view bytes);

/// What a trial came to, and its index.
std::string result_bytes(std::size_t index, const TrialResult& result);
std::pair<std::size_t, TrialResult> read_result(std::string_view bytes);

/// A net that trained an epoch, and its state where that is wanted.
struct TrainedEpoch {
  EpochReport report;
  std::string checkpoint;
};
std::string epoch_bytes(const TrainedEpoch& epoch);
TrainedEpoch read_epoch(std::string_view bytes);

/// A net as it was when it was told to stop.
std::string stopped_bytes(std::size_t net, std::string_view checkpoint);
std::pair<std::size_t, std::string> read_stopped(std::string_view bytes);

}  // namespace coppice
