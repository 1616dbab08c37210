#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace coppice {

/// Walks over one line of an arff file: words, plain or in ' or " with backslash escapes (undone in place).
class ArffCursor {
 public:
  ArffCursor(std::span<char> text, const std::string& path, std::size_t line);

  bool done();
  /// Steps over `c` if it comes next after blanks.
  bool take(char c);
  /// The next word. A plain one ends before one of `stops` or at the end, without the blanks around it; so
  /// must what follows a quoted one.
  std::string_view word(std::string_view stops);
  /// Whether the word taken last stood in quotes.
  bool was_quoted() const { return was_quoted_; }
  /// What is left, without the blanks around it.
  std::string_view rest();

 private:
  void skip_blanks();
  std::string_view quoted_word(std::string_view stops);

  std::span<char> text_;
  std::size_t at_ = 0;
  const std::string& path_;
  std::size_t line_;
  bool was_quoted_ = false;
};

}  // namespace coppice
