#include "coppice/exports/c_names.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace coppice {

namespace {

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string c_capitals(std::string_view text) {
  std::string big(text);
  for (char& c : big) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return big;
}

bool is_c_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_name_letter) && !(text[0] >= '0' && text[0] <= '9') &&
         text[0] != '_';
}

std::string c_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (is_name_letter(c)) {
      name += c;
    } else if (!name.ends_with('_')) {
      name += '_';
    }
  }
  while (name.size() > 1 && name.ends_with('_')) name.pop_back();
  return name.empty() ? "_" : name;
}

std::vector<std::string> c_constants(std::string_view prefix, std::span<const std::string> texts,
                                     std::span<const std::string> taken) {
  std::set<std::string> used(taken.begin(), taken.end());
  std::map<std::string, int> next;  // so that many of the same name are not counted from 2 each
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    const std::string plain = c_capitals(fmt::format("{}_{}", prefix, c_name(text)));
    std::string name = plain;
    int& count = next.emplace(plain, 2).first->second;
    while (!used.insert(name).second) name = fmt::format("{}_{}", plain, count++);
    names.push_back(name);
  }
  return names;
}

}  // namespace coppice
