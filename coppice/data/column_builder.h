#pragma once

#include "coppice/data/column.h"
#include "coppice/data/number_range.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// What is said of a column before its cells come.
struct ColumnHead {
  std::string name;
  std::optional<ColumnKind> declared = {};
  std::vector<std::string> declared_values = {};
};

/// What is kept of a column's cells.
enum class Kept : std::uint8_t {
  best,     ///< texts as long as there are few different ones; else numbers, or nothing if they are none
  classes,  ///< the same, and few are as many in a wide table as in any
  text,     ///< every spelling
  number,   ///< cells that are no numbers are counted, and missing
  nothing,  ///< cells are counted only
};

/// What is true of some cell of a column in a block.
struct CellTraits {
  static constexpr std::uint8_t other =
      1;  ///< it is no short number, or one that float32 may lose hundredths of
  static constexpr std::uint8_t fraction = 2;  ///< it is a number that is not whole
  static constexpr std::uint8_t inexact = 4;   ///< it is a number that float32 rounds
};

/// Cells of a column in rows that follow each other.
struct CellRun {
  const std::string_view* first;
  std::size_t stride;                  ///< from one to the next
  std::size_t row;                     ///< of the first
  std::span<const std::size_t> lines;  ///< of each
  const float* numbers = nullptr;      ///< what the cells say if all are short numbers
  std::uint8_t traits = CellTraits::other;
};

/// Takes the cells of one column, once each. A cell costs one look into the index of those that came before, or is read
/// as a number.
class ColumnBuilder {
 public:
  /// memory: where the cells lie; none: in memory.
  ColumnBuilder(ColumnHead head, Kept kept, const std::string& table, std::size_t index,
                const std::shared_ptr<CellMemory>& memory = {});

  /// Takes `count` cells of the same text. Fails if the column's declaration does not admit it. `most` bounds
  /// the different texts that are kept of a column of nothing but numbers.
  void add(std::string_view text, const RowPlace& at, std::size_t most, std::size_t count = 1);
  void add(const CellRun& run, std::size_t most);
  void add_missing(const RowPlace& at);
  /// Takes numbers that were no texts: NaN is missing. Fails on infinite ones.
  void add(std::span<const float> numbers);
  /// Takes a number of a column that has no codes any more. Fails if it is too large for float32.
  void add(double number, const RowPlace& at);
  /// Takes the cell of that code once more.
  void add_again(std::uint32_t code);
  /// Declares these values, unless they are. Fails if one stands there twice.
  void admit(const std::vector<std::string>& values);

  /// The cells are texts even if they look like numbers.
  void say_texts() { column_->facts.given_texts = true; }
  const std::string& name() const { return column_->name; }
  std::size_t rows() const { return rows_; }
  bool has_codes() const { return column_->storage == Column::Storage::codes; }
  CellPlace place(const RowPlace& at) const;
  bool keeps_cells() const { return kept_ != Kept::nothing; }
  /// What a sparse row means by leaving the column out: 0, or the first declared value; a text that is not
  /// declared is missing.
  std::string_view absent_text() const;

  /// Fails if a column of nothing but numbers holds one that cannot be used. In a column with texts such a
  /// number is a code like 12e456.
  std::shared_ptr<const Column> finish();
  /// The same without failing: refuse_too_large (columns.h) does, for many columns at once.
  std::shared_ptr<const Column> close();
  /// The numbers taken lie in somebody else's matrix and are not kept.
  std::shared_ptr<const Column> finish(const float* first, std::size_t stride);

 private:
  enum class Told : std::uint8_t { missing, number, unread, stray };

  bool add_short(std::string_view text);
  bool takes_numbers(std::uint8_t traits) const;
  void add_numbers(std::span<const float> numbers, std::uint8_t traits);
  void add_code(std::string_view text, const RowPlace& at, std::size_t most, std::size_t count);
  void add_number(std::string_view text, const RowPlace& at, std::size_t count);
  Told tell(std::string_view text, const RowPlace& at, double& value);
  void check_declared(bool text_cell, std::string_view text, const RowPlace& at) const;
  void note_distinct(std::size_t most);
  void note_value(double value);
  void push_numbers(double value, std::size_t count);
  void widen();
  void note_codes();
  void count(Told told, std::size_t cells);
  void count_codes();
  void to_numbers();
  void forget();
  void tidy_codes();

  Kept kept_;
  std::shared_ptr<Column> column_;
  std::size_t rows_ = 0;
  const std::string& table_;
  std::size_t index_;
  std::vector<Told> told_;  ///< what each code says
  TextIndex admitted_;
  TextIndex strays_;  ///< the first few different cells that are no numbers, if there are no codes
  double first_value_ = 0;
  double second_value_ = 0;
  NumberRange range_;
};

}  // namespace coppice
