#include "coppice/core/directory_lock.h"

#include "coppice/core/fail.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>

namespace coppice {

namespace {

Descriptor open_directory(const std::string& directory) {
  return Descriptor(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/// Who only looks whether it is taken has it for a moment.
constexpr int attempts = 10;
constexpr auto moment = std::chrono::milliseconds(20);

/// Whether another one has it.
bool is_refused(const Descriptor& descriptor) {
  int failed = 0;
  do {
    failed = ::flock(descriptor.get(), LOCK_EX | LOCK_NB);
  } while (failed != 0 && errno == EINTR);
  return failed != 0 && errno == EWOULDBLOCK;
}

}  // namespace

DirectoryLock::DirectoryLock(const std::string& directory)
    : directory_(directory), descriptor_(open_directory(directory)) {
  if (!descriptor_)
    fail("{}: cannot open the directory: {}; check the path", directory,
         std::generic_category().message(errno));
  bool refused = is_refused(descriptor_);
  for (int i = 1; refused && i < attempts; ++i) {
    std::this_thread::sleep_for(moment);
    refused = is_refused(descriptor_);
  }
  if (refused) {
    fail("{}: another coppice process is working in this directory; wait until it ends or stop it",
         directory);
  }
}

void DirectoryLock::require() const {
  struct stat held {};
  struct stat there {};
  const bool same = ::fstat(descriptor_.get(), &held) == 0 && ::stat(directory_.c_str(), &there) == 0 &&
                    held.st_dev == there.st_dev && held.st_ino == there.st_ino;
  if (!same)
    fail("{}: the directory was removed or replaced meanwhile, so nothing more is written; start again",
         directory_);
}

bool DirectoryLock::is_taken(const std::string& directory) {
  const Descriptor descriptor = open_directory(directory);
  return descriptor && is_refused(descriptor);
}

}  // namespace coppice
