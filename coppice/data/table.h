#pragma once

#include "coppice/core/export.h"
#include "coppice/core/matrix.h"
#include "coppice/data/kinds.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

// Part of the public interface.
namespace coppice {

struct Column;

struct ImageShape {
  std::size_t rows = 0;
  std::size_t cols = 0;
};

/// Which cells of a column are missing: one flag per row, or none at all.
class MissingCells {
 public:
  MissingCells() = default;
  template <std::ranges::input_range Flags>
  MissingCells(const Flags& flags)  // NOLINT(google-explicit-constructor)
      : flags_(std::ranges::begin(flags), std::ranges::end(flags)) {}

  std::size_t size() const { return flags_.size(); }
  bool operator[](std::size_t row) const { return !flags_.empty() && flags_[row]; }

 private:
  std::vector<bool> flags_;
};

/// What is known of a table beside its cells.
struct TableInfo {
  std::string name = "the table";  ///< what messages call it: the path of a file
  Format format = Format::csv;
  std::string description = {};            ///< "csv, delimiter ';', header" and the like: said to the user
  std::optional<ImageShape> image = {};    ///< the first columns are its pixels, row by row
  std::optional<std::string> target = {};  ///< the column that a format itself marks as the label
  std::optional<std::uint32_t> checksum = {};  ///< CRC-32 of the files as they lie on disk
  bool has_lines = false;                      ///< messages name lines of a file instead of rows
  std::size_t first_row = 0;                   ///< of a part of a file: how many rows come before it
  bool has_names = true;  ///< the columns' names are their own, not column1, column2, ...
};

/// Rows x named columns. Cells are numbers (float32) or texts, some of them missing; columns never change, so copies are
/// cheap. In messages rows and columns count from 1.
class COPPICE_API Table {
 public:
  Table() = default;
  /// What a reader read.
  Table(TableInfo info, std::size_t rows, std::vector<std::shared_ptr<const Column>> columns);

  /// The columns of a matrix, which is not copied: it must stay as it is while the table or a copy of it is used. NaN is
  /// missing. Without names the columns are column1, column2, ...
  static Table matrix(View<const float> values, std::vector<std::string> names = {});

  /// NaN and cells marked in `missing` are missing; infinite numbers and those beyond float32 are refused.
  template <std::ranges::input_range Numbers>
  requires std::is_arithmetic_v<std::ranges::range_value_t<Numbers>>
  void add_numbers(std::string name, const Numbers& values, const MissingCells& missing = {}) {
    using Number = std::ranges::range_value_t<Numbers>;
    if constexpr (std::ranges::contiguous_range<Numbers>) {
      add_values(std::move(name), std::span<const Number>(values), missing);
    } else {
      using Stored = std::conditional_t<std::same_as<Number, bool>, std::uint8_t, Number>;
      const std::vector<Stored> copy(std::ranges::begin(values), std::ranges::end(values));
      add_values(std::move(name), std::span<const Stored>(copy), missing);
    }
  }

  /// Empty texts, NA, N/A, NaN, null and ? (any case) are missing, as in a csv file.
  template <std::ranges::input_range Texts>
  requires std::convertible_to<std::ranges::range_reference_t<Texts>, std::string_view>
  void add_texts(std::string name, const Texts& texts, const MissingCells& missing = {}) {
    add_views(std::move(name),
              std::vector<std::string_view>(std::ranges::begin(texts), std::ranges::end(texts)), missing);
  }

  /// Texts as codes into categories, from 0; a negative code is missing. Classes keep the order of the categories.
  void add_codes(const std::string& name, std::span<const std::int32_t> codes,
                 const std::vector<std::string>& categories);

  /// The first rows * cols columns are the pixels of images, row by row: they are scaled alike, as idx images are.
  void set_image(std::size_t rows, std::size_t cols);
  /// What messages call the table.
  void set_name(std::string name) { info_.name = std::move(name); }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_.size(); }
  std::vector<std::string> names() const;
  std::optional<std::size_t> find(std::string_view column) const;
  /// number: every cell that is there is one.
  ColumnKind kind(std::size_t column) const;
  /// A cell as text: as it was spelled, else the shortest spelling of the number; empty if missing.
  std::string text(std::string_view column, std::size_t row) const;

  const std::string& name() const { return info_.name; }
  const TableInfo& info() const { return info_; }
  /// For the rest of the library.
  const Column& column(std::size_t index) const { return *columns_[index]; }
  TableInfo& info() { return info_; }

 private:
  template <class Number>
  void add_values(std::string name, std::span<const Number> values, const MissingCells& missing);
  void add_views(std::string name, const std::vector<std::string_view>& texts, const MissingCells& missing);
  void require_fit(const std::string& name, std::size_t rows, const MissingCells& missing) const;
  void add(std::shared_ptr<const Column> column, std::size_t rows);

  TableInfo info_;
  std::size_t rows_ = 0;
  std::vector<std::shared_ptr<const Column>> columns_;
  std::unordered_map<std::string_view, std::size_t> index_;  ///< the names lie in the columns
};

}  // namespace coppice
