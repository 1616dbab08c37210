#include "coppice/core/file.h"

#include "coppice/core/fail.h"
#include "coppice/core/system_reason.h"

#include <algorithm>
#include <array>
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

/// gzip members, one after another; what follows them is ignored, as gzip does.
struct InputFile::Unpacker {
  std::vector<char> raw;  ///< bytes read ahead
  z_stream stream{};      ///< points into them
  bool packed = false;
  bool in_member = false;
  bool ended = false;

  ~Unpacker() {
    if (packed) inflateEnd(&stream);
  }
  bool at_magic() const {
    return stream.avail_in > 1 && stream.next_in[0] == 0x1F && stream.next_in[1] == 0x8B;
  }
};

InputFile::InputFile(std::string path) : path_(std::move(path)), unpacker_(std::make_unique<Unpacker>()) {
  require_file(path_, "data");
  descriptor_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor_) fail_file("cannot open {}: {}", path_, system_reason());
  struct ::stat status {};
  if (::fstat(descriptor_.get(), &status) == 0 && S_ISREG(status.st_mode))
    size_ = static_cast<std::uint64_t>(status.st_size);
  Unpacker& from = *unpacker_;
  constexpr std::uint64_t most_ahead = std::uint64_t{1} << 18U;
  // Of a pipe nobody knows how much will come.
  from.raw.resize(size_ == 0 ? most_ahead : std::clamp<std::uint64_t>(size_, 4096, most_ahead));
  look_ahead();
  if (!from.at_magic()) return;
  if (inflateInit2(&from.stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  from.packed = true;
}

InputFile::~InputFile() = default;

std::size_t InputFile::read_raw(char* buffer, std::size_t size) {
  std::size_t done = 0;
  while (const std::size_t n = read_some(descriptor_, buffer + done, size - done, path_)) done += n;
  checksum_ = coppice::checksum({buffer, done}, checksum_);
  taken_ += done;
  return done;
}

double InputFile::share() const {
  return std::min(1.0, static_cast<double>(taken_) / static_cast<double>(std::max<std::uint64_t>(size_, 1)));
}

/// Reads on behind what is left of the bytes read ahead.
void InputFile::look_ahead() {
  Unpacker& from = *unpacker_;
  const std::size_t left = from.stream.avail_in;
  if (left > 0) std::memmove(from.raw.data(), from.stream.next_in, left);
  const std::size_t more = read_raw(from.raw.data() + left, from.raw.size() - left);
  from.stream.next_in = reinterpret_cast<unsigned char*>(from.raw.data());
  from.stream.avail_in = static_cast<unsigned>(left + more);
}

std::size_t InputFile::read(char* buffer, std::size_t size) {
  Unpacker& from = *unpacker_;
  if (from.packed) return unpack(buffer, size);
  const std::size_t ahead = std::min<std::size_t>(size, from.stream.avail_in);
  std::memcpy(buffer, from.stream.next_in, ahead);
  from.stream.next_in += ahead;
  from.stream.avail_in -= static_cast<unsigned>(ahead);
  return ahead + read_raw(buffer + ahead, size - ahead);
}

std::size_t InputFile::unpack(char* buffer, std::size_t size) {
  Unpacker& from = *unpacker_;
  std::size_t done = 0;
  while (done < size && !from.ended) {
    if (from.stream.avail_in < 2) look_ahead();
    if (!from.in_member) {
      from.ended = !from.at_magic();
      if (from.ended) break;
      from.in_member = true;
      inflateReset(&from.stream);
    }
    const auto room = static_cast<unsigned>(std::min<std::size_t>(size - done, 1U << 30U));
    from.stream.next_out = reinterpret_cast<unsigned char*>(buffer + done);
    from.stream.avail_out = room;
    const int code = inflate(&from.stream, Z_NO_FLUSH);
    done += room - from.stream.avail_out;
    from.in_member = code != Z_STREAM_END;
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    // Where a file was cut off, what inflate still holds comes before the complaint (Z_BUF_ERROR: nothing came of it).
    if (code == Z_STREAM_END || code == Z_OK) continue;
    const char* message =
        code == Z_DATA_ERROR && from.stream.msg != nullptr ? from.stream.msg : "unexpected end of file";
    fail_file("{}: broken gzip data ({}); copy or download the file again", path_, message);
  }
  return done;
}

std::uint32_t InputFile::checksum() {
  while (read_raw(unpacker_->raw.data(), unpacker_->raw.size()) > 0) unpacker_->stream.avail_in = 0;
  return checksum_;
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
