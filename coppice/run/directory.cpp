#include "coppice/run/directory.h"

#include "coppice/core/file.h"
#include "coppice/model/parse_json.h"
#include "coppice/run/in_directory.h"
#include "coppice/run/layout.h"
#include "coppice/run/search_summary.h"
#include "coppice/run/summary.h"

#include <filesystem>
#include <sstream>

namespace coppice {

RunOptions run_options(const DataPaths& paths, const Options& options) {
  RunOptions all;
  all.data = paths.data;
  all.validation = paths.validation;
  all.test = paths.test;
  all.options = options;
  return all;
}

Run run_in(const std::string& directory, const RunOptions& wanted, const std::function<bool()>& stop) {
  const auto change = [&](RunOptions& before) { before = wanted; };
  const bool begun = std::filesystem::exists(layout::in(directory, layout::config));
  return begun ? Run::resume(directory, change, stop) : Run::create(wanted, directory, stop);
}

SearchRun search_run_in(const std::string& directory, const SearchRunOptions& wanted,
                        const std::function<bool()>& stop) {
  const auto change = [&](SearchRunOptions& before) { before = wanted; };
  const bool begun = std::filesystem::exists(layout::in(directory, layout::search));
  return begun ? SearchRun::resume(directory, change, stop) : SearchRun::create(wanted, directory, stop);
}

Result train_in(const std::string& directory, const DataPaths& paths, const Options& options,
                Observer* observer, const std::function<bool()>& stop) {
  Run run = run_in(directory, run_options(paths, options), stop);
  return finished(run, observer, [&] { return run.train(observer); });
}

Result train_in(const std::string& directory, const Table& table, const Options& options, Observer* observer,
                const std::function<bool()>& stop) {
  RunOptions wanted;
  wanted.table = table;
  wanted.options = options;
  Run run = run_in(directory, wanted, stop);
  return finished(run, observer, [&] { return run.train(observer); });
}

SearchResult search_in(const std::string& directory, const DataPaths& paths, const SearchSpace& space,
                       const Options& options, SearchObserver* observer, const std::function<bool()>& stop) {
  SearchRun run = search_run_in(directory, {.space = space, .run = run_options(paths, options)}, stop);
  return finished(run, observer, [&] { return run.train(observer); });
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
