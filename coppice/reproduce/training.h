#pragma once

#include "coppice/reproduce/datasets.h"
#include "coppice/run/run.h"

#include <string>
#include <vector>

namespace coppice::reproduce {

/// How some numbers came to be: what a page says about them.
struct Origin {
  std::string name;       ///< of the run: its folder below the work folder
  std::string command;    ///< that gives the same
  std::string seeds;      ///< "0 to 9"
  std::string device;     ///< "NVIDIA H200", "CPU, 2 threads"
  std::string precision;  ///< of matrix products
  double seconds = 0;
};

/// Nets of a run that has ended.
struct TrainedNets {
  std::string directory;
  Summary summary;
  Origin origin;

  std::vector<NetResult> of_lambda(double lambda) const;
};

/// The options that the flags make.
RunOptions options_of(const Session& session, const DataFiles& data, const Flags& flags);

/// Trains nets by the flags of `train`, in the folder of that name. Goes on with what an earlier call began, and only
/// reads what it finished. Fails if the folder holds a run with other flags.
TrainedNets train_nets(const Session& session, const std::string& name, const DataFiles& data,
                       const Flags& flags);

/// The command that these flags belong to, file names without folders.
std::string train_command(const DataFiles& data, const Flags& flags);

/// "CPU, 2 threads" or the GPU's name.
std::string device_text(const RunOptions& options, Device device);

/// "0 to 9", "7".
std::string seeds_text(std::uint64_t first, std::size_t count);

/// How nets that size themselves are trained on images: the paper's way, or in short.
Flags growing_flags(const Counts& counts, const DataFiles& data, const std::vector<double>& lambdas);
/// The short way: only MNIST's small part teaches enough for more.
Flags short_flags(const DataFiles& data);
std::string numbers_text(const std::vector<double>& numbers);

}  // namespace coppice::reproduce
