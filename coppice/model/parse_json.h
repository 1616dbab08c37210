#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// What a text from a file says as JSON. Stricter than the library, since files come from anywhere: no bytes after a zero,
/// no key twice in an object, and no deeper nesting than functions that call themselves stand.
template <class Json>
struct ParsedJson {
  Json value = Json::value_t::discarded;  ///< stays so where there is a mistake
  std::string mistake = {};
};

/// A whole number from 0 on; throws an exception of the library if it is none. The library itself would take -1 for a huge
/// count, and of 1e300 it is undefined what it makes.
inline std::uint64_t count_in(const nlohmann::json& value) {
  const auto* made_here =
      value.get_ptr<const nlohmann::json::number_integer_t*>();  // also points at unsigned ones
  if (made_here != nullptr && !value.is_number_unsigned() && *made_here >= 0)
    return static_cast<std::uint64_t>(*made_here);
  return value.get_ref<const nlohmann::json::number_unsigned_t&>();
}
std::vector<std::size_t> counts_in(const nlohmann::json& list);

ParsedJson<nlohmann::json> parse_json(std::string_view text);
/// The same with keys in the order of the text.
ParsedJson<nlohmann::ordered_json> parse_ordered_json(std::string_view text);

}  // namespace coppice
