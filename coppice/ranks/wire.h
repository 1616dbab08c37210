#pragma once

#include "coppice/api/training.h"
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
  std::size_t threads = 1;
  std::size_t checkpoint_every = 10;  ///< epochs: so often its state is wanted
};
std::string task_bytes(const Assignment& task);
Assignment read_task(std::string_view bytes);

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
