#include "coppice/data/classes.h"

#include "coppice/core/text.h"

#include <algorithm>
#include <unordered_set>

namespace coppice {

namespace {

std::string class_text(const std::string& text) {
  return text.find_first_of(".eE") == std::string::npos ? text : shortest(*parse_number(text));
}

}  // namespace

bool all_numbers(std::span<const std::string> texts) {
  return std::ranges::all_of(texts, [](const std::string& t) { return parse_number(t).has_value(); });
}

ClassIndex::ClassIndex(std::span<const std::string> classes) : numbers_(all_numbers(classes)) {
  for (const std::string& name : classes) {
    index_.emplace(key(name), static_cast<std::uint32_t>(index_.size()));
  }
}

std::uint32_t ClassIndex::find(const std::string& text) const {
  const auto found = index_.find(key(text));
  return found == index_.end() ? static_cast<std::uint32_t>(index_.size()) : found->second;
}

std::string ClassIndex::key(const std::string& text) const {
  const auto value = numbers_ ? parse_number(text) : std::nullopt;
  return value ? shortest(*value) : text;
}

std::vector<std::string> distinct_classes(std::span<const std::string> texts) {
  const bool numbers = all_numbers(texts);
  std::vector<std::string> classes;
  std::unordered_set<std::string> seen;
  for (const std::string& text : texts) {
    if (!seen.insert(numbers ? shortest(*parse_number(text)) : text).second) continue;
    classes.push_back(numbers ? class_text(text) : text);
  }
  return classes;
}

std::vector<std::string> learn_classes(const TextCells& target, std::span<const std::string> declared,
                                       std::span<const std::uint32_t> rows) {
  std::vector<bool> occurs(target.size());
  for (const std::uint32_t row : rows) {
    if (target.code(row) != Column::missing) occurs[target.code(row)] = true;
  }
  std::vector<std::string> texts;
  for (std::size_t code = 0; code < occurs.size(); ++code) {
    if (occurs[code]) texts.emplace_back(target.text(code));
  }
  std::vector<std::string> classes = distinct_classes(texts);
  if (all_numbers(classes)) {
    std::ranges::sort(classes, {}, [](const std::string& text) { return *parse_number(text); });
    return classes;
  }
  std::ranges::sort(classes);
  std::ranges::stable_sort(classes, {}, [&](const std::string& text) {
    return std::ranges::find(declared, text) - declared.begin();
  });
  return classes;
}

}  // namespace coppice
