#pragma once

#include "coppice/core/fail.h"
#include "coppice/run/directory.h"
#include "coppice/run/run.h"
#include "coppice/run/search_run.h"

#include <functional>
#include <string>

// What train_in() and search_in() are made of, for those who bring crews.
namespace coppice {

RunOptions run_options(const DataPaths& paths, const Options& options);

/// The run in a directory: what an earlier call began there, or a new one.
Run run_in(const std::string& directory, const RunOptions& wanted, const std::function<bool()>& stop);
SearchRun search_run_in(const std::string& directory, const SearchRunOptions& wanted,
                        const std::function<bool()>& stop);

/// What a run, or a search, came to that `train` has brought to its end; where that says no, somebody has stopped it.
template <class Run, class Observer, class Train>
auto finished(Run& run, Observer* observer, const Train& train) {
  const auto interrupted = [&] {
    fail_as(ErrorKind::interrupted, "{}: was interrupted; the same call goes on from there", run.directory());
  };
  if (!train()) interrupted();
  try {
    if constexpr (requires { run.finish(observer); }) {
      return run.finish(observer);
    } else {
      return run.finish();
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) interrupted();
    throw;
  }
}

}  // namespace coppice
