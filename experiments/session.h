#pragma once

#include "coppice/coppice.h"
#include "coppice/core/directory_lock.h"

#include "experiments/counts.h"
#include "experiments/lanes.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coppice::experiments {

/// What an entry needs to know about the call that it is part of.
struct Session {
  std::string scale = "small";
  Counts counts = {};
  std::string data = {};                  ///< folder of data sets that the user named; may be empty
  std::string out = "docs/reproduction";  ///< where pages, pictures and data go
  std::string work = "runs/reproduce";    ///< where everything lies that a later call goes on from
  std::vector<std::string> sets = {};     ///< of entries that do the same on several; empty: all of them
  bool add = false;                       ///< such an entry keeps the other sets of the page that is there
  bool missing = false;                   ///< and of those asked for what the page has of them, where it can
  std::optional<Device> device = {};
  std::vector<std::size_t> gpus = {};                        ///< of Device::cuda
  std::size_t threads = 0;                                   ///< 0: as many as there are
  std::shared_ptr<Lanes> lanes = std::make_shared<Lanes>();  ///< runs that are trained side by side
  std::size_t first_rank = 0;                                ///< of runs that wait for a lane
  using Stop = std::function<bool()>;
  Stop stop = [] { return false; };
  std::function<void(const std::string&)> say = [](const std::string&) {};

  /// How rows of files are trained on: in this process, unless others help.
  std::function<Result(const std::string& directory, const DataPaths&, const Options&, Observer*,
                       const Stop&)>
      train_files = [](const auto&... what) { return train_in(what...); };
  std::function<SearchResult(const std::string& directory, const DataPaths&, const SearchSpace&,
                             const Options&, SearchObserver*, const Stop&)>
      search_files = [](const auto&... what) { return search_in(what...); };

  /// A place for what entries of this scale share; the folder is there, and no other process works in it.
  std::string work_path(const std::string& name) const;
  /// The call as one would type it.
  std::string command(const std::string& entry) const;

  /// Of the work folder of this scale, as soon as it is there.
  std::shared_ptr<DirectoryLock> lock = std::make_shared<DirectoryLock>();
};

/// Fails if the folders that the session names cannot be folders, or if another process works in them.
void check_folders(const Session& session);

/// The user ended it; what was reached lies in the work folder.
struct Interrupted {};

/// Throws Interrupted if the user has asked to stop.
void check(const Session& session);

/// True every ten seconds: when it is time to say how far something is.
class Pace {
 public:
  bool due();

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace coppice::experiments
