#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coppice::test {

/// A message of protocol buffers, read by fields: whole numbers as texts, all else as bytes.
class ReadMessage {
 public:
  explicit ReadMessage(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::uint64_t key = varint(bytes);
      const auto field = static_cast<std::uint32_t>(key >> 3U);
      const std::uint64_t wire = key & 7U;
      if (wire == 0) {
        fields_[field].push_back(std::to_string(varint(bytes)));
        continue;
      }
      const std::uint64_t size = wire == 5 ? 4 : varint(bytes);
      fields_[field].emplace_back(bytes.substr(0, size));
      bytes.remove_prefix(size);
    }
  }

  std::vector<std::string> all(std::uint32_t field) const {
    const auto found = fields_.find(field);
    return found == fields_.end() ? std::vector<std::string>() : found->second;
  }
  std::string one(std::uint32_t field) const { return all(field).at(0); }
  std::vector<ReadMessage> messages(std::uint32_t field) const {
    std::vector<ReadMessage> messages;
    for (const std::string& bytes : all(field)) messages.emplace_back(bytes);
    return messages;
  }

 private:
  static std::uint64_t varint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(bytes.at(0));
      bytes.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
  }

  std::map<std::uint32_t, std::vector<std::string>> fields_;
};

}  // namespace coppice::test
