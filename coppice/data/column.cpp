#include "coppice/data/column.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/cell_memory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace coppice {

namespace {

/// The column with its numbers as texts: at most `most` distinct ones, then the rest of the rows is left out.
std::unique_ptr<Column> spelled(const Column& column, std::size_t rows, std::size_t most) {
  auto coded = std::make_unique<Column>();
  coded->storage = Column::Storage::codes;
  const auto spelling = [&](double value) {
    return column.storage == Column::Storage::doubles ? shortest(value) : shortest(static_cast<float>(value));
  };
  std::unordered_map<double, std::uint32_t> codes;
  for (std::size_t row = 0; row < rows; ++row) {
    const double value = column.value(row) + 0.0;
    if (std::isnan(value)) {
      coded->cells.push(Column::missing);
      continue;
    }
    const auto [found, fresh] = codes.emplace(value, static_cast<std::uint32_t>(codes.size()));
    if (fresh && codes.size() > most) break;
    if (fresh) coded->texts.add(spelling(value));
    coded->cells.push(found->second);
  }
  return coded;
}

}  // namespace

double Column::value(std::size_t row) const {
  switch (storage) {
    case Storage::codes:
      return cells[row] == missing ? not_a_number : values[cells[row]];
    case Storage::floats:
      return std::bit_cast<float>(cells[row]);
    case Storage::doubles:
      return std::bit_cast<double>(std::uint64_t{upper[row]} << 32U | cells[row]);
    case Storage::borrowed:
      return first[row * stride];
    default:
      return not_a_number;
  }
}

void Column::numbers(std::size_t row, std::span<float> out, double less) const {
  if (storage == Storage::floats && less == 0) {
    while (!out.empty()) {
      const std::span<const std::uint32_t> run = cells.run(row);
      const std::size_t count = std::min(run.size(), out.size());
      std::memcpy(out.data(), run.data(), count * sizeof(float));
      row += count;
      out = out.subspan(count);
    }
    return;
  }
  if (storage == Storage::borrowed && less == 0) {
    const float* from = first + row * stride;
    for (float& value : out) {
      value = *from;
      from += stride;
    }
    return;
  }
  if (storage == Storage::codes) {
    while (!out.empty()) {
      const std::span<const std::uint32_t> run = cells.run(row);
      const std::size_t count = std::min(run.size(), out.size());
      std::ranges::transform(run.first(count), out.begin(), [&](std::uint32_t code) {
        return code == missing ? not_a_number : static_cast<float>(values[code] - less);
      });
      row += count;
      out = out.subspan(count);
    }
    return;
  }
  for (float& value : out) value = number(row++, less);
}

void Column::numbers(std::span<const std::uint32_t> rows, float* out) const {
  for (const std::uint32_t row : rows) *out++ = number(row);
}

TextCells::TextCells(const Table& table, std::size_t column) : coded_(&table.column(column)) {
  if (coded_->storage == Column::Storage::codes) return;
  if (coded_->storage == Column::Storage::none || coded_->respelled) {
    fail_at(
        {.column = coded_->name},
        "{}: column {} is to be taken as text, but of its many different values the texts were not kept; {}",
        table.name(), cited(coded_->name),
        table.info().has_lines ? "name it among the texts when the file is read"
                               : "add it as texts or codes");
  }
  own_ = spelled(*coded_, table.rows(), table.rows());
  coded_ = own_.get();
}

DistinctTexts distinct_texts(const Table& table, std::size_t index) {
  const Column& column = table.column(index);
  DistinctTexts distinct{.texts = {}, .count = column.facts.distinct, .more = column.facts.more_distinct};
  const bool coded = column.storage == Column::Storage::codes || column.storage == Column::Storage::none;
  const std::size_t most = distinct.more ? distinct.count : ColumnFacts::most_distinct;
  const std::unique_ptr<Column> own = coded ? nullptr : spelled(column, table.rows(), most);
  const TextIndex& texts = coded ? column.texts : own->texts;
  for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) distinct.texts.emplace_back(texts[i]);
  if (!coded && !distinct.more) {
    distinct.count = texts.size();
    distinct.more = own->cells.size() < table.rows();
  }
  return distinct;
}

void expect_cells(const Column& column) {
  if (!column.cells.memory()) return;
  column.cells.expect();
  column.upper.expect();
}

void release_cells(const Table& table) {
  // All columns of a file have the same, those that were added later none.
  if (table.columns() > 0 && table.column(0).cells.memory()) table.column(0).cells.memory()->release();
}

CellPlace place_in(const Table& table, std::size_t column, const RowPlace& at) {
  return {.table = table.name(), .at = at, .column = column, .name = table.column(column).name};
}

std::string shortest(double value) {
  return fmt::format("{}", value + 0.0);
}

std::string shortest(float value) {
  return fmt::format("{}", value + 0.0F);
}

}  // namespace coppice
