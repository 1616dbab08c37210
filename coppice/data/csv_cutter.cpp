#include "coppice/data/csv_cutter.h"

#include "coppice/core/fail.h"
#include "coppice/data/number_range.h"
#include "coppice/data/short_number.h"

#include <algorithm>
#include <cmath>

namespace coppice {

void CsvCutter::require_width(const Record& record) const {
  coppice::require_width(bytes_.name, record, width_,
                         "give every row the same number, and quote a cell that contains the delimiter",
                         delimiter_ == ',');
}

void CsvCutter::cut(CellBlock& block) const {
  block.lines.clear();
  if (block.text.has_quotes || delimiter_ == ' ') {
    cut_quoted(block);
  } else {
    cut_plain(block);
  }
}

void CsvCutter::cut_quoted(CellBlock& block) const {
  block.cells.clear();
  block.traits.assign(width_, CellTraits::other);
  CsvSplitter splitter(block.text, bytes_, delimiter_);
  Record record;
  while (splitter.next(record.cells)) {
    record.line = splitter.line();
    require_width(record);
    block.cells.insert(block.cells.end(), record.cells.begin(), record.cells.end());
    block.lines.push_back(record.line);
  }
  block.text.bytes = std::move(splitter).buffer();
}

namespace {

struct CutCell {
  const char* end;  ///< where its delimiter or line end stands
  std::string_view text;
  double value;
  bool is_short;
};

/// Where a line ends that has no more cells: at \n or \r\n.
bool at_line_end(const char* at) {
  return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

CutCell cut_other(const char* at, char delimiter) {
  const auto is_blank = [&](char c) { return c == ' ' || (c == '\t' && delimiter != '\t'); };
  const char* first = at;
  while (*at != delimiter && !at_line_end(at)) ++at;
  const char* last = at;
  while (first != last && is_blank(*first)) ++first;
  while (first != last && is_blank(last[-1])) --last;
  CutCell cell{
      .end = at, .text = {first, static_cast<std::size_t>(last - first)}, .value = 0, .is_short = false};
  cell.is_short = parse_short(cell.text, cell.value);
  return cell;
}

/// Reads while it looks for the end, which most cells reach as short numbers.
inline CutCell cut_cell(const char* const first, const LineText& lines, char delimiter) {
  const char* at = first + (*first == '-' ? 1 : 0);
  const ShortDigits digits = take_short(at, lines);
  const bool ends = *digits.end == delimiter || at_line_end(digits.end);
  if (!digits.valid || !ends) return cut_other(first, delimiter);
  return {.end = digits.end,
          .text = {first, static_cast<std::size_t>(digits.end - first)},
          .value = at == first ? digits.value() : -digits.value(),
          .is_short = true};
}

std::uint8_t traits_of(double value, float rounded) {
  const auto below = static_cast<std::int64_t>(value);
  std::uint8_t traits = std::fabs(value) < NumberRange::hundredths_below ? 0 : CellTraits::other;
  if (static_cast<double>(below) != value) traits |= CellTraits::fraction;
  if (static_cast<double>(rounded) != value) traits |= CellTraits::inexact;
  return traits;
}

}  // namespace

void CsvCutter::cut_plain(CellBlock& block) const {
  const std::size_t stride = block.text.lines;
  block.traits.assign(width_, 0);
  block.cells.resize(stride * width_);
  block.numbers.resize(stride * width_);
  const char* at = block.text.text().data();
  const char* const end = at + block.text.text().size();
  const LineText lines{end};
  std::size_t blank_lines = 0;
  for (std::size_t line = block.text.line; at != end; ++line) {
    const char* const start = at;
    if (const char* after = blank_line(at)) {
      if (++blank_lines > bytes_.limits.blank_lines)
        fail_blank_lines(bytes_.name, line, bytes_.limits.blank_lines);
      at = after;
      continue;
    }
    blank_lines = 0;
    const std::size_t row = block.lines.size();
    std::string_view* const cells = block.cells.data() + row * width_;
    float* number = block.numbers.data() + row;
    for (std::size_t c = 0;; ++c, number += stride) {
      if (c == width_) refuse_width(start, line);
      const CutCell cell = cut_cell(at, lines, delimiter_);
      const auto rounded = static_cast<float>(cell.value);
      cells[c] = cell.text;
      *number = rounded;
      block.traits[c] |= cell.is_short ? traits_of(cell.value, rounded) : CellTraits::other;
      at = cell.end;
      if (*at == delimiter_) {
        ++at;
        continue;
      }
      if (c + 1 < width_) refuse_width(start, line);
      break;
    }
    at += *at == '\r' ? 2 : 1;
    block.lines.push_back(line);
  }
  block.cells.resize(block.lines.size() * width_);
}

/// What comes after the line if it is blank.
const char* CsvCutter::blank_line(const char* at) const {
  while (*at == ' ' || (*at == '\t' && delimiter_ != '\t')) ++at;
  if (!at_line_end(at)) return nullptr;
  return at + (*at == '\r' ? 2 : 1);
}

void CsvCutter::refuse_width(const char* line, std::size_t number) const {
  const char* end = line;
  while (!at_line_end(end)) ++end;
  Record record;
  record.line = number;
  const std::size_t most = bytes_.limits.columns;
  split_plain({line, static_cast<std::size_t>(end - line)}, delimiter_, most, record.cells);
  if (record.cells.size() > most) fail_count(bytes_.name, number, most);
  require_width(record);
  fail_as(ErrorKind::internal, "{}: line {}: the cells were counted twice, and differ", bytes_.name, number);
}

}  // namespace coppice
