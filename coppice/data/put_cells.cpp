#include "coppice/data/put_cells.h"

#include <array>

#include <fmt/format.h>

namespace coppice {

void put_floats(ColumnBuilder& column, std::span<const float> values, const MissingCells& missing) {
  if (missing.size() == 0) return column.add(values);
  for (std::size_t i = 0; i < values.size(); ++i)
    column.add(std::array{missing[i] ? not_a_number : values[i]});
}

void put_texts(ColumnBuilder& column, std::span<const std::string_view> texts, const MissingCells& missing) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    column.add(missing[i] ? std::string_view() : texts[i], {.row = column.rows()},
               ColumnFacts::most_distinct);
  }
  column.say_texts();
}

void put_codes(ColumnBuilder& column, std::span<const std::int32_t> codes,
               const std::vector<std::string>& categories) {
  column.admit(categories);
  for (const std::int32_t code : codes) {
    const RowPlace at{.row = column.rows()};
    if (code >= static_cast<std::int64_t>(categories.size())) {
      column.place(at).fail(fmt::format(
          "the code {} has no category, there are {}; codes count from 0, negative ones are missing", code,
          categories.size()));
    }
    if (code < 0) {
      column.add_missing(at);
    } else {
      column.add(categories[static_cast<std::size_t>(code)], at, ColumnFacts::most_distinct);
    }
  }
}

}  // namespace coppice
