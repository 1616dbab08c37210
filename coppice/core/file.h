#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace coppice {

/// A file descriptor that closes itself; -1: none.
class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }

  int get() const { return value_; }
  explicit operator bool() const { return value_ >= 0; }

 private:
  int value_;
};

/// Bytes to be pulled one after another, each once.
class ByteStream {
 public:
  ByteStream() = default;
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// Fills the buffer as far as the bytes go and returns their number: less than `size` only at the end.
  virtual std::size_t read(char* buffer, std::size_t size) = 0;
};

/// A stream whose beginning can be looked at several times before it is read: each byte is pulled once for all that.
class HeadStream final : public ByteStream {
 public:
  /// A look reaches `most` bytes far.
  explicit HeadStream(ByteStream& stream, std::size_t most = std::size_t{1} << 27U)
      : stream_(stream), most_(most) {}

  /// As many bytes of the beginning as there are, at most `size`.
  std::string_view peek(std::size_t size);
  /// What read() returns begins anew; may be called until release().
  void rewind() { at_ = 0; }
  /// Begins anew for the last time: what has been read is no longer kept.
  void release();
  std::size_t read(char* buffer, std::size_t size) override;

 private:
  ByteStream& stream_;
  std::size_t most_;
  std::string head_;
  std::size_t at_ = 0;
  bool released_ = false;
};

class UnpackedStream;

/// The bytes of a file, unpacked on the way if they are gzip. Errors name the file.
class InputFile final : public ByteStream {
 public:
  explicit InputFile(std::string path);
  ~InputFile() override;

  const std::string& path() const { return path_; }
  std::size_t read(char* buffer, std::size_t size) override;
  /// Bytes on disk when it was opened; 0: not known, as of pipes.
  std::uint64_t size() const;
  /// How much of them is read.
  double share() const;
  /// CRC-32 of the whole file as it lies on disk, of the very bytes that were read; reads what is left.
  std::uint32_t checksum();

 private:
  class Raw;

  std::string path_;
  std::unique_ptr<Raw> raw_;
  std::unique_ptr<UnpackedStream> unpacked_;
};

/// Throws an Error unless `path` is a file that can be read and is not empty; `what` names its role ("data",
/// "model").
void require_file(const std::string& path, std::string_view what);

/// The whole file, as it lies on disk, or at most so many bytes of its beginning. Pipes and devices, which may have no end,
/// are refused, and a file that grows meanwhile is read as far as it went.
std::string read_file(const std::string& path, std::size_t most = std::numeric_limits<std::size_t>::max());

/// Writes beside the target, flushes to disk, then renames: the target is the old file or the new one, never
/// a part. Links are followed; pipes and devices are written into.
void write_file(const std::string& path, std::string_view bytes);

/// The same for what need not be in memory at once: `content` puts one piece after another.
using PutPiece = std::function<void(std::string_view)>;
using Content = std::function<void(const PutPiece&)>;
void write_file(const std::string& path, const Content& content);

/// The same for a file that is ours alone: a link, a pipe or a device of its name is replaced, so nothing is written outside
/// of its directory.
void write_own_file(const std::string& path, std::string_view bytes);

/// The name of the file that was to be written where `name` is one of those beside it, which a killed process leaves.
std::optional<std::string> target_of_leftover(std::string_view name);

/// Makes the directory and those above it that are missing, and flushes their names to disk.
std::error_code make_directories(const std::string& directory);

/// A file that grows at its end: what is appended lies in it when the call returns. A link is not followed.
class AppendedFile {
 public:
  explicit AppendedFile(std::string path);
  void append(std::string_view bytes) const;
  /// What was appended is there after a loss of power, too.
  void flush() const;

 private:
  std::string path_;
  Descriptor descriptor_;
};

/// CRC-32 (the one of gzip) of bytes, continuing from `start`.
std::uint32_t checksum(std::string_view bytes, std::uint32_t start = 0);

}  // namespace coppice
