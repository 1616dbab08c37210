#pragma once

#include "coppice/core/file.h"

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

  explicit operator bool() const { return static_cast<bool>(descriptor_); }
  /// Fails if the path does not lead to the locked directory any more: somebody removed it and, perhaps, made another.
  /// To be asked before anything is written there.
  void require() const;

  /// Whether somebody holds the directory now.
  static bool is_taken(const std::string& directory);

 private:
  std::string directory_;
  Descriptor descriptor_;
};

}  // namespace coppice
