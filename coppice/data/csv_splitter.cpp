#include "coppice/data/csv_splitter.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/records.h"

#include <algorithm>
#include <cstring>

namespace coppice {

bool CsvSplitter::next(std::vector<std::string_view>& cells) {
  do {
    if (!source_.next()) return false;
  } while (blank_line());
  cells.clear();
  const auto text = source_.view();
  if (std::memchr(text.data(), '"', text.size()) != nullptr) {
    split_quoted(cells);
  } else if (delimiter_ == ' ') {
    split_blanks(text, most_columns_, cells);
    check_count(cells.size());
  } else {
    split_plain(text, delimiter_, most_columns_, cells);
    check_count(cells.size());
  }
  return true;
}

bool CsvSplitter::blank_line() const {
  return std::ranges::all_of(source_.view(), [this](char c) { return is_blank(c); });
}

void CsvSplitter::split_quoted(std::vector<std::string_view>& cells) {
  ranges_.clear();
  std::size_t at = skip_blanks(0);
  while (true) {
    at = source_.view().substr(at).starts_with('"') ? take_quoted_cell(at) : take_cell(at);
    check_count(ranges_.size());
    const std::size_t next = skip_blanks(at);
    const std::size_t size = source_.view().size();
    if (next >= size && (delimiter_ == ' ' || at >= size)) break;
    at = delimiter_ == ' ' ? next : skip_blanks(at + 1);
  }
  const auto text = source_.view();
  for (const auto& [first, end] : ranges_) cells.push_back(text.substr(first, end - first));
}

/// Takes a cell without quotes; returns where its delimiter stands.
std::size_t CsvSplitter::take_cell(std::size_t at) {
  const auto text = source_.view();
  const std::size_t first = at;
  const auto stops = [this](char c) { return c == delimiter_ || (delimiter_ == ' ' && c == '\t'); };
  while (at < text.size() && !stops(text[at])) ++at;
  std::size_t end = at;
  while (end > first && is_blank(text[end - 1])) --end;
  ranges_.emplace_back(first, end);
  return at;
}

/// Takes a cell that opens with a quote at `at`; returns where its delimiter stands. Doubled quotes are made
/// single in place.
std::size_t CsvSplitter::take_quoted_cell(std::size_t at) {
  const std::size_t opened = source_.last_line();
  const std::size_t first = at + 1;
  std::size_t end = first;   // of the text without doubled quotes
  std::size_t from = first;  // of the text not yet moved there
  std::size_t scan = first;
  while (true) {
    const auto text = source_.text();
    const void* found =
        scan < text.size() ? std::memchr(text.data() + scan, '"', text.size() - scan) : nullptr;
    if (found == nullptr) {
      scan = text.size();
      if (!source_.extend()) {
        fail(
            "{}: line {}, column {}: the quote that opens here is never closed; close it, or double it if it "
            "belongs to the text",
            source_.name(), opened, ranges_.size() + 1);
      }
      continue;
    }
    const auto quote = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    const bool doubled = quote + 1 < text.size() && text[quote + 1] == '"';
    const std::size_t count = quote - from + (doubled ? 1 : 0);
    std::memmove(text.data() + end, text.data() + from, count);
    end += count;
    from = scan = quote + (doubled ? 2 : 1);
    if (!doubled) break;
  }
  ranges_.emplace_back(first, end);
  const std::size_t after = skip_blanks(from);
  const auto text = source_.view();
  const bool separated = delimiter_ == ' ' && after > from;
  if (after < text.size() && text[after] != delimiter_ && !separated) {
    fail(
        "{}: line {}, column {}: there is text after the closing quote; double the quotes that belong to the "
        "text",
        source_.name(), source_.last_line(), ranges_.size());
  }
  return after;
}

std::size_t CsvSplitter::skip_blanks(std::size_t at) const {
  const auto text = source_.view();
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

void CsvSplitter::check_count(std::size_t count) const {
  if (count > most_columns_) fail_count(source_.name(), source_.line(), most_columns_);
}

void fail_count(const std::string& name, std::size_t line, std::size_t most) {
  fail("{}: line {}: there are more than {} fields, the most a table can have", name, line, most);
}

void split_plain(std::string_view line, char delimiter, std::size_t most,
                 std::vector<std::string_view>& cells) {
  const auto is_blank = [&](char c) { return c == ' ' || (c == '\t' && delimiter != '\t'); };
  cells.clear();
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    const char* first = at;
    while (at != end && *at != delimiter) ++at;
    const char* last = at;
    while (first != last && is_blank(*first)) ++first;
    while (first != last && is_blank(last[-1])) --last;
    cells.emplace_back(first, static_cast<std::size_t>(last - first));
    if (at == end || cells.size() > most) return;
    ++at;
  }
}

}  // namespace coppice
