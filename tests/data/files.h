#pragma once

#include "coppice/data/reader.h"

#include "tests/support.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <zlib.h>

namespace coppice::test {

/// Tests of readers: files in a directory of their own.
class Files : public Folder {
 protected:
  std::string write_gz(const std::string& name, std::string_view bytes) const {
    gzFile file = gzopen(path(name).c_str(), "wb1");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    return path(name);
  }

  TableProfile profile(const std::string& name, std::string_view bytes) const {
    return profile_table(find_source(write(name, bytes)));
  }
};

/// Columns that hold nothing but numbers as numbers, the others as text.
inline LoadPlan natural_plan(const TableProfile& profile) {
  LoadPlan plan;
  for (const auto& column : profile.columns) {
    const bool number = column.declared == ColumnKind::number ||
                        (column.declared_values.empty() && column.numeric == column.present);
    plan.uses.push_back(number ? ColumnUse::number : ColumnUse::text);
  }
  plan.required.resize(plan.uses.size());
  return plan;
}

inline Table load(const TableProfile& profile) {
  return load_table(profile, natural_plan(profile));
}

inline std::string text_at(const Table& table, std::size_t row, std::size_t column) {
  const Column& c = table.columns.at(column);
  return c.codes.at(row) == Column::missing ? "<missing>" : c.values.at(c.codes.at(row));
}

inline float number_at(const Table& table, std::size_t row, std::size_t column) {
  return table.numbers(row, table.columns.at(column).index);
}

inline std::vector<std::string> names(const TableProfile& profile) {
  std::vector<std::string> out;
  for (const auto& column : profile.columns) out.push_back(column.name);
  return out;
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
