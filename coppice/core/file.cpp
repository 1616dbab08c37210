#include "coppice/core/file.h"

#include "coppice/core/error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <zlib.h>

namespace coppice {

namespace {

std::string reason() {
  return std::generic_category().message(errno);
}

/// A file descriptor that closes itself.
struct Descriptor {
  int value;
  explicit Descriptor(int fd) : value(fd) {}
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

void write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot write {}: {}", path, reason());
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

InputFile::InputFile(std::string path) : path_(std::move(path)) {
  require_file(path_, "data");
  gzFile file = gzopen(path_.c_str(), "rb");
  if (file == nullptr) fail("cannot open {}: {}", path_, reason());
  gzbuffer(file, 1U << 18);
  handle_ = file;
}

InputFile::~InputFile() {
  gzclose(static_cast<gzFile>(handle_));
}

std::size_t InputFile::read(char* buffer, std::size_t size) {
  auto* file = static_cast<gzFile>(handle_);
  const int n = gzread(file, buffer, static_cast<unsigned>(std::min<std::size_t>(size, 1U << 30)));
  int code = Z_OK;
  const char* message = gzerror(file, &code);
  if (n < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    fail("{}: broken gzip data ({}); copy or download the file again", path_, message);
  }
  return static_cast<std::size_t>(n);
}

void require_file(const std::string& path, std::string_view what) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    fail("{}: cannot read the {} file: {}; check the path", path, what, reason());
  }
  if (S_ISDIR(info.st_mode))
    fail("{}: is a directory, but a {} file is needed; name the file in it", path, what);
  if (S_ISREG(info.st_mode) && info.st_size == 0) fail("{}: the {} file is empty", path, what);
  if (::access(path.c_str(), R_OK) != 0) fail("{}: cannot read the {} file: {}", path, what, reason());
}

std::string read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.value < 0) fail("cannot open {}: {}", path, reason());
  std::string bytes;
  std::array<char, 1U << 16> buffer{};
  while (true) {
    const ssize_t n = ::read(file.value, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot read {}: {}", path, reason());
    if (n == 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

namespace {

/// Pipes, terminals and devices are written into, never replaced.
void write_into(const std::string& path, std::string_view bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.value < 0) fail("cannot open {}: {}; choose another file", path, reason());
  write_all(file.value, bytes, path);
}

/// The file itself where the path is a link, so that the link stays one.
std::string behind_links(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path file = std::filesystem::weakly_canonical(path, error);
  return error ? path : file.string();
}

}  // namespace

void write_file(const std::string& path, std::string_view bytes) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) fail("cannot write {}: it is a directory; name a file", path);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    write_into(path, bytes);
    return;
  }
  const std::string target = behind_links(path);
  const std::string beside = fmt::format("{}.{}.tmp", target, ::getpid());
  try {
    const Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.value < 0)
      fail("cannot create {}: {}; is its directory there, and may it be written to?", path, reason());
    write_all(file.value, bytes, path);
    if (::fsync(file.value) != 0) fail("cannot write {}: {}", path, reason());
    if (::rename(beside.c_str(), target.c_str()) != 0) fail("cannot write {}: {}", path, reason());
  } catch (const Error&) {
    ::unlink(beside.c_str());
    throw;
  }
  const std::string folder = std::filesystem::path(target).parent_path().string();
  const Descriptor directory(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.value >= 0) ::fsync(directory.value);
}

std::uint32_t checksum(std::string_view bytes, std::uint32_t start) {
  return static_cast<std::uint32_t>(
      crc32_z(start, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

std::uint32_t file_checksum(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.value < 0) fail("cannot open {}: {}", path, reason());
  std::vector<char> buffer(1U << 18);
  std::uint32_t sum = 0;
  while (true) {
    const ssize_t n = ::read(file.value, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot read {}: {}", path, reason());
    if (n == 0) return sum;
    sum = checksum({buffer.data(), static_cast<std::size_t>(n)}, sum);
  }
}

}  // namespace coppice
