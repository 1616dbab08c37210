#pragma once

#include "coppice/data/cell.h"
#include "coppice/data/cell_store.h"
#include "coppice/data/table.h"
#include "coppice/data/text_index.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();  ///< a number that is missing

/// What the cells of a column say.
struct ColumnFacts {
  static constexpr std::size_t most_distinct = 1000;
  static constexpr std::size_t most_distinct_texts = 10;
  static constexpr std::size_t most_kept_texts =
      500'000;  ///< of a column of texts: what few rows say is still told apart

  std::optional<ColumnKind> declared;        ///< arff says so itself; idx, libsvm and amat inputs are numbers
  std::vector<std::string> declared_values;  ///< the admitted values, in their order
  bool given_texts = false;    ///< somebody said that they are texts: numbers among them are none
  bool whole = true;           ///< every number is whole
  bool more_distinct = false;  ///< there are more than `distinct`
  std::size_t distinct = 0;    ///< different cells, up to most_distinct, or fewer: see ColumnBuilder
  std::size_t distinct_texts =
      0;                    ///< different cells that are no numbers in any format, up to most_distinct_texts
  std::size_t present = 0;  ///< cells that are not missing
  std::size_t numeric = 0;  ///< of those, cells that are numbers
  std::size_t unread_numbers = 0;  ///< cells such as 1,5: numbers in a format that is not read
  // The first cell that is missing, that is no number in any format, that is one in a format that is not read, that is
  // too large for float32.
  std::unique_ptr<CellSpot> missing, stray, unread, large;

  bool rounded = false;  ///< whole numbers that float32 cannot all tell apart, whatever is taken off

  bool all_numbers() const { return numeric == present; }
};

/// One column of a table: numbers, or codes into its distinct texts.
struct Column {
  static constexpr std::uint32_t missing = 0xFFFFFFFF;
  enum class Storage : std::uint8_t {
    none,      ///< skipped, or more distinct texts than are kept without being told
    codes,     ///< into `texts`; a number's value stands in `values`
    floats,    ///< NaN is missing
    doubles,   ///< the same where float32 would lose digits of numbers far from 0
    borrowed,  ///< floats in somebody else's matrix
  };

  std::string name;
  ColumnFacts facts;
  Storage storage = Storage::none;
  bool respelled = false;      ///< numbers whose spelling, or some digits, are gone
  CellStore cells;             ///< codes, floats or the lower halves of doubles
  CellStore upper;             ///< halves of doubles
  TextIndex texts;             ///< in the order of their first cells
  std::vector<double> values;  ///< of each text; NaN if it is no number
  double base = 0;             ///< taken off numbers whose digits float32 cannot hold: see NumberRange
  const float* first = nullptr;
  std::size_t stride = 0;

  std::uint32_t code(std::size_t row) const { return cells[row]; }
  /// NaN where there is none; of `floats` as float32 holds it.
  double value(std::size_t row) const;
  /// What is learned of the value, and the base: the value itself but for digits that float32 cannot hold.
  double learned(std::size_t row) const { return base + number(row); }
  /// The value less something, by itself the base.
  float number(std::size_t row) const { return number(row, base); }
  float number(std::size_t row, double less) const { return static_cast<float>(value(row) - less); }
  // Numbers of rows from `row` on, or of the named rows.
  void numbers(std::size_t row, std::span<float> out) const { numbers(row, out, base); }
  void numbers(std::size_t row, std::span<float> out, double less) const;
  void numbers(std::span<const std::uint32_t> rows, float* out) const;
};

/// A column taken as text, whatever it is. Fails if its spellings were not kept.
class TextCells {
 public:
  TextCells(const Table& table, std::size_t column);

  /// Column::missing where there is none.
  std::uint32_t code(std::size_t row) const { return coded_->code(row); }
  /// Distinct texts, numbered in the order of their first cells.
  std::size_t size() const { return coded_->texts.size(); }
  std::string_view text(std::size_t code) const { return coded_->texts[code]; }

 private:
  std::unique_ptr<Column> own_;  ///< texts made of numbers
  const Column* coded_;
};

/// The distinct texts of a column.
struct DistinctTexts {
  std::vector<std::string> texts;  ///< up to ColumnFacts::most_distinct; of more than were kept, some
  std::size_t count = 0;           ///< that many were told apart
  bool more = false;               ///< and there are more
};
DistinctTexts distinct_texts(const Table& table, std::size_t index);

/// Cells that lie in a scratch file leave the memory once they were looked at: for passes over many of them.
void release_cells(const Table& table);

/// Before a pass over the cells of one column: see CellStore::expect.
void expect_cells(const Column& column);

/// Where a cell of a column stands.
CellPlace place_in(const Table& table, std::size_t column, const RowPlace& at);

/// The shortest text that reads as the number. Adding 0 turns -0 into 0.
std::string shortest(double value);
std::string shortest(float value);

}  // namespace coppice
