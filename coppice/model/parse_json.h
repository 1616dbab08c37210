#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace coppice {

/// What a text from a file says as JSON. Stricter than the library, since files come from anywhere: no bytes after a zero,
/// no key twice in an object, and no deeper nesting than functions that call themselves stand.
template <class Json>
struct ParsedJson {
  Json value = Json::value_t::discarded;  ///< stays so where there is a mistake
  std::string mistake = {};
};

ParsedJson<nlohmann::json> parse_json(std::string_view text);
/// The same with keys in the order of the text.
ParsedJson<nlohmann::ordered_json> parse_ordered_json(std::string_view text);

}  // namespace coppice
