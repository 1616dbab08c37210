#include "coppice/reproduce/idx_part.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"

#include <algorithm>
#include <cstdint>

namespace coppice::reproduce {

namespace {

constexpr std::size_t largest_item = 1 << 20;

/// Numbers of idx headers: 4 bytes, the most significant first.
std::size_t number_at(const std::string& bytes, std::size_t at) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

void put_number(std::string& bytes, std::size_t at, std::size_t value) {
  for (std::size_t i = 4; i-- > 0; value >>= 8U) bytes[at + i] = static_cast<char>(value & 0xFFU);
}

/// Appends so many bytes of the file.
void append(std::string& bytes, InputFile& file, std::size_t count) {
  const std::size_t before = bytes.size();
  bytes.resize(before + count);
  if (file.read(bytes.data() + before, count) != count)
    fail("{}: ends too early; fetch it again", file.path());
}

}  // namespace

std::string first_items(const std::string& path, std::size_t count) {
  InputFile file(path);
  std::string bytes;
  append(bytes, file, 4);
  const auto dimensions = static_cast<std::size_t>(static_cast<std::uint8_t>(bytes[3]));
  if (bytes[0] != 0 || bytes[1] != 0 || bytes[2] != 8 || dimensions < 1 || dimensions > 3)
    fail("{}: is no idx file of bytes; MNIST's four original files are needed", path);
  append(bytes, file, 4 * dimensions);
  const std::size_t items = std::min(count, number_at(bytes, 4));
  std::size_t size = 1;
  for (std::size_t d = 1; d < dimensions; ++d) size *= number_at(bytes, 4 + 4 * d);
  if (size == 0 || size > largest_item) fail("{}: has items of {} bytes; the file is damaged", path, size);
  put_number(bytes, 4, items);
  append(bytes, file, items * size);
  return bytes;
}

}  // namespace coppice::reproduce
