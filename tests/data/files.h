#pragma once

#include "coppice/core/error.h"
#include "coppice/data/reader.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

#include <gtest/gtest.h>
#include <zlib.h>

namespace coppice::test {

/// Tests that write files into a directory of their own, which is removed at the end.
class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              fmt::format("coppice-{}-{}-{}", info->test_suite_name(), info->name(), ::getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  std::string write_gz(const std::string& name, std::string_view bytes) const {
    gzFile file = gzopen(path(name).c_str(), "wb1");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    return path(name);
  }

  TableProfile profile(const std::string& name, std::string_view bytes) const {
    return profile_table(find_source(write(name, bytes)));
  }

  std::filesystem::path folder_;
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

/// The message of the Error that `action` must throw.
template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return {};
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
