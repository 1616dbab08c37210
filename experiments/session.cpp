#include "experiments/session.h"

#include "coppice/core/fail.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"

#include <filesystem>
#include <mutex>
#include <unistd.h>

#include <fmt/format.h>

namespace coppice::experiments {

namespace fs = std::filesystem;

std::string Session::work_path(const std::string& name) const {
  const fs::path path = fs::path(work) / scale / name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error)
    fail("--work {}: cannot create {}: {}; choose another folder", work, path.parent_path().string(),
         error.message());
  static std::mutex mutex;  // runs side by side ask at once
  const std::scoped_lock asking(mutex);
  if (!*lock) *lock = DirectoryLock((fs::path(work) / scale).string());
  return path.string();
}

std::string Session::command(const std::string& entry) const {
  std::string text = fmt::format("./run reproduce {} --scale {}", entry, scale);
  const std::string changed = changes_text(counts, counts_of(scale));
  if (!changed.empty()) text += fmt::format(" --set {}", changed);
  if (!sets.empty()) text += fmt::format(" --sets {}", joined(sets, ","));
  if (add) text += missing ? " --missing" : " --add";
  if (device) text += fmt::format(" --device {}", name_of(*device));
  return text;
}

namespace {

/// Whether files can be written there, or would be could the folder be created. Pages come last, after hours perhaps.
void check_writable(const char* flag, const std::string& folder) {
  std::error_code error;
  fs::path there = fs::absolute(folder).lexically_normal();
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  if (!fs::is_directory(there, error))
    fail("{} {}: {} is not a folder; name another", flag, folder, there.string());
  if (::access(there.c_str(), W_OK | X_OK) != 0)
    fail("{} {}: cannot write into {}; name another folder", flag, folder, there.string());
}

}  // namespace

void check_folders(const Session& session) {
  if (!session.data.empty() && !fs::is_directory(session.data))
    fail("--data {}: there is no such folder; check the path, or the variable COPPICE_DATA", session.data);
  check_writable("-o", session.out);
  check_writable("--work", session.work);
  if (const fs::path folder = fs::path(session.work) / session.scale; fs::is_directory(folder))
    *session.lock = DirectoryLock(folder.string());
}

void check(const Session& session) {
  if (session.stop()) throw Interrupted();
}

bool Pace::due() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::seconds(10)) return false;
  last_ = now;
  return true;
}

}  // namespace coppice::experiments
