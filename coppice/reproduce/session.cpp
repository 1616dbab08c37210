#include "coppice/reproduce/session.h"

#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/model/names.h"
#include "coppice/run/settings.h"

#include <filesystem>

namespace coppice::reproduce {

namespace fs = std::filesystem;

std::string Session::work_path(const std::string& name) const {
  const fs::path path = fs::path(work) / scale / name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error)
    fail("--work {}: cannot create {}: {}; choose another folder", work, path.parent_path().string(),
         error.message());
  return path.string();
}

std::string Session::command(const std::string& entry) const {
  std::string text = fmt::format("coppice reproduce {} --scale {}", entry, scale);
  const std::string changed = changes_text(counts, counts_of(scale));
  if (!changed.empty()) text += fmt::format(" --set {}", changed);
  if (device) text += fmt::format(" --device {}", name_of(*device));
  return text;
}

void check_folders(const Session& session) {
  for (const auto& [flag, folder] :
       {std::pair("-o", session.out), std::pair("--work", session.work), std::pair("--data", session.data)}) {
    if (!folder.empty() && fs::exists(folder) && !fs::is_directory(folder))
      fail("{} {}: is not a folder; name another", flag, folder);
  }
  if (!session.data.empty() && !fs::exists(session.data))
    fail("--data {}: there is no such folder; check the path", session.data);
}

void check(const Session& session) {
  if (session.stop()) throw Interrupted();
}

}  // namespace coppice::reproduce
