#pragma once

#include "coppice/core/scratch_file.h"

#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <string>
#include <sys/vfs.h>
#include <unistd.h>

namespace coppice::test {

/// Scratch files leave the system's memory; false if they lie in it for good, as in a tmpfs.
inline bool drop_scratch_files() {
  namespace fs = std::filesystem;
  struct statfs system {};
  if (statfs(ScratchFile::folder().c_str(), &system) != 0 || system.f_type == TMPFS_MAGIC) return false;
  bool dropped = false;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    const std::string target = fs::read_symlink(entry.path(), error).string();
    if (error || target.find(" (deleted)") == std::string::npos) continue;
    const int file = std::stoi(entry.path().filename().string());
    dropped = (fsync(file) == 0 && posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0) || dropped;
  }
  return dropped;
}

}  // namespace coppice::test
