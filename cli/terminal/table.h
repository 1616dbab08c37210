#pragma once

#include <string>
#include <vector>

namespace coppice::cli {

/// A table for the terminal: a heading, then rows; numbers to the right, texts to the left. Cells are made printable, so
/// each stays in its line.
class TextTable {
 public:
  explicit TextTable(const std::vector<std::string>& heading);
  void add(const std::vector<std::string>& row);
  /// Lines with two blanks between columns, each ended by a newline.
  std::string text() const;

 private:
  std::vector<std::string> heading_;
  std::vector<std::vector<std::string>> rows_;
};

/// Columns that `text` takes on a terminal: UTF-8 characters, not bytes.
std::size_t display_width(const std::string& text);

}  // namespace coppice::cli
