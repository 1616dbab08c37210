#include "coppice/model/parse_json.h"

#include "coppice/core/text.h"

#include <set>
#include <vector>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr std::size_t deepest = 100;  ///< our own files have less than ten

/// Reads along and stops at what is refused.
class Looker final : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::string mistake;

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*size*/) override { return enter(); }
  bool start_array(std::size_t /*size*/) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    if (keys_.back().insert(name).second) return true;
    mistake = fmt::format("the key {} stands there twice", cited(name));
    return false;
  }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    mistake = "it does not follow the syntax";
    return false;
  }

 private:
  bool enter() {
    keys_.emplace_back();
    if (keys_.size() > deepest) mistake = "it is nested too deep";
    return mistake.empty();
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> keys_;  ///< of the objects around the place; arrays have none
};

template <class Json>
ParsedJson<Json> parse_strictly(std::string_view text) {
  ParsedJson<Json> parsed;
  if (text.find('\0') != std::string_view::npos) {
    parsed.mistake = "it holds zero bytes";
    return parsed;
  }
  Looker looker;
  nlohmann::json::sax_parse(text, &looker);
  parsed.mistake = looker.mistake;
  if (parsed.mistake.empty()) parsed.value = Json::parse(text, nullptr, false);
  return parsed;
}

}  // namespace

std::vector<std::size_t> counts_in(const nlohmann::json& list) {
  std::vector<std::size_t> counts;
  for (const nlohmann::json& value : list.get_ref<const nlohmann::json::array_t&>())
    counts.push_back(count_in(value));
  return counts;
}

ParsedJson<nlohmann::json> parse_json(std::string_view text) {
  return parse_strictly<nlohmann::json>(text);
}

ParsedJson<nlohmann::ordered_json> parse_ordered_json(std::string_view text) {
  return parse_strictly<nlohmann::ordered_json>(text);
}

}  // namespace coppice
