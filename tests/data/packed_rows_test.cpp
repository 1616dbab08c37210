// Inputs that are packed come back as the floats that encoding made, to the bit: in memory and from a file, whatever the columns.
#include "coppice/core/random.h"
#include "coppice/data/distinct_numbers.h"
#include "coppice/data/encoding.h"
#include "coppice/data/keep_columns.h"

#include "tests/data/files.h"

#include <array>
#include <bit>
#include <gmock/gmock.h>
#include <numeric>

namespace coppice::test {
namespace {

constexpr std::size_t rows = 3'000;

/// Bytes, whole numbers around 0, gaps, decimals few and many, numbers with a base, texts few and many, -0, one number for all.
std::string mixed_text() {
  std::string text = "byte,pixel,around,gaps,tenths,many,large,colour,word,minus,wide,only,y\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t k = i * 7919 % 10'007;
    text += fmt::format("{},{},{},{},{}.{},{}.{:04},{},{},word{},{},{},5,{}\n", k % 256, k % 7,
                        static_cast<int>(k % 90) - 45, k % 5 == 0 ? "" : std::to_string(k % 4), k % 3, k % 10,
                        k % 90, k, 1'700'000'000'123 + k, k % 3 == 0 ? "red" : "green", k % 700,
                        k % 2 == 0 ? "-0" : "1", k % 1'000, (k % 90 > 45) ? "a" : "b");
  }
  return text;
}

struct Encoded {
  Table table;
  Encoding encoding;
};

Encoded encoded(const Table& table, Scaling scaling, Encode encode) {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  EncodingOptions options;
  options.target = "y";
  options.scaling = scaling;
  options.encode = encode;
  std::vector<std::uint32_t> all(table.rows());
  std::iota(all.begin(), all.end(), 0U);
  const TrainingPlan plan = plan_training(table, options, notes, warnings);
  return {table, fit_encoding(table, plan, options, all, notes, warnings)};
}

Dataset plain_data(const Matrix<float>& inputs) {
  Dataset data;
  data.inputs = inputs;
  return data;
}

void expect_same_rows(const Dataset& packed, const Matrix<float>& expected) {
  ASSERT_NE(packed.packed, nullptr);
  ASSERT_EQ(packed.input_count(), expected.cols());
  std::vector<std::uint32_t> order(packed.rows());
  std::iota(order.begin(), order.end(), 0U);
  Random(3, Purpose::generator).shuffle(order);
  const Matrix<float> found = inputs_of(packed, order);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t k = 0; k < expected.cols(); ++k) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(found(i, k)),
                std::bit_cast<std::uint32_t>(expected(order[i], k)))
          << "row " << order[i] << ", input " << k;
    }
  }
}

