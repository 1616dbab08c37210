#include "coppice/core/directory_lock.h"

#include "coppice/core/error.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace coppice {

DirectoryLock::DirectoryLock(const std::string& directory)
    : descriptor_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0)
    fail("{}: cannot open the directory: {}; check the path", directory,
         std::generic_category().message(errno));
  int failed = 0;
  do {
    failed = ::flock(descriptor_, LOCK_EX | LOCK_NB);
  } while (failed != 0 && errno == EINTR);
  if (failed != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor_);
    fail("{}: another coppice process is working in this directory; wait until it ends or name another",
         directory);
  }
}

DirectoryLock::~DirectoryLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

DirectoryLock& DirectoryLock::operator=(DirectoryLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

}  // namespace coppice
