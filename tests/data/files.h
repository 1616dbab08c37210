#pragma once

#include "coppice/data/column.h"
#include "coppice/data/columns.h"
#include "coppice/data/reader.h"

#include "tests/support.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace coppice::test {

using Strings = std::vector<std::string>;

/// Bytes in memory; counts how they are read.
class StringStream final : public ByteStream {
 public:
  explicit StringStream(std::string_view bytes) : left_(bytes) {}

  std::size_t read(char* buffer, std::size_t size) override {
    const std::size_t count = std::min(size, left_.size());
    std::copy_n(left_.data(), count, buffer);
    left_.remove_prefix(count);
    pulled += count;
    if (count < size) ++ends;
    return count;
  }

  std::size_t pulled = 0;  ///< bytes
  std::size_t ends = 0;    ///< reads that met the end

 private:
  std::string_view left_;
};

inline Table read_text(const std::string& name, std::string_view bytes, const ReadHints& hints = {}) {
  StringStream stream(bytes);
  return read_bytes({.stream = stream, .name = name, .hints = hints});
}

/// Tests of readers: files in a directory of their own.
class Files : public Folder {
 protected:
  std::string write_gz(const std::string& name, std::string_view bytes) const {
    gzFile file = gzopen(path(name).c_str(), "wb1");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    return path(name);
  }
};

inline std::string text_at(const Table& table, std::size_t row, std::size_t column) {
  const TextCells cells(table, column);
  return cells.code(row) == Column::missing ? "<missing>" : std::string(cells.text(cells.code(row)));
}

inline float number_at(const Table& table, std::size_t row, std::size_t column) {
  return table.column(column).number(row);
}

inline const ColumnFacts& facts(const Table& table, std::size_t column) {
  return table.column(column).facts;
}

/// The different texts of a column, in the order of their first cells.
inline std::vector<std::string> distinct(const Table& table, std::size_t column) {
  return distinct_texts(table, column).texts;
}

/// What is said about the first cell that does not let the columns be numbers.
inline std::string number_error(const Table& table, const std::vector<std::size_t>& columns) {
  return message_of([&] {
    CellCheck check(table);
    for (const std::size_t column : columns) check.numbers(column);
    check.finish();
  });
}

/// Every part must stand in the text.
inline void expect_parts(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (const auto part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "missing: " << part << "\nin: " << text;
  }
}

/// Four big-endian bytes.
inline std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24U), static_cast<char>(value >> 16U), static_cast<char>(value >> 8U),
          static_cast<char>(value)};
}

inline std::string idx_bytes(std::initializer_list<std::uint32_t> sizes, std::string_view values,
                             char type = 8) {
  std::string bytes{'\0', '\0', type, static_cast<char>(sizes.size())};
  for (const auto size : sizes) bytes += big_endian(size);
  return bytes.append(values);
}

}  // namespace coppice::test
