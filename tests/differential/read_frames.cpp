// read_frames csv|arff|libsvm: reads files from standard input, each after its size in four bytes, and writes what the
// reader makes of them, framed alike: for differential.py, which holds it against other readers.
//
//   E message                                      it is refused
//   T delimiter header|- columns...                a table; delimiter and header of csv files alone
// A column is its name, number|text, and its cells: M missing, N and the bits of the float in hexadecimal, T and the text. The
// bytes 1D, 1E and 1F stand between columns, parts of a column and cells.
#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/data/column.h"
#include "coppice/data/csv_splitter.h"
#include "coppice/data/reader.h"

#include "tests/fuzz/bytes.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <iterator>
#include <string>

#include <fmt/format.h>

namespace {

using namespace coppice;

std::string cell_text(const Table& table, std::size_t column, std::size_t row) {
  const auto number = static_cast<float>(table.column(column).value(row));
  if (table.kind(column) == ColumnKind::number)
    return std::isnan(number) ? "M" : fmt::format("N{:08x}", std::bit_cast<std::uint32_t>(number));
  const TextCells cells(table, column);
  return cells.code(row) == Column::missing ? "M" : fmt::format("T{}", cells.text(cells.code(row)));
}

std::string table_text(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns(); ++i) {
    text += fmt::format("\x1D{}\x1E{}\x1E", table.column(i).name,
                        table.kind(i) == ColumnKind::number ? "number" : "text");
    for (std::size_t row = 0; row < table.rows(); ++row) text += cell_text(table, i, row) + '\x1F';
  }
  return text;
}

/// Delimiter and header of a csv file, or two question marks if they cannot be told.
std::string shape_text(std::string_view bytes, const std::string& name) {
  fuzz::Bytes stream(bytes);
  HeadStream head(stream);
  try {
    const CsvShape shape = find_shape(head, {.stream = head, .name = name});
    return {shape.delimiter, shape.header ? 'H' : '-'};
  } catch (const Error&) {
    return "??";
  }
}

std::string answer(std::string_view bytes, const std::string& format) {
  const std::string name = "file." + format;
  const std::string shape = format == "csv" ? shape_text(bytes, name) : "--";
  try {
    fuzz::Bytes stream(bytes);
    return fmt::format("T{}{}", shape, table_text(read_bytes({.stream = stream, .name = name})));
  } catch (const Error& error) {
    return fmt::format("E{}{}", shape, error.what());
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: read_frames csv|arff|libsvm < FRAMES\n");
    return 2;
  }
  const std::string input((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  for (std::size_t at = 0; at < input.size();) {
    std::uint32_t size = 0;
    std::memcpy(&size, input.data() + at, sizeof size);
    const std::string text = answer(std::string_view(input).substr(at + sizeof size, size), arguments[1]);
    at += sizeof size + size;
    const auto written = static_cast<std::uint32_t>(text.size());
    std::fwrite(&written, sizeof written, 1, stdout);
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
}
