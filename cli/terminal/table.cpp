#include "cli/terminal/table.h"

#include "cli/terminal/styled.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// Numbers, percentages and durations are set to the right; the first letter tells.
bool looks_numeric(const std::string& cell) {
  return cell.empty() || cell == "-" || (cell[0] >= '0' && cell[0] <= '9') ||
         ((cell[0] == '-' || cell[0] == '+') && cell.size() > 1 && cell[1] >= '0' && cell[1] <= '9');
}

std::vector<std::string> printable_cells(const std::vector<std::string>& cells) {
  std::vector<std::string> all;
  for (const std::string& cell : cells) all.push_back(printable(cell));
  return all;
}

}  // namespace

TextTable::TextTable(const std::vector<std::string>& heading) : heading_(printable_cells(heading)) {}

void TextTable::add(const std::vector<std::string>& row) {
  rows_.push_back(printable_cells(row));
}

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  std::vector<bool> right;
  for (std::size_t c = 0; c < heading_.size(); ++c) {
    std::size_t width = display_width(heading_[c]);
    for (const auto& row : rows_) width = std::max(width, display_width(row[c]));
    widths.push_back(width);
    right.push_back(std::ranges::all_of(rows_, [&](const auto& row) { return looks_numeric(row[c]); }));
  }
  std::string out;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string pad(widths[c] - display_width(cells[c]), ' ');
      if (c > 0) line += "  ";
      line += right[c] ? pad + cells[c] : cells[c] + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  add_line(heading_);
  for (const auto& row : rows_) add_line(row);
  return out;
}

}  // namespace coppice::cli
