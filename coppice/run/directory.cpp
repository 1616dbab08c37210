#include "coppice/run/directory.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/model/parse_json.h"
#include "coppice/run/layout.h"
#include "coppice/run/run.h"
#include "coppice/run/search_run.h"
#include "coppice/run/search_summary.h"
#include "coppice/run/summary.h"

#include <filesystem>
#include <sstream>

namespace coppice {

namespace {

RunOptions run_options(const DataPaths& paths, const Options& options) {
  RunOptions all;
  all.data = paths.data;
  all.validation = paths.validation;
  all.test = paths.test;
  all.options = options;
  return all;
}

Run begun_or_new(const std::string& directory, const RunOptions& wanted, const std::function<bool()>& stop) {
  const auto change = [&](RunOptions& before) { before = wanted; };
  const bool begun = std::filesystem::exists(layout::in(directory, layout::config));
  return begun ? Run::resume(directory, change, stop) : Run::create(wanted, directory, stop);
}

/// Trains what `run` is, a run or a search, to its end.
template <class Run, class Observer>
auto finished(Run run, Observer* observer) {
  const auto interrupted = [&] {
    fail_as(ErrorKind::interrupted, "{}: was interrupted; the same call goes on from there", run.directory());
  };
  if (!run.train(observer)) interrupted();
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

}  // namespace

Result train_in(const std::string& directory, const DataPaths& paths, const Options& options,
                Observer* observer, const std::function<bool()>& stop) {
  return finished(begun_or_new(directory, run_options(paths, options), stop), observer);
}

Result train_in(const std::string& directory, const Table& table, const Options& options, Observer* observer,
                const std::function<bool()>& stop) {
  RunOptions wanted;
  wanted.table = table;
  wanted.options = options;
  return finished(begun_or_new(directory, wanted, stop), observer);
}

SearchResult search_in(const std::string& directory, const DataPaths& paths, const SearchSpace& space,
                       const Options& options, SearchObserver* observer, const std::function<bool()>& stop) {
  const SearchRunOptions wanted{.space = space, .run = run_options(paths, options)};
  const auto change = [&](SearchRunOptions& before) { before = wanted; };
  const bool begun = std::filesystem::exists(layout::in(directory, layout::search));
  return finished(
      begun ? SearchRun::resume(directory, change, stop) : SearchRun::create(wanted, directory, stop),
      observer);
}

Summary read_summary(const std::string& directory) {
  const std::string path = layout::in(directory, layout::summary);
  return parse_summary(read_json(path), path);
}

std::vector<TrialResult> read_trials(const std::string& directory) {
  std::vector<TrialResult> results;
  std::istringstream lines(read_file(layout::in(directory, layout::results)));
  for (std::string line; std::getline(lines, line);) {
    if (auto result = parse_trial(parse_json(line).value)) results.push_back(std::move(*result));
  }
  return results;
}

}  // namespace coppice
