#pragma once

#include "coppice/coppice.h"

#include "experiments/datasets.h"

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace coppice::experiments {

/// How some numbers came to be: what a page says about them.
struct Provenance {
  std::string name = {};       ///< of the run: its folder below the work folder
  std::string command = {};    ///< that gives the same
  std::string seeds = {};      ///< "0 to 9"
  std::string device = {};     ///< "NVIDIA H200", "CPU, 2 threads"
  std::string precision = {};  ///< of matrix products
  double seconds = 0;
};

/// Nets of a run that has ended.
struct TrainedNets {
  std::string directory = {};
  Summary summary = {};
  Provenance provenance = {};

  std::vector<NetResult> of_lambda(double lambda) const;
};

/// Trains nets by the flags of `train`, in the folder of that name. Goes on with what an earlier call began, and only
/// reads what it finished. Fails if the folder holds a run with other flags.
/// Journal and models of several nets are kept where someone looks at them. `begin_with`: the net that training goes
/// on from.
enum class Bulk { remove, keep };
TrainedNets train_nets(const Session& session, const std::string& name, const DataFiles& data,
                       const Flags& flags, Bulk bulk = Bulk::remove,
                       const std::optional<Model>& begin_with = std::nullopt);

/// A run that is to be trained.
struct NetsOrder {
  std::string name = {};
  DataFiles data = {};
  Flags flags = {};
  Bulk bulk = Bulk::remove;
  std::optional<Model> begin_with = {};
};

/// Trains several, as many side by side as the session has lanes; those of a lower rank come before what other threads
/// order. What comes back has their order. On a GPU a run of few nets leaves room for others. `each`: called with every
/// run that has ended and its place among the orders, one at a time; those that ended before an interrupt are told, too.
using EachRun = std::function<void(std::size_t place, const TrainedNets& nets)>;
std::vector<TrainedNets> train_side_by_side(const Session& session, const std::vector<NetsOrder>& orders,
                                            std::size_t rank = 0, const EachRun& each = {});

/// The command that these flags belong to, file names without folders.
std::string train_command(const DataFiles& data, const Flags& flags);

/// The options that the flags make.
Options options_of(const Session& session, const DataFiles& data, const Flags& flags);

/// "0 to 9", "7".
std::string seeds_text(std::uint64_t first, std::size_t count);

/// "0.003,1e-08".
std::string numbers_text(const std::vector<double>& numbers);

/// A folder of work: what it is to hold stands in it before anything is done, how that came to be when all is done.
class WorkFolder {
 public:
  /// Fails if the folder is there for something else than `command`. Waits while another thread has it: entries that are made
  /// side by side may ask for the same run.
  WorkFolder(const Session& session, const std::string& name, const std::string& command);

  const std::string& path() const { return path_; }
  bool is_done() const;
  /// Device, precision, seeds and seconds.
  void done(const Provenance& made) const;
  Provenance made() const;

 private:
  std::string path_;
  std::unique_lock<std::recursive_mutex> alone_;
  Provenance known_;
};

/// What the library says about where it computes ("on the CPU, products in fp32") as a page does.
std::string device_name(const std::string& text, std::size_t threads);

/// What `work` returns; Interrupted if the user ended it.
template <class Work>
auto unless_interrupted(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw Interrupted();
    throw;
  }
}

}  // namespace coppice::experiments
