#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace coppice {

/// A message in the wire format of protocol buffers: fields one after another, each with its number.
class ProtoMessage {
 public:
  void put(std::uint32_t field, std::int64_t value);
  void put(std::uint32_t field, float value);
  void put(std::uint32_t field, std::string_view bytes);
  void put(std::uint32_t field, const ProtoMessage& message) { put(field, std::string_view(message.bytes_)); }

  const std::string& bytes() const { return bytes_; }

 private:
  /// How a value lies in the file.
  enum class Wire : std::uint8_t { varint = 0, sized = 2, four_bytes = 5 };

  void key(std::uint32_t field, Wire wire) { varint(field << 3U | static_cast<std::uint32_t>(wire)); }
  /// Seven bits a byte, the lowest first; all but the last have the highest bit set.
  void varint(std::uint64_t value);

  std::string bytes_;
};

}  // namespace coppice
