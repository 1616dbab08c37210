#include "coppice/core/error.h"
#include "coppice/data/cell.h"
#include "coppice/data/csv_splitter.h"
#include "coppice/data/unread_number.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace coppice {

namespace {

constexpr std::size_t sample_records = 100;
constexpr std::size_t sample_cells = 200'000;

/// How well a delimiter fits the first records.
struct Fit {
  std::size_t records = 0;
  std::size_t fields = 1;    ///< the most frequent number of fields
  std::size_t agreeing = 0;  ///< records that have it
  bool broken = false;       ///< a record could not be cut at all
  std::size_t commas = 0;    ///< fields below the first record that hold commas
  std::size_t numbers = 0;   ///< of those, fields that are numbers for all that

  bool consistent() const { return fields > 1 && !broken && agreeing == records; }
  /// What commas are, if they are no delimiters.
  bool explains_commas() const { return numbers * 2 > commas; }
  bool likely() const { return fields > 1 && agreeing * 2 >= records; }
};

CsvSplitter look(HeadStream& head, const TableBytes& bytes, char delimiter) {
  head.rewind();
  return {head, bytes, delimiter};
}

Fit try_delimiter(HeadStream& head, const TableBytes& bytes, char delimiter) {
  Fit fit;
  std::map<std::size_t, std::size_t> counts;
  CsvSplitter splitter = look(head, bytes, delimiter);
  std::vector<std::string_view> cells;
  try {
    for (std::size_t seen = 0; fit.records < sample_records && seen < sample_cells; seen += cells.size()) {
      if (!splitter.next(cells)) break;
      ++fit.records;
      ++counts[cells.size()];
      // The first record may hold names such as "height, m"; only where more follow can it be left out.
      if (fit.records == 2) fit.commas = fit.numbers = 0;
      for (const std::string_view cell : cells) {
        if (cell.find(',') == std::string_view::npos) continue;
        ++fit.commas;
        if (!unread_format(cell).empty()) ++fit.numbers;
      }
    }
  } catch (const Error&) {
    // The wrong delimiter cuts quoted text in odd places; the right one meets the error again when reading.
    fit.broken = true;
  }
  for (const auto& [fields, agreeing] : counts) {
    if (agreeing >= fit.agreeing) {
      fit.fields = fields;
      fit.agreeing = agreeing;
    }
  }
  return fit;
}

char find_delimiter(HeadStream& head, const TableBytes& bytes) {
  constexpr std::string_view candidates = ",;\t|";
  std::optional<char> best;
  Fit best_fit;
  for (const char delimiter : candidates) {
    const Fit fit = try_delimiter(head, bytes, delimiter);
    if (!fit.consistent() && !fit.likely()) continue;
    const auto rank = [](const Fit& f) { return std::tuple(f.consistent(), f.explains_commas(), f.fields); };
    if (best && rank(fit) <= rank(best_fit)) continue;
    best = delimiter;
    best_fit = fit;
  }
  // Blanks also stand inside texts: they yield to a delimiter that fits most records.
  if (best && (best_fit.consistent() || best_fit.agreeing * 2 > best_fit.records)) return *best;
  const Fit blanks = try_delimiter(head, bytes, ' ');
  if (best) return blanks.consistent() ? ' ' : *best;
  return blanks.likely() ? ' ' : ',';
}

/// Numbers, and what is none for its commas and the like alone.
bool is_numeric(std::string_view cell) {
  return parse_cell(cell).kind == CellKind::number || !unread_digits(cell).empty();
}

/// What the records below the first show of one column.
struct Below {
  std::size_t present = 0;
  std::size_t numbers = 0;
  bool repeats_first = false;
};

bool find_header(HeadStream& head, const TableBytes& bytes, char delimiter) {
  CsvSplitter splitter = look(head, bytes, delimiter);
  std::vector<std::string_view> cells;
  if (!splitter.next(cells)) return false;
  const std::vector<std::string> first(cells.begin(), cells.end());
  const auto is_text = [](std::string_view cell) { return parse_cell(cell).kind == CellKind::text; };
  if (std::ranges::any_of(first, is_numeric)) return false;
  if (std::ranges::none_of(first, is_text)) return false;
  std::vector<Below> below(first.size());
  try {
    for (std::size_t seen = 0, records = 0; records < sample_records && seen < sample_cells; ++records) {
      if (!splitter.next(cells)) break;
      seen += cells.size();
      for (std::size_t i = 0; i < std::min(cells.size(), first.size()); ++i) {
        if (parse_cell(cells[i]).kind == CellKind::missing) continue;
        ++below[i].present;
        if (is_numeric(cells[i])) ++below[i].numbers;
        if (cells[i] == first[i]) below[i].repeats_first = true;
      }
    }
  } catch (const Error&) {
    // What was seen so far decides; reading meets the error again.
  }
  // A text above numbers is a name. Where all columns are text, names are taken for granted unless the first
  // record shows values that come again.
  const bool above_numbers = std::ranges::any_of(
      below, [](const Below& b) { return b.numbers * 2 > b.present && !b.repeats_first; });
  return above_numbers || std::ranges::none_of(below, &Below::repeats_first);
}

}  // namespace

CsvShape find_shape(HeadStream& head, const TableBytes& bytes) {
  CsvShape shape;
  shape.delimiter = find_delimiter(head, bytes);
  shape.header = find_header(head, bytes, shape.delimiter);
  return shape;
}

}  // namespace coppice
