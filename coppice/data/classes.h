#pragma once

#include "coppice/data/column.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace coppice {

/// Finds classes by their text, or by their value when all of them are numbers: "1" and "1.0" are one class.
class ClassIndex {
 public:
  explicit ClassIndex(std::span<const std::string> classes);

  /// The number of classes for a text that is none of them.
  std::uint32_t find(const std::string& text) const;

 private:
  std::string key(const std::string& text) const;

  bool numbers_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

bool all_numbers(std::span<const std::string> texts);

/// The distinct classes among texts, in order of appearance: equal numbers are merged, and one written with a
/// point or exponent stands in its shortest form ("1.0000e+00" is "1").
std::vector<std::string> distinct_classes(std::span<const std::string> texts);

/// The classes that occur in the given rows: numbers by value, else in the order in which they were declared, else by
/// bytes.
std::vector<std::string> learn_classes(const TextCells& target, std::span<const std::string> declared,
                                       std::span<const std::uint32_t> rows);

}  // namespace coppice
