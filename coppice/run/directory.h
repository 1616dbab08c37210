#pragma once

#include "coppice/api/options.h"
#include "coppice/api/result.h"
#include "coppice/core/export.h"
#include "coppice/search/search.h"

#include <functional>
#include <string>
#include <vector>

// Part of the public interface: train() and search() in a directory that holds what they come to and from which
// a later call goes on (docs/run-directory.md, docs/search.md).
namespace coppice {

/// Where rows lie. What is empty, Options tells; the test part of a directory of the four MNIST files is found.
struct DataPaths {
  std::string data;
  std::string validation = {};
  std::string test = {};
};

/// train() in a directory. Goes on with what an earlier call began there, and fails if that had other settings or data.
/// If `stop` ends it, it fails with an error of kind interrupted: the same call goes on.
COPPICE_API Result train_in(const std::string& directory, const DataPaths& paths, const Options& options,
                            Observer* observer = nullptr, const std::function<bool()>& stop = {});

/// The same on a table in memory; the options may hold tables, rows and a model as well. The directory keeps checksums of all
/// of them, not the rows: the same call, with the same rows, goes on, and `coppice train --resume` cannot.
COPPICE_API Result train_in(const std::string& directory, const Table& table, const Options& options,
                            Observer* observer = nullptr, const std::function<bool()>& stop = {});

/// search() in a directory, in the same way as on files.
COPPICE_API SearchResult search_in(const std::string& directory, const DataPaths& paths,
                                   const SearchSpace& space, const Options& options,
                                   SearchObserver* observer = nullptr,
                                   const std::function<bool()>& stop = {});

/// What a training in a directory came to.
COPPICE_API Summary read_summary(const std::string& directory);

/// The nets of a search in a directory, in the order in which they ended.
COPPICE_API std::vector<TrialResult> read_trials(const std::string& directory);

}  // namespace coppice
