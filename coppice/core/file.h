#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// Streams the bytes of a file, unpacking gzip on the way if it is packed. Errors name the file.
class InputFile {
 public:
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  /// Fills the buffer as far as the file goes and returns the number of bytes: 0 at the end.
  std::size_t read(char* buffer, std::size_t size);

 private:
  std::string path_;
  void* handle_;
};

/// Throws an Error unless `path` is a file that can be read and is not empty; `what` names its role ("data",
/// "model").
void require_file(const std::string& path, std::string_view what);

/// The whole file, as it lies on disk.
std::string read_file(const std::string& path);

/// Writes beside the target, flushes to disk, then renames: the target is the old file or the new one, never
/// a part. Links are followed; pipes and devices are written into.
void write_file(const std::string& path, std::string_view bytes);

/// CRC-32 (the one of gzip) of bytes, continuing from `start`.
std::uint32_t checksum(std::string_view bytes, std::uint32_t start = 0);

/// CRC-32 of a file as it lies on disk.
std::uint32_t file_checksum(const std::string& path);

}  // namespace coppice
