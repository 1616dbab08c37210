#include "coppice/core/file.h"

#include "coppice/core/fail.h"
#include "coppice/core/system_reason.h"
#include "coppice/core/unpacked.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <zlib.h>

namespace coppice {

namespace {

/// As many bytes as there are at once; 0 at the end.
std::size_t read_some(const Descriptor& file, char* buffer, std::size_t size, const std::string& path) {
  while (true) {
    const ssize_t n = ::read(file.get(), buffer, size);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) fail_file("cannot read {}: {}", path, system_reason());
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (value_ >= 0) ::close(value_);
}

std::string_view HeadStream::peek(std::size_t size) {
  size = std::min(size, most_);
  if (head_.size() < size) {
    const std::size_t before = head_.size();
    head_.resize(size);
    head_.resize(before + stream_.read(head_.data() + before, size - before));
  }
  return std::string_view(head_).substr(0, size);
}

void HeadStream::release() {
  at_ = 0;
  released_ = true;
}

std::size_t HeadStream::read(char* buffer, std::size_t size) {
  if (!released_) peek(at_ + size);
  const std::size_t known = std::min(size, head_.size() - at_);
  std::memcpy(buffer, head_.data() + at_, known);
  at_ += known;
  if (!released_ || known == size) return known;
  head_ = {};
  at_ = 0;
  return known + stream_.read(buffer + known, size - known);
}

/// The bytes as they lie on disk.
class InputFile::Raw final : public ByteStream {
 public:
  explicit Raw(const std::string& path) : path_(path) {
    require_file(path, "data");
    descriptor_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor_) fail_file("cannot open {}: {}", path, system_reason());
    struct ::stat status {};
    if (::fstat(descriptor_.get(), &status) == 0 && S_ISREG(status.st_mode))
      size_ = static_cast<std::uint64_t>(status.st_size);
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t taken() const { return taken_; }
  std::uint32_t checksum() const { return checksum_; }

  std::size_t read(char* buffer, std::size_t size) override {
    std::size_t done = 0;
    while (const std::size_t n = read_some(descriptor_, buffer + done, size - done, path_)) done += n;
    checksum_ = coppice::checksum({buffer, done}, checksum_);
    taken_ += done;
    return done;
  }

 private:
  std::string path_;
  Descriptor descriptor_;
  std::uint32_t checksum_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t taken_ = 0;
};

namespace {

constexpr std::uint64_t most_ahead = std::uint64_t{1} << 18U;

/// Of a pipe nobody knows how much will come.
std::uint64_t ahead_of(std::uint64_t size) {
  return size == 0 ? most_ahead : std::clamp<std::uint64_t>(size, 4096, most_ahead);
}

}  // namespace

InputFile::InputFile(std::string path)
    : path_(std::move(path)),
      raw_(std::make_unique<Raw>(path_)),
      unpacked_(std::make_unique<UnpackedStream>(*raw_, path_, ahead_of(raw_->size()))) {}

InputFile::~InputFile() = default;

std::size_t InputFile::read(char* buffer, std::size_t size) {
  return unpacked_->read(buffer, size);
}

std::uint64_t InputFile::size() const {
  return raw_->size();
}

double InputFile::share() const {
  return std::min(
      1.0, static_cast<double>(raw_->taken()) / static_cast<double>(std::max<std::uint64_t>(size(), 1)));
}

std::uint32_t InputFile::checksum() {
  std::vector<char> rest(ahead_of(size()));
  while (raw_->read(rest.data(), rest.size()) > 0) continue;
  return raw_->checksum();
}

void require_file(const std::string& path, std::string_view what) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    fail_file("{}: cannot read the {} file: {}; check the path", path, what, system_reason());
  }
  if (S_ISDIR(info.st_mode))
    fail_file("{}: is a directory, but a {} file is needed; name the file in it", path, what);
  if (S_ISREG(info.st_mode) && info.st_size == 0) fail_file("{}: the {} file is empty", path, what);
  if (::access(path.c_str(), R_OK) != 0)
    fail_file("{}: cannot read the {} file: {}", path, what, system_reason());
}

std::string read_file(const std::string& path, std::size_t most) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // never waits for a pipe
  struct stat info {};
  if (!file || ::fstat(file.get(), &info) != 0) fail_file("cannot open {}: {}", path, system_reason());
  if (S_ISDIR(info.st_mode)) fail_file("cannot read {}: it is a directory; name a file", path);
  if (!S_ISREG(info.st_mode))
    fail_file("{}: is a pipe or device, but must be a file; save it to one first", path);
  std::string bytes(std::min(most, static_cast<std::size_t>(info.st_size)), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const std::size_t n = read_some(file, bytes.data() + done, bytes.size() - done, path);
    if (n == 0) break;  // it became shorter
    done += n;
  }
  bytes.resize(done);
  return bytes;
}

std::uint32_t checksum(std::string_view bytes, std::uint32_t start) {
  return static_cast<std::uint32_t>(
      crc32_z(start, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace coppice
