// Numbers that float32 cannot tell apart: what is taken off them, and that nothing else changes.
#include "coppice/data/number_range.h"

#include "coppice/data/table_checksum.h"
#include "coppice/data/weights.h"

#include "tests/data/encoding_tables.h"
#include "tests/data/files.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <numeric>

namespace coppice::test {
namespace {

using coppice::testing::Trained;
using coppice::testing::with_target;
using ::testing::HasSubstr;

/// Moments of a day, in seconds since 1970, all different and in no order.
std::vector<double> seconds(std::size_t count, double step = 1) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(1'700'000'001 + step * static_cast<double>(i * 7919 % 86'400));
  return values;
}

/// Columns x and y, y a class.
std::string csv_of(const std::vector<double>& values, std::size_t more_columns = 0) {
  std::string text = "x";
  for (std::size_t c = 0; c < more_columns; ++c) text += fmt::format(",c{}", c);
  text += ",y\n";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += shortest(values[i]);
    for (std::size_t c = 0; c < more_columns; ++c) text += fmt::format(",{}", (i + c) % 3);
    text += i % 2 == 0 ? ",a\n" : ",b\n";
  }
  return text;
}

Dataset encoded(const coppice::testing::Trained& trained, const Table& table) {
  std::vector<std::string> warnings;
  return encode(table, trained.encoding, true, warnings);
}

Table in_memory(const std::vector<double>& values) {
  Table table;
  table.add_numbers("x", values);
  std::vector<std::string> y;
  for (std::size_t i = 0; i < values.size(); ++i) y.emplace_back(i % 2 == 0 ? "a" : "b");
  table.add_texts("y", y);
  return table;
}

void expect_exact(const Table& table, const std::vector<double>& values) {
  const Column& column = table.column(0);
  const double base = column.base;
  for (std::size_t row = 0; row < values.size(); ++row) {
    ASSERT_EQ(column.value(row), values[row]) << row;
    ASSERT_EQ(base + column.number(row), values[row]) << row;
    ASSERT_EQ(table.text("x", row), shortest(values[row])) << row;
  }
}

TEST(NumberRange, DigitsThatFloat32HoldsNeedNoBase) {
  const auto base_of = [](std::initializer_list<double> values) {
    NumberRange range;
    for (const double value : values) range.add(value, true);
    return range.base();
  };
  EXPECT_EQ(base_of({-3e38, -2.9e38}), 0) << "as an array of float32 of the same digits has none";
  EXPECT_EQ(base_of({123457000, 123458000}), 0);
  EXPECT_EQ(base_of({123456789, 123456790}), 123456789);
  EXPECT_EQ(base_of({16777217, 16777219}), 16777217);
}

