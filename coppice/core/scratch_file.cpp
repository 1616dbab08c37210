#include "coppice/core/scratch_file.h"

#include "coppice/core/fail.h"
#include "coppice/core/system_reason.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

namespace coppice {

namespace {

namespace fs = std::filesystem;

/// One that never had a name, if the file system can do that; else its name goes at once.
Descriptor open_nameless(const std::string& folder) {
#if defined(O_TMPFILE)
  Descriptor nameless(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (nameless) return nameless;
#endif
  std::string name = (fs::path(folder) / "coppice.XXXXXX").string();
  Descriptor named(::mkostemp(name.data(), O_CLOEXEC));
  if (named) ::unlink(name.c_str());
  return named;
}

/// The same file, past the system's memory.
Descriptor open_direct(const Descriptor& file) {
#if defined(O_DIRECT)
  return Descriptor(
      ::open(fmt::format("/proc/self/fd/{}", file.get()).c_str(), O_RDWR | O_DIRECT | O_CLOEXEC));
#else
  (void)file;
  return Descriptor();
#endif
}

}  // namespace

std::string ScratchFile::folder() {
  const char* named = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (named != nullptr && *named != '\0') return named;
  std::error_code error;
  return fs::is_directory("/var/tmp", error) ? "/var/tmp" : fs::temp_directory_path(error).string();
}

ScratchFile::ScratchFile() : folder_(folder()), file_(open_nameless(folder_)) {
  if (!file_) {
    fail_file(
        "cannot create a scratch file in {}, for rows beyond `memory`: {}; let TMPDIR name a directory "
        "that may be written to",
        folder_, system_reason());
  }
  direct_ = open_direct(file_);
#if defined(POSIX_FADV_RANDOM)
  ::posix_fadvise(file_.get(), 0, 0, POSIX_FADV_RANDOM);
#endif
}

std::size_t ScratchFile::extend(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (const auto free = free_.find(bytes); free != free_.end()) {
    const std::size_t at = free->second;
    free_.erase(free);
    return at;
  }
  const std::size_t at = size_;
  const std::size_t end = (at + bytes + map_unit - 1) / map_unit * map_unit;
  // Without room that is promised, memory that is mapped could not be written and the process would be killed.
  int error = 0;
  do {
    error = ::posix_fallocate(file_.get(), static_cast<off_t>(at), static_cast<off_t>(end - at));
  } while (error == EINTR);
  if (error != 0) {
    std::error_code ignored;
    const fs::space_info space = fs::space(folder_, ignored);
    fail_file(
        "the scratch file in {}, for rows beyond `memory`, cannot grow to {:.2f} GB ({}; {:.2f} GB are "
        "left); let TMPDIR name a directory with more room, or give more `memory`",
        folder_, static_cast<double>(end) / 1e9, std::generic_category().message(error),
        ignored ? 0 : static_cast<double>(space.available) / 1e9);
  }
  size_ = end;
  return at;
}

void ScratchFile::give_back(std::size_t at, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  free_.emplace(bytes, at);
}

std::span<std::byte> ScratchFile::map(std::size_t at, std::size_t bytes) const {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(),  // NOLINT
                        static_cast<off_t>(at));
  if (memory == MAP_FAILED)  // NOLINT(performance-no-int-to-ptr): the system's own constant
    fail_as(ErrorKind::out_of_memory, "cannot map {} bytes of the scratch file in {}: {}", bytes, folder_,
            system_reason());
  return {static_cast<std::byte*>(memory), bytes};
}

void ScratchFile::write(std::size_t at, std::span<const std::byte> bytes, Way way) const {
  int file = descriptor(way);
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EINVAL && file != file_.get()) {  // it wants larger pages
      file = file_.get();
      continue;
    }
    if (n < 0) fail_file("cannot write the scratch file in {}: {}", folder_, system_reason());
    at += static_cast<std::size_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

void ScratchFile::read(std::size_t at, std::span<std::byte> bytes, Way way) const {
  int file = descriptor(way);
  while (!bytes.empty()) {
    const ssize_t n = ::pread(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EINVAL && file != file_.get()) {
      file = file_.get();
      continue;
    }
    if (n < 0) fail_file("cannot read the scratch file in {}: {}", folder_, system_reason());
    if (n == 0) fail_file("cannot read the scratch file in {}: it ends too early", folder_);
    at += static_cast<std::size_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

bool ScratchFile::read_soon(std::size_t at, std::span<std::byte> bytes) const {
#if defined(RWF_NOWAIT)
  const iovec part{.iov_base = bytes.data(), .iov_len = bytes.size()};
  const ssize_t n = ::preadv2(file_.get(), &part, 1, static_cast<off_t>(at), RWF_NOWAIT);
  if (n == static_cast<ssize_t>(bytes.size())) return true;
  if (n >= 0 || errno == EAGAIN) expect(at, bytes.size());
#else
  (void)at, (void)bytes;
#endif
  return false;
}

void ScratchFile::expect(std::size_t at, std::size_t bytes) const {
#if defined(POSIX_FADV_WILLNEED)
  ::posix_fadvise(file_.get(), static_cast<off_t>(at), static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
#else
  (void)at, (void)bytes;
#endif
}

bool ScratchFile::on_disk(std::size_t at, std::size_t bytes) const {
  constexpr std::size_t tries = 256;
  constexpr std::size_t many = tries / 16;
  const std::size_t units = (bytes + map_unit - 1) / map_unit;
  const std::span<std::byte> mapped = map(at, bytes);  // to look at a page would bring it into memory
  std::size_t missing = 0;
  for (std::size_t i = 0; i < tries; ++i) {
    unsigned char there = 0;
    ::mincore(mapped.data() + i * units / tries * map_unit, 1, &there);
    missing += (there & 1U) == 0 ? 1 : 0;
  }
  ::munmap(mapped.data(), mapped.size());
  return missing >= many;
}

}  // namespace coppice
