#include "coppice/data/encoding.h"

namespace coppice {

std::size_t InputColumn::width() const {
  if (kind == ColumnKind::text) return categories.size() + 1;
  return indicator ? 2 : 1;
}

std::string Encoding::input_name(std::size_t i) const {
  for (const InputColumn& column : columns) {
    const std::size_t width = column.width();
    if (i >= width) {
      i -= width;
    } else if (column.kind == ColumnKind::number) {
      return i == 0 ? column.name : column.name + " missing";
    } else if (i == column.categories.size()) {
      return column.name + " other";
    } else {
      return column.name + "=" + column.categories[i];
    }
  }
  return {};
}

}  // namespace coppice