TEST(PackedRows, BringBackTheVeryFloats) {
  const Table table = read_text("d.csv", mixed_text());
  for (const Scaling scaling : {Scaling::column, Scaling::standard, Scaling::global, Scaling::none}) {
    for (const Encode how : {Encode::plain, Encode::bins}) {
      if (how == Encode::bins && !by_column(scaling)) continue;
      SCOPED_TRACE(fmt::format("{} {}", name_of(scaling), name_of(how)));
      const Encoding encoding = encoded(table, scaling, how).encoding;
      std::vector<std::string> warnings;
      const Matrix<float> expected = encode(table, encoding, true, warnings).inputs;
      RowMemory memory(1e9, 0);
      const Dataset held = encode(table, encoding, true, warnings, 2, &memory);
      expect_same_rows(held, expected);
      EXPECT_FALSE(held.packed->in_file());
      EXPECT_LT(held.packed->format().bytes(), expected.cols() * 2) << "they are few bytes";
      RowMemory little(1'000);
      const Dataset filed = encode(table, encoding, true, warnings, 1, &little);
      expect_same_rows(filed, expected);
      EXPECT_TRUE(filed.packed->in_file());
      EXPECT_LT(filed.packed->format().bytes(), held.packed->format().bytes()) << "codes of two bytes";
      EXPECT_EQ(little.in_file(), static_cast<double>(rows * filed.packed->format().bytes()));

      std::vector<std::uint32_t> some;
      for (std::uint32_t i = 0; i < encoding.inputs(); ++i) {
        if (i * 7919 % 5 < 3) some.push_back(i);
      }
      const Matrix<float> kept = keep_inputs(plain_data(expected), some).inputs;
      expect_same_rows(keep_inputs(held, some), kept);
      expect_same_rows(keep_inputs(keep_inputs(filed, some), std::vector<std::uint32_t>{0, 2, 3}),
                       keep_inputs(plain_data(kept), std::vector<std::uint32_t>{0, 2, 3}).inputs);
    }
  }
}

TEST(PackedRows, ImagesAreBytes) {
  std::string text = "0,255,7,3,1\n";
  for (std::size_t i = 0; i < 40; ++i)
    text += fmt::format("{},{},{},0,{}\n", i * 97 % 256, i * 31 % 256, i % 3 == 0 ? 255 : 0, i % 2);
  const Table table = read_text("d.csv", "p0,p1,p2,p3,y\n" + text);
  const Encoding encoding = encoded(table, Scaling::global, Encode::plain).encoding;
  std::vector<std::string> warnings;
  RowMemory memory(1e9, 0);
  const Dataset data = encode(table, encoding, true, warnings, 1, &memory);
  expect_same_rows(data, encode(table, encoding, true, warnings).inputs);
  EXPECT_EQ(data.packed->format().bytes(), encoding.inputs());
}

/// Numbers whose texts were not kept, as in tables from Python, get codes where they are few beside the rows.
TEST(PackedRows, FewDifferentNumbersAreCodes) {
  std::string text = "tenths,gaps,many,y\n";
  for (std::size_t i = 0; i < rows; ++i)
    text += fmt::format("{}.{},{},0.{},{}\n", i % 3, i % 10, i % 5 == 0 ? "" : fmt::format("-{}.5", i % 4), i,
                        i % 2);
  const Table table =
      read_text("d.csv", text, {.texts = {}, .numbers = {"tenths", "gaps", "many"}, .skip = {}});
  ASSERT_EQ(table.column(0).storage, Column::Storage::floats);
  for (const Encode how : {Encode::plain, Encode::bins}) {
    const Encoding encoding = encoded(table, Scaling::column, how).encoding;
    std::vector<std::string> warnings;
    RowMemory little(1'000);
    const Dataset data = encode(table, encoding, true, warnings, 2, &little);
    expect_same_rows(data, encode(table, encoding, true, warnings).inputs);
    EXPECT_EQ(data.packed->format().bytes(), 1 + 1 + sizeof(float) * encoding.columns[2].width());
  }
}

TEST(DistinctNumbers, TellNumbersApartByTheirBits) {
  DistinctNumbers codes;
  std::vector<float> numbers{0.0F, -0.0F, not_a_number, -not_a_number, 1.5F, 0.0F};
  EXPECT_TRUE(codes.add(numbers, 4));
  EXPECT_EQ(codes.numbers().size(), 4U);
  EXPECT_NE(codes.code(0.0F), codes.code(-0.0F));
  EXPECT_EQ(codes.code(-not_a_number), codes.code(not_a_number));
  EXPECT_FALSE(codes.add(std::array{2.5F}, 4)) << "one too many";
  for (std::size_t i = 0; i < DistinctNumbers::most - 4; ++i)
    ASSERT_TRUE(codes.add(std::array{3.0F + static_cast<float>(i) / 64}, DistinctNumbers::most));
  EXPECT_FALSE(codes.add(std::array{-7.0F}, DistinctNumbers::most));
  for (std::size_t code = 0; code < DistinctNumbers::most; ++code)
    ASSERT_EQ(codes.code(codes.numbers()[code]), code);
}

/// A table to be predicted, or to validate on, has cells that training never saw.
TEST(PackedRows, OfAnotherTable) {
  const Encoding encoding = encoded(read_text("d.csv", mixed_text()), Scaling::column, Encode::bins).encoding;
  std::string text = "byte,pixel,around,gaps,tenths,many,large,colour,word,minus,wide,only,y\n";
  for (std::size_t i = 0; i < 200; ++i) {
    text += fmt::format("{},,{},{},{},1e30,{},violet,,0,{},{},a\n", i % 2 == 0 ? -1 : 300,
                        i % 3 == 0 ? "" : "1e9", i * 1'000'000, i % 2 == 0 ? "" : "0.35", i, i % 7,
                        i % 2 == 0 ? "" : "6");
  }
  const Table table = read_text("e.csv", text);
  std::vector<std::string> warnings;
  const Matrix<float> expected = encode(table, encoding, true, warnings).inputs;
  for (const double bytes : {0.0, 1e9}) {
    RowMemory memory(bytes, 0);
    expect_same_rows(encode(table, encoding, true, warnings, 1, &memory), expected);
  }
}

/// Columns that a libsvm file does not mention are zero everywhere.
TEST(PackedRows, OfColumnsThatAreNotThere) {
  std::string text;
  for (std::size_t i = 0; i < 60; ++i)
    text += fmt::format("{} 1:{} 4:{} 9:{}\n", i % 2, i % 9, static_cast<double>(i % 5) / 4, i * i % 40'000);
  const Encoding encoding = [&] {
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
    const Table table = read_text("d.libsvm", text);
    const EncodingOptions options;
    std::vector<std::uint32_t> all(table.rows());
    std::iota(all.begin(), all.end(), 0U);
    return fit_encoding(table, plan_training(table, options, notes, warnings), options, all, notes, warnings);
  }();
  std::string fewer;
  for (std::size_t i = 0; i < 20; ++i) fewer += fmt::format("{} 1:{}\n", i % 2, i % 3);
  const Table table = read_text("e.libsvm", fewer);
  std::vector<std::string> warnings;
  RowMemory memory(1e9, 0);
  expect_same_rows(encode(table, encoding, true, warnings, 1, &memory),
                   encode(table, encoding, true, warnings).inputs);
}

TEST(PackedRows, SmallTablesAndThoseThatStayLargeAreFloats) {
  const Table table = read_text("d.csv", mixed_text());
  const Encoding encoding = encoded(table, Scaling::column, Encode::plain).encoding;
  std::vector<std::string> warnings;
  RowMemory memory(1e9);
  EXPECT_EQ(encode(table, encoding, true, warnings, 1, &memory).packed, nullptr) << "small";
  std::string text = "x,z,y\n";
  for (std::size_t i = 0; i < 2'000; ++i) text += fmt::format("0.{},1.{},{}\n", i, 1 + i * i, i % 2);
  const Table floats = read_text("d.csv", text);
  RowMemory other(1e9, 0);
  EXPECT_EQ(
      encode(floats, encoded(floats, Scaling::column, Encode::plain).encoding, true, warnings, 1, &other)
          .packed,
      nullptr)
      << "thousands of different numbers";
}

}  // namespace
}  // namespace coppice::test
