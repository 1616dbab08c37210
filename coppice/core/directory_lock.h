#pragma once

#include <string>

namespace coppice {

/// Keeps every other process, and every other lock of this one, out of a directory as long as it lives. The system
/// lets go of it when the process ends, however that happens, and no file is left behind. Where the file system
/// knows no locks (some that lie on other machines), it keeps nobody out.
class DirectoryLock {
 public:
  DirectoryLock() = default;  ///< holds nothing
  /// Fails if another one holds the directory.
  explicit DirectoryLock(const std::string& directory);
  ~DirectoryLock();
  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&& other) noexcept;

  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

}  // namespace coppice
