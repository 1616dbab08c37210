#include "coppice/core/directory_lock.h"

#include "coppice/core/fail.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace coppice {

namespace {

int open_directory(const std::string& directory) {
  return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/// Whether another one has it.
bool is_refused(int descriptor) {
  int failed = 0;
  do {
    failed = ::flock(descriptor, LOCK_EX | LOCK_NB);
  } while (failed != 0 && errno == EINTR);
  return failed != 0 && errno == EWOULDBLOCK;
}

}  // namespace

DirectoryLock::DirectoryLock(const std::string& directory)
    : directory_(directory), descriptor_(open_directory(directory)) {
  if (descriptor_ < 0)
    fail("{}: cannot open the directory: {}; check the path", directory,
         std::generic_category().message(errno));
  if (is_refused(descriptor_)) {
    ::close(descriptor_);
    fail("{}: another coppice process is working in this directory; wait until it ends or stop it",
         directory);
  }
}

void DirectoryLock::require() const {
  struct stat held {};
  struct stat there {};
  const bool same = ::fstat(descriptor_, &held) == 0 && ::stat(directory_.c_str(), &there) == 0 &&
                    held.st_dev == there.st_dev && held.st_ino == there.st_ino;
  if (!same)
    fail("{}: the directory was removed or replaced meanwhile, so nothing more is written; start again",
         directory_);
}

bool DirectoryLock::is_taken(const std::string& directory) {
  const int descriptor = open_directory(directory);
  if (descriptor < 0) return false;
  const bool taken = is_refused(descriptor);
  ::close(descriptor);
  return taken;
}

DirectoryLock::~DirectoryLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : directory_(std::move(other.directory_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

DirectoryLock& DirectoryLock::operator=(DirectoryLock&& other) noexcept {
  std::swap(directory_, other.directory_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

}  // namespace coppice
