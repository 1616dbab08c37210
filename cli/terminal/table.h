#pragma once

#include <string>
#include <vector>

namespace coppice::cli {

/// A table for the terminal: a heading, then rows; numbers to the right, texts to the left.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> heading) : heading_(std::move(heading)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Lines with two blanks between columns, each ended by a newline.
  std::string text() const;

 private:
  std::vector<std::string> heading_;
  std::vector<std::vector<std::string>> rows_;
};

/// Columns that `text` takes on a terminal: UTF-8 characters, not bytes.
std::size_t display_width(const std::string& text);

}  // namespace coppice::cli
