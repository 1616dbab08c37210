#include "coppice/exports/protobuf.h"

#include "coppice/core/bytes.h"

namespace coppice {

void ProtoMessage::put(std::uint32_t field, std::int64_t value) {
  key(field, Wire::varint);
  varint(static_cast<std::uint64_t>(value));
}

void ProtoMessage::put(std::uint32_t field, float value) {
  key(field, Wire::four_bytes);
  ByteWriter writer;
  writer.put(value);
  bytes_ += writer.bytes();
}

void ProtoMessage::put(std::uint32_t field, std::string_view bytes) {
  key(field, Wire::sized);
  varint(bytes.size());
  bytes_ += bytes;
}

void ProtoMessage::varint(std::uint64_t value) {
  constexpr std::uint64_t low = 0x7F;
  for (; value > low; value >>= 7U) bytes_ += static_cast<char>((value & low) | (low + 1));
  bytes_ += static_cast<char>(value);
}

}  // namespace coppice
