#include "coppice/c_interface/handles.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/run/read.h"

#include <span>
#include <string_view>

using namespace coppice;
using namespace coppice::c;

std::string coppice::c::column_name(const char* name) {
  std::string text = required_text(name, "the name of a column");
  if (!is_utf8(text)) {
    const std::string shown = to_utf8(text);
    fail_at({.column = shown}, "the name {} of a column is not UTF-8; convert it", cited(shown));
  }
  return text;
}

std::vector<std::string_view> coppice::c::cells_at(const char* const* texts, std::size_t rows) {
  if (rows > 0) required(texts, "the texts");
  std::vector<std::string_view> views;
  views.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i)
    views.push_back(texts[i] == nullptr ? std::string_view() : std::string_view(texts[i]));
  return views;
}

namespace {

template <class Number>
coppice_status add(coppice_table* table, const char* name, const Number* values, std::size_t rows,
                   const std::uint8_t* missing) {
  return guarded([&] {
    if (rows > 0) required(values, "the values");
    required(table, "the table")
        .value.add_numbers(column_name(name), std::span(values, rows), flags_at(missing, rows));
  });
}

}  // namespace

coppice_status coppice_table_new(coppice_table** table) {
  return guarded([&] {
    coppice_table*& to = place_for(table, "the table");
    to = new coppice_table{};
  });
}

coppice_status coppice_table_matrix(const float* values, std::size_t rows, std::size_t columns,
                                    std::size_t stride, const char* const* names, coppice_table** table) {
  return guarded([&] {
    coppice_table*& to = place_for(table, "the table");
    if (rows > 0 && columns > 0) required(values, "the matrix");
    if (rows > 1 && stride < columns) {
      fail(
          "the stride {} is less than the {} columns of the matrix; it counts floats from one row to the "
          "next",
          stride, columns);
    }
    std::vector<std::string> texts;
    for (std::size_t i = 0; names != nullptr && i < columns; ++i) texts.push_back(column_name(names[i]));
    const View<const float> view{.data = values, .rows = rows, .cols = columns, .stride = stride};
    to = new coppice_table{Table::matrix(view, std::move(texts))};
  });
}

coppice_status coppice_table_read(const char* path, const char* const* texts, std::size_t texts_count,
                                  coppice_table** table) {
  return guarded([&] {
    coppice_table*& to = place_for(table, "the table");
    ReadOptions options;
    options.texts = texts_at(texts, texts_count, "a name");
    to = new coppice_table{read_table(required_text(path, "the path"), options)};
  });
}

coppice_status coppice_table_add_f32(coppice_table* table, const char* name, const float* values,
                                     std::size_t rows, const std::uint8_t* missing) {
  return add(table, name, values, rows, missing);
}
coppice_status coppice_table_add_f64(coppice_table* table, const char* name, const double* values,
                                     std::size_t rows, const std::uint8_t* missing) {
  return add(table, name, values, rows, missing);
}
coppice_status coppice_table_add_i64(coppice_table* table, const char* name, const std::int64_t* values,
                                     std::size_t rows, const std::uint8_t* missing) {
  return add(table, name, values, rows, missing);
}

coppice_status coppice_table_add_texts(coppice_table* table, const char* name, const char* const* texts,
                                       std::size_t rows) {
  return guarded([&] {
    const std::vector<std::string_view> cells = cells_at(texts, rows);
    required(table, "the table").value.add_texts(column_name(name), cells);
  });
}

coppice_status coppice_table_add_codes(coppice_table* table, const char* name, const std::int32_t* codes,
                                       std::size_t rows, const char* const* categories,
                                       std::size_t categories_count) {
  return guarded([&] {
    if (rows > 0) required(codes, "the codes");
    required(table, "the table")
        .value.add_codes(column_name(name), std::span(codes, rows),
                         texts_at(categories, categories_count, "a category"));
  });
}

coppice_status coppice_table_set_image(coppice_table* table, std::size_t height, std::size_t width) {
  return guarded([&] { required(table, "the table").value.set_image(height, width); });
}
std::size_t coppice_table_rows(const coppice_table* table) {
  return table == nullptr ? 0 : table->value.rows();
}
std::size_t coppice_table_columns(const coppice_table* table) {
  return table == nullptr ? 0 : table->value.columns();
}
void coppice_table_free(coppice_table* table) {
  delete table;
}