TEST(NumberRange, SecondsSince1970AreCountedFromTheFirst) {
  for (const std::size_t count : {1, 2, 40, 999, 1001, 20'000}) {
    const std::vector<double> values = seconds(count);
    for (const Table& table : {read_text("d.csv", csv_of(values)), in_memory(values)}) {
      EXPECT_EQ(table.column(0).base, *std::ranges::min_element(values)) << count;
      expect_exact(table, values);
    }
  }
}

TEST(NumberRange, FractionsOfSecondsAndNegativeNumbersToo) {
  const std::vector<double> quarters = seconds(3000, 0.25);
  expect_exact(read_text("d.csv", csv_of(quarters)), quarters);
  std::vector<double> negative = seconds(3000);
  for (double& value : negative) value = -value;
  const Table table = read_text("d.csv", csv_of(negative));
  EXPECT_EQ(table.column(0).base, *std::ranges::max_element(negative));
  expect_exact(table, negative);
}

TEST(NumberRange, WhatFloat32HoldsStaysAsItIs) {
  std::vector<double> exact(3000);
  std::iota(exact.begin(), exact.end(), 16'770'000);
  for (double& value : exact) value = std::min(value, 16'777'216.0);
  std::vector<double> decimals;
  for (int i = 0; i < 3000; ++i) decimals.push_back(293.15 + 0.01 * i);
  std::vector<double> incomes;  // from a few to many digits
  for (int i = 0; i < 3000; ++i) incomes.push_back(i * 33'333.0 + 1);
  for (const auto& values : {exact, decimals, incomes}) {
    const Table table = read_text("d.csv", csv_of(values));
    EXPECT_EQ(table.column(0).base, 0);
    for (std::size_t row = 0; row < values.size(); ++row)
      ASSERT_EQ(table.column(0).number(row), static_cast<float>(values[row]));
  }
}

/// The numbers that tell may come last, when others are floats or doubles already.
TEST(NumberRange, DoesNotDependOnTheOrderOrOnHowManyAreKeptAsTexts) {
  std::vector<double> late(5000);
  std::iota(late.begin(), late.end(), 16'774'000);  // beyond 2^24 from number 3217 on
  std::vector<double> lost = seconds(5000);
  lost.push_back(12.5);  // then a base is of no use
  for (std::vector<double> values : {late, lost}) {
    const Table rising = read_text("d.csv", csv_of(values));
    const Table wide = read_text("d.csv", csv_of(values, 400));  // keeps 746 texts, not 1000
    const Table memory = in_memory(values);
    for (const Table* other : {&wide, &memory}) {
      EXPECT_EQ(other->column(0).base, rising.column(0).base);
      for (std::size_t row = 0; row < values.size(); ++row)
        ASSERT_EQ(other->column(0).number(row), rising.column(0).number(row));
    }
    std::ranges::reverse(values);
    const Table falling = read_text("d.csv", csv_of(values));
    EXPECT_EQ(falling.column(0).base, rising.column(0).base);
    for (std::size_t row = 0; row < values.size(); ++row)
      ASSERT_EQ(falling.column(0).number(row), rising.column(0).number(values.size() - 1 - row));
  }
  EXPECT_EQ(read_text("d.csv", csv_of(late)).column(0).base, 16'774'000);
  EXPECT_EQ(read_text("d.csv", csv_of(lost)).column(0).base, 0);
}

TEST(NumberRange, GapsStayGaps) {
  std::vector<double> values = seconds(3000);
  for (std::size_t i = 0; i < values.size(); i += 7) values[i] = std::nan("");
  for (const Table& table : {read_text("d.csv", csv_of(values)), in_memory(values)}) {
    for (std::size_t row = 0; row < values.size(); ++row) {
      ASSERT_EQ(std::isnan(table.column(0).number(row)), row % 7 == 0) << row;
      if (row % 7 != 0) {
        ASSERT_EQ(table.column(0).value(row), values[row]);
      }
    }
  }
}

TEST(NumberRange, EncodingsTakeTheBaseOfTheirTrainingOffOtherTables) {
  const std::vector<double> values = seconds(4000);
  const Trained trained(in_memory(values), with_target("y"));
  const double base = trained.encoding.columns[0].base;
  EXPECT_EQ(base, *std::ranges::min_element(values));
  const Dataset all = encoded(trained, in_memory(values));
  for (const std::size_t row : {0, 17, 3999}) {
    const Dataset one = encoded(trained, in_memory({values[row]}));
    EXPECT_EQ(one.inputs(0, 0), all.inputs(row, 0)) << row;
  }
  // Rows beside it that have no base in common change nothing.
  EXPECT_EQ(encoded(trained, in_memory({values[17], 12.5, 0})).inputs(0, 0), all.inputs(17, 0));
  std::vector<double> many = values;
  many.insert(many.begin(), {12.5, 0});
  EXPECT_EQ(encoded(trained, read_text("d.csv", csv_of(many))).inputs(19, 0), all.inputs(17, 0));
  EXPECT_NE(all.inputs(0, 0), encoded(trained, in_memory({values[0] + 1})).inputs(0, 0));
}

TEST(NumberRange, TargetsAndWeightsAreTheNumbersThemselves) {
  const std::vector<double> values = seconds(500);
  Table table;
  std::vector<double> x;
  for (std::size_t i = 0; i < values.size(); ++i) x.push_back(static_cast<double>(i % 9));
  table.add_numbers("x", x);
  table.add_numbers("t", values);
  const Trained trained(table, with_target("t"));
  EXPECT_NEAR(trained.encoding.target.mean, std::accumulate(values.begin(), values.end(), 0.0) / 500, 1e-3);
  const Dataset data = encoded(trained, table);
  for (std::size_t row = 0; row < values.size(); ++row)
    ASSERT_NEAR(trained.encoding.target.value(data.targets[row]), values[row], 0.01);
  EXPECT_EQ(read_weights(table, "t")[3], static_cast<float>(values[3]));
}

TEST(NumberRange, ChecksumsSeeTheLastDigit) {
  std::vector<double> values = seconds(3000);
  const std::uint32_t before = table_checksum(in_memory(values));
  values[2000] += 1;
  EXPECT_NE(table_checksum(in_memory(values)), before);
}

TEST(NumberRange, NumbersThatAreRoundedAllTheSameAreNoted) {
  std::vector<double> ids;
  for (int i = 0; i < 3000; ++i) ids.push_back(static_cast<double>(i) * 1'000'003 + 1);
  const Trained trained(in_memory(ids), with_target("y"));
  EXPECT_THAT(trained.notes,
              ::testing::Contains(HasSubstr("more than seven digits are rounded to about seven: x")));
  const Trained based(in_memory(seconds(3000)), with_target("y"));
  EXPECT_THAT(based.notes, ::testing::Contains(HasSubstr("counted from the least: x from 1700000001")));
}

}  // namespace
}  // namespace coppice::test
