#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace coppice::test {

/// What keeps a text from being well-formed XML (elements closed in their order, attributes quoted, & only as entity); empty if nothing
/// does.
inline std::string xml_fault(std::string_view text) {
  std::vector<std::string> open;
  std::size_t roots = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      if (end == std::string_view::npos || end > at + 8) return "a bare &";
    }
    if (text[at] != '<') {
      if (open.empty() && std::isspace(static_cast<unsigned char>(text[at])) == 0)
        return "text outside the root";
      ++at;
      continue;
    }
    const bool closes = text.substr(at, 2) == "</";
    std::size_t end = at + (closes ? 2 : 1);
    const std::size_t name_at = end;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
    const std::string name(text.substr(name_at, end - name_at));
    if (name.empty()) return "a bare <";
    for (char quote = 0; end < text.size() && (quote != 0 || text[end] != '>'); ++end) {
      if (quote != 0) {
        if (text[end] == quote) quote = 0;
        if (text[end] == '<') return "a < in an attribute of " + name;
      } else if (text[end] == '"') {
        quote = text[end];
      } else if (text[end] == '=' && text.substr(end + 1, 1) != "\"") {
        return "an unquoted attribute of " + name;
      }
    }
    if (end >= text.size()) return "an unended tag " + name;
    if (closes) {
      if (open.empty() || open.back() != name) return "a stray </" + name;
      open.pop_back();
    } else if (text[end - 1] != '/') {
      if (open.empty() && ++roots > 1) return "two roots";
      open.push_back(name);
    }
    at = end + 1;
  }
  if (!open.empty()) return "an unclosed " + open.back();
  return roots == 1 ? "" : "no root";
}

}  // namespace coppice::test
