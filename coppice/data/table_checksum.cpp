#include "coppice/data/table_checksum.h"

#include "coppice/core/file.h"
#include "coppice/data/column.h"

#include <array>
#include <cmath>
#include <limits>

namespace coppice {

namespace {

class Sum {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void add(std::span<const T> values) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    value_ = checksum({reinterpret_cast<const char*>(values.data()), values.size_bytes()}, value_);
  }
  void add(std::uint64_t number) { add(std::span<const std::uint64_t>(&number, 1)); }
  /// Its length first: "a", "bc" is not "ab", "c".
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    add(std::span<const char>(text));
  }
  std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_ = 0;
};

void add_codes(Sum& sum, const Column& column, std::size_t rows) {
  sum.add(std::uint64_t{column.texts.size()});
  for (std::size_t code = 0; code < column.texts.size(); ++code) sum.add(column.texts[code]);
  for (std::size_t row = 0; row < rows;) {
    const std::span<const std::uint32_t> run = column.cells.run(row);
    sum.add(run);
    row += run.size();
  }
}

/// Wherever the numbers lie; every NaN is the same.
void add_numbers(Sum& sum, const Column& column, std::size_t rows) {
  if (column.base != 0) sum.add(std::bit_cast<std::uint64_t>(column.base));
  std::array<float, CellStore::chunk_size> block{};
  for (std::size_t row = 0; row < rows; row += block.size()) {
    const std::span<float> cells(block.data(), std::min(block.size(), rows - row));
    column.numbers(row, cells);
    for (float& cell : cells) {
      if (std::isnan(cell)) cell = std::numeric_limits<float>::quiet_NaN();
    }
    sum.add(std::span<const float>(cells));
  }
}

void add_column(Sum& sum, const Column& column, std::size_t rows) {
  const bool coded = column.storage == Column::Storage::codes;
  expect_cells(column);
  sum.add(column.name);
  sum.add(column.facts.declared ? static_cast<std::uint64_t>(*column.facts.declared) + 1 : 0);
  sum.add(std::uint64_t{column.facts.declared_values.size()});
  for (const std::string& value : column.facts.declared_values) sum.add(value);
  sum.add(std::uint64_t{column.facts.given_texts});
  sum.add(std::uint64_t{coded});
  coded ? add_codes(sum, column, rows) : add_numbers(sum, column, rows);
}

}  // namespace

std::uint32_t table_checksum(const Table& table) {
  Sum sum;
  const TableInfo& info = table.info();
  sum.add(static_cast<std::uint64_t>(info.format));
  sum.add(info.image ? info.image->rows : std::uint64_t{0});
  sum.add(info.image ? info.image->cols : std::uint64_t{0});
  sum.add(info.target.value_or(""));
  sum.add(std::uint64_t{table.rows()});
  sum.add(std::uint64_t{table.columns()});
  for (std::size_t i = 0; i < table.columns(); ++i) add_column(sum, table.column(i), table.rows());
  return sum.value();
}

}  // namespace coppice
