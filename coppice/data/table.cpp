#include "coppice/data/table.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/column_builder.h"
#include "coppice/data/put_cells.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace coppice {

namespace {

std::vector<std::string> numbered_names(std::size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("column{}", i + 1));
  return names;
}

}  // namespace

Table::Table(TableInfo info, std::size_t rows, std::vector<std::shared_ptr<const Column>> columns)
    : info_(std::move(info)), rows_(rows), columns_(std::move(columns)) {
  for (std::size_t i = 0; i < columns_.size(); ++i) index_.emplace(columns_[i]->name, i);
}

void Table::require_fit(const std::string& name, std::size_t rows, const MissingCells& missing) const {
  if (name.empty()) fail_at({}, "{}: column {} has no name; give it one", info_.name, columns() + 1);
  if (find(name))
    fail_at({.column = name}, "{}: there is a column {} already; rename one of them", info_.name,
            cited(name));
  if (!columns_.empty() && rows != rows_) {
    fail_at({.column = name},
            "{}: column {} has {} rows, but the columns before it have {}; give every column as many",
            info_.name, cited(name), rows, rows_);
  }
  if (missing.size() != 0 && missing.size() != rows) {
    fail_at({.column = name},
            "{}: column {} has {} rows, but {} flags for missing cells; give one for each row", info_.name,
            cited(name), rows, missing.size());
  }
}

void Table::add(std::shared_ptr<const Column> column, std::size_t rows) {
  rows_ = rows;
  index_.emplace(column->name, columns_.size());
  columns_.push_back(std::move(column));
}

template <class Number>
void Table::add_values(std::string name, std::span<const Number> values, const MissingCells& missing) {
  require_fit(name, values.size(), missing);
  ColumnBuilder builder({.name = std::move(name)}, Kept::best, info_.name, columns());
  NumberCodes<Number> codes;
  put_numbers(builder, codes, values, missing);
  add(builder.finish(), values.size());
}

template <>
void Table::add_values<float>(std::string name, std::span<const float> values, const MissingCells& missing) {
  require_fit(name, values.size(), missing);
  ColumnBuilder builder({.name = std::move(name)}, Kept::number, info_.name, columns());
  put_floats(builder, values, missing);
  add(builder.finish(), values.size());
}

template void Table::add_values(std::string, std::span<const double>, const MissingCells&);
template void Table::add_values(std::string, std::span<const bool>, const MissingCells&);
template void Table::add_values(std::string, std::span<const signed char>, const MissingCells&);
template void Table::add_values(std::string, std::span<const unsigned char>, const MissingCells&);
template void Table::add_values(std::string, std::span<const short>, const MissingCells&);
template void Table::add_values(std::string, std::span<const unsigned short>, const MissingCells&);
template void Table::add_values(std::string, std::span<const int>, const MissingCells&);
template void Table::add_values(std::string, std::span<const unsigned>, const MissingCells&);
template void Table::add_values(std::string, std::span<const long>, const MissingCells&);
template void Table::add_values(std::string, std::span<const unsigned long>, const MissingCells&);
template void Table::add_values(std::string, std::span<const long long>, const MissingCells&);
template void Table::add_values(std::string, std::span<const unsigned long long>, const MissingCells&);

void Table::add_views(std::string name, const std::vector<std::string_view>& texts,
                      const MissingCells& missing) {
  require_fit(name, texts.size(), missing);
  ColumnBuilder builder({.name = std::move(name)}, Kept::text, info_.name, columns());
  put_texts(builder, texts, missing);
  add(builder.finish(), texts.size());
}

void Table::add_codes(const std::string& name, std::span<const std::int32_t> codes,
                      const std::vector<std::string>& categories) {
  require_fit(name, codes.size(), {});
  ColumnBuilder builder({.name = name, .declared = ColumnKind::text}, Kept::text, info_.name, columns());
  put_codes(builder, codes, categories);
  add(builder.finish(), codes.size());
}

Table Table::matrix(View<const float> values, std::vector<std::string> names) {
  Table table;
  table.info_.has_names = !names.empty();
  if (names.empty()) names = numbered_names(values.cols);
  if (names.size() != values.cols) {
    fail("{}: there are {} names for {} columns of a matrix; give one for each, or none", table.info_.name,
         names.size(), values.cols);
  }
  std::vector<ColumnBuilder> builders;
  builders.reserve(values.cols);
  for (std::size_t c = 0; c < values.cols; ++c)
    builders.emplace_back(ColumnHead{.name = std::move(names[c])}, Kept::nothing, table.info_.name, c);
  // A block of rows at a time: a column by itself would fetch the whole matrix for each.
  constexpr std::size_t block = 64;
  std::array<float, block> cells{};
  for (std::size_t row = 0; row < values.rows; row += block) {
    const std::size_t count = std::min(block, values.rows - row);
    for (std::size_t c = 0; c < values.cols; ++c) {
      for (std::size_t i = 0; i < count; ++i) cells[i] = values(row + i, c);
      builders[c].add(std::span<const float>(cells.data(), count));
    }
  }
  for (std::size_t c = 0; c < values.cols; ++c) {
    auto column = builders[c].finish(values.data + c, values.stride);
    table.require_fit(column->name, values.rows, {});
    table.add(std::move(column), values.rows);
  }
  table.rows_ = values.rows;
  return table;
}

void Table::set_image(std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0 || rows > columns() / cols) {
    fail("{}: an image of {} x {} pixels needs as many columns, but the table has {}; add the pixels first",
         info_.name, rows, cols, columns());
  }
  info_.image = ImageShape{.rows = rows, .cols = cols};
  info_.format = Format::idx;
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> names;
  names.reserve(columns_.size());
  for (const auto& column : columns_) names.push_back(column->name);
  return names;
}

std::optional<std::size_t> Table::find(std::string_view column) const {
  const auto found = index_.find(column);
  if (found == index_.end()) return std::nullopt;
  return found->second;
}

ColumnKind Table::kind(std::size_t column) const {
  const ColumnFacts& facts = columns_.at(column)->facts;
  if (facts.declared) return *facts.declared;
  return facts.all_numbers() && !facts.given_texts ? ColumnKind::number : ColumnKind::text;
}

std::string Table::text(std::string_view column, std::size_t row) const {
  const std::optional<std::size_t> index = find(column);
  if (!index || row >= rows_) {
    fail_at({.column = std::string(column), .row = row}, "{}: there is no row {} in a column {}", info_.name,
            row + 1, cited(column));
  }
  const Column& cells = *columns_[*index];
  if (cells.storage == Column::Storage::codes)
    return cells.code(row) == Column::missing ? std::string() : std::string(cells.texts[cells.code(row)]);
  const double value = cells.value(row);
  if (std::isnan(value)) return {};
  return cells.storage == Column::Storage::doubles ? shortest(value) : shortest(static_cast<float>(value));
}

}  // namespace coppice
