#include "coppice/run/model_file.h"

#include "coppice/core/directory_lock.h"
#include "coppice/core/fail.h"
#include "coppice/run/configuration.h"
#include "coppice/run/layout.h"

#include <filesystem>

namespace coppice {

namespace fs = std::filesystem;

namespace {

std::string resume_call(const std::string& directory) {
  const std::string search = kind_of_search(directory);
  return fmt::format("coppice {} --resume {}", search.empty() ? "train" : fmt::format("search {}", search),
                     directory);
}

}  // namespace

void refuse_unfinished(const std::string& directory) {
  const char* what = kind_of_search(directory).empty() ? "run" : "search";
  if (DirectoryLock::is_taken(directory))
    fail("{}: the {} is still going on; wait until it ends", directory, what);
  fail("{}: the {} is not finished; continue it with {}", directory, what, resume_call(directory));
}

std::string model_file(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  const fs::path directory = path;
  const fs::path file = directory / layout::model;
  if (fs::exists(file, error)) return file.string();
  const std::string search = kind_of_search(path);
  const bool begun = !search.empty() || fs::exists(directory / layout::config, error);
  if (!begun)
    fail("{}: holds neither a run nor a model; name the directory of a run or a search, or a .coppice file",
         path);
  const fs::path summary = directory / layout::summary;
  if (!fs::exists(summary, error)) refuse_unfinished(path);
  const nlohmann::json told = read_json(summary.string());
  const bool made = told.contains(search.empty() ? "chosen" : "model") &&
                    !told[search.empty() ? "chosen" : "model"].is_null();
  if (made)
    fail("{}: its model.coppice is not there any more; make it again with {}", path, resume_call(path));
  if (!search.empty())
    fail("{}: holds no model, since every net of the search diverged; search with smaller steps", path);
  fail("{}: holds no model.coppice, since no net fits the budget; name one of the net-*.coppice in it", path);
}

}  // namespace coppice
