#include "coppice/api/resolve.h"
#include "coppice/c_interface/handles.h"
#include "coppice/data/row_memory.h"

#include <span>

using namespace coppice;
using namespace coppice::c;

namespace {

template <class Number>
coppice_status add(coppice_growing_table* table, const char* name, const Number* values, std::size_t rows,
                   const std::uint8_t* missing) {
  return guarded([&] {
    if (rows > 0) required(values, "the values");
    required(table, "the table")
        .value.add(column_name(name), std::span(values, rows), flags_at(missing, rows));
  });
}

}  // namespace

coppice_status coppice_growing_table_new(const coppice_options* options, coppice_growing_table** table) {
  return guarded([&] {
    coppice_growing_table*& to = place_for(table, "the table");
    to = new coppice_growing_table{
        GrowingTable(options == nullptr ? 0 : memory_of_cells(memory_of(options->value)))};
  });
}

coppice_status coppice_growing_table_add_f32(coppice_growing_table* table, const char* name,
                                             const float* values, std::size_t rows,
                                             const std::uint8_t* missing) {
  return add(table, name, values, rows, missing);
}
coppice_status coppice_growing_table_add_f64(coppice_growing_table* table, const char* name,
                                             const double* values, std::size_t rows,
                                             const std::uint8_t* missing) {
  return add(table, name, values, rows, missing);
}
coppice_status coppice_growing_table_add_i64(coppice_growing_table* table, const char* name,
                                             const std::int64_t* values, std::size_t rows,
                                             const std::uint8_t* missing) {
  return add(table, name, values, rows, missing);
}

coppice_status coppice_growing_table_add_texts(coppice_growing_table* table, const char* name,
                                               const char* const* texts, std::size_t rows) {
  return guarded([&] {
    const std::vector<std::string_view> cells = cells_at(texts, rows);
    required(table, "the table").value.add(column_name(name), std::span(cells));
  });
}

coppice_status coppice_growing_table_add_codes(coppice_growing_table* table, const char* name,
                                               const std::int32_t* codes, std::size_t rows,
                                               const char* const* categories, std::size_t categories_count) {
  return guarded([&] {
    if (rows > 0) required(codes, "the codes");
    required(table, "the table")
        .value.add(column_name(name), std::span(codes, rows),
                   texts_at(categories, categories_count, "a category"));
  });
}

coppice_status coppice_growing_table_finish(coppice_growing_table* growing, coppice_table** table) {
  return guarded([&] {
    coppice_table*& to = place_for(table, "the table");
    to = new coppice_table{required(growing, "the growing table").value.finish()};
  });
}

void coppice_growing_table_free(coppice_growing_table* table) {
  delete table;
}
