#include "coppice/ranks/in_directory.h"

#include "coppice/run/in_directory.h"

namespace coppice {

Result train_in(Ranks& ranks, DataFrom from, const std::string& directory, const DataPaths& paths,
                Options options, Observer* observer, const std::function<bool()>& stop) {
  ranks.choose_device(options);
  Run run = run_in(directory, run_options(paths, options), stop);
  ranks.set_up(run, from, stop);
  RankCrew crew(ranks, run);
  return finished(run, observer, [&] { return run.train(observer, &crew); });
}

SearchResult search_in(Ranks& ranks, DataFrom from, const std::string& directory, const DataPaths& paths,
                       const SearchSpace& space, Options options, SearchObserver* observer,
                       const std::function<bool()>& stop) {
  ranks.choose_device(options);
  SearchRun run = search_run_in(directory, {.space = space, .run = run_options(paths, options)}, stop);
  ranks.set_up(run, from, stop);
  SearchCrew crew(ranks, run);
  return finished(run, observer, [&] { return run.train(observer, &crew); });
}

}  // namespace coppice
