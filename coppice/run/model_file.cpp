#include "coppice/run/model_file.h"

#include "coppice/core/error.h"
#include "coppice/run/configuration.h"

#include <filesystem>

namespace coppice {

namespace fs = std::filesystem;

std::string model_file(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  const fs::path directory = path;
  const fs::path file = directory / "model.coppice";
  if (fs::exists(file, error)) return file.string();
  const std::string search = kind_of_search(path);
  const bool begun = !search.empty() || fs::exists(directory / "config.json", error);
  if (!begun)
    fail("{}: holds neither a run nor a model; name the directory of a run or a search, or a .coppice file",
         path);
  if (!fs::exists(directory / "summary.json", error)) {
    fail("{}: the {} is not finished; continue it with coppice {} --resume {}", path,
         search.empty() ? "run" : "search", search.empty() ? "train" : fmt::format("search {}", search),
         path);
  }
  if (!search.empty())
    fail("{}: holds no model, since every net of the search diverged; search with smaller steps", path);
  fail("{}: holds no model.coppice, since no net fits the budget; name one of the net-*.coppice in it", path);
}

}  // namespace coppice
