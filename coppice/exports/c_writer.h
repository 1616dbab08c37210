#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace coppice {

/// A number as C writes it, so that it is the same float again.
std::string c_float(float value);
/// A text as a C literal, in ASCII.
std::string c_string(std::string_view text);
/// A text that stands inside a comment, and does not end it.
std::string c_comment(std::string_view text);

/// C source that grows, and the bytes of its constants.
class CWriter {
 public:
  /// Names of everything begin with it.
  explicit CWriter(std::string prefix);

  const std::string& prefix() const { return prefix_; }
  const std::string& text() const { return text_; }
  std::size_t constant_bytes() const { return constants_; }

  /// A line; $ in the format stands for the prefix, @ for the prefix in capitals.
  template <class... Args>
  void line(std::string_view format, Args&&... args) {
    text_ += fmt::format(fmt::runtime(with_prefix(format)), std::forward<Args>(args)...);
    text_ += '\n';
  }
  /// Source that holds no values, as it stands but for $ and @.
  void code(std::string_view lines) { text_ += with_prefix(lines); }

  void floats(const std::string& name, std::span<const float> values);
  /// `type`: int8_t, uint16_t and the like.
  template <class Number>
  void whole_numbers(const std::string& type, const std::string& name, std::span<const Number> values) {
    std::vector<std::string> words;
    words.reserve(values.size());
    for (const Number value : values) words.push_back(fmt::format("{}", value));
    array(type, name, words, sizeof(Number));
  }
  void strings(const std::string& name, std::span<const std::string> texts);

 private:
  std::string with_prefix(std::string_view text) const;
  void array(const std::string& type, const std::string& name, std::span<const std::string> words,
             std::size_t bytes_each);

  std::string prefix_;
  std::string capitals_;
  std::string text_;
  std::size_t constants_ = 0;
};

}  // namespace coppice
