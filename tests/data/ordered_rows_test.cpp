// Rows of a scratch file in the order in which they are needed are those rows.
#include "coppice/core/random.h"
#include "coppice/data/row_reader.h"

#include "tests/data/on_disk.h"

#include <numeric>

#include <gtest/gtest.h>

namespace coppice::test {
namespace {

constexpr std::size_t rows = 20'001;
constexpr std::size_t inputs = 61;

Matrix<float> numbers() {
  Matrix<float> all = Matrix<float>::packed(rows, inputs);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < inputs; ++k) all(i, k) = static_cast<float>(i * 1'000 + k);
  return all;
}

Dataset in_file(const Matrix<float>& all) {
  RowFormat format;
  format.add_floats(all.cols());
  const auto packed = std::make_shared<PackedRows>(format, all.rows(), std::make_shared<ScratchFile>());
  packed->write(0, std::as_bytes(std::span(all[0], all.rows() * all.cols())));
  Dataset data;
  data.packed = packed;
  return data;
}

std::vector<std::uint32_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  Random(seed, Purpose::generator).shuffle(order);
  order.resize(count);
  return order;
}

void expect_rows_of(RowReader& reader, const Matrix<float>& all, std::size_t batch) {
  const std::span<const std::uint32_t> order = reader.rows();
  for (std::size_t first = 0; first < order.size(); first += batch) {
    Matrix<float> some(std::min(batch, order.size() - first), inputs);
    reader.load(first, some.rows());
    reader.read(first, some.view());
    for (std::size_t i = 0; i < some.rows(); ++i)
      ASSERT_TRUE(std::ranges::equal(some.row(i), all.row(order[first + i]))) << "place " << first + i;
  }
}

TEST(OrderedRows, AreThoseOfTheirOrder) {
  const Matrix<float> all = numbers();
  const Dataset data = in_file(all);
  for (const std::size_t count : {rows, rows / 2, std::size_t{1}}) {
    const std::vector<std::uint32_t> order = shuffled(count, count);
    OrderedRows ordered(*data.packed, order);
    ASSERT_TRUE(ordered.write(*data.packed, {}));
    for (const std::size_t batch : {std::size_t{1'000}, std::size_t{7}, rows}) {
      OrderedRows::Reader reader(ordered, data.packed->format());
      for (std::size_t first = 0; first < count; first += batch) {
        Matrix<float> some(std::min(batch, count - first), inputs);
        reader.load(first, some.rows());
        reader.read(first, some.view());
        for (std::size_t i = 0; i < some.rows(); ++i)
          ASSERT_TRUE(std::ranges::equal(some.row(i), all.row(order[first + i]))) << "place " << first + i;
      }
    }
  }
}

TEST(OrderedRows, StopWhenAsked) {
  const Dataset data = in_file(numbers());
  const std::vector<std::uint32_t> order = shuffled(rows, 1);
  int looks = 0;
  EXPECT_FALSE(OrderedRows(*data.packed, order).write(*data.packed, [&] { return ++looks == 3; }));
}

TEST(RowReader, PutsRowsOfADiskInOrder) {
  const Matrix<float> all = numbers();
  const Dataset data = in_file(all);
  const std::vector<std::uint32_t> order = shuffled(rows, 2);
  const std::vector<std::uint32_t> part = shuffled(rows / 3, 3);
  if (!drop_scratch_files()) GTEST_SKIP() << "the scratch file is in memory anyway";
  bool stopped = false;
  const auto kept = data.packed->in_order(part, {}, stopped);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(data.packed->in_order(part, {}, stopped), kept) << "it will be asked for again";
  drop_scratch_files();
  RowReader some(data, part);
  expect_rows_of(some, all, 1'000);
  drop_scratch_files();
  EXPECT_NE(data.packed->in_order(order, {}, stopped), nullptr);
  drop_scratch_files();
  RowReader reader(data, order);
  expect_rows_of(reader, all, 1'000);
  drop_scratch_files();
  EXPECT_TRUE(RowReader(data, order, [] { return true; }).stopped());
  EXPECT_EQ(data.packed->in_order(std::span(order).first(100), {}, stopped), nullptr) << "a few";
}

TEST(RowReader, LeavesRowsWhereTheyAreIfTheyAreInMemory) {
  const Matrix<float> all = numbers();
  const std::vector<std::uint32_t> order = shuffled(rows, 4);
  bool stopped = false;
  const Dataset filed = in_file(all);
  EXPECT_EQ(filed.packed->in_order(order, {}, stopped), nullptr);
  RowReader of_file(filed, order);
  expect_rows_of(of_file, all, 999);
  Dataset held;
  held.inputs = all;
  RowReader of_matrix(held, order);
  expect_rows_of(of_matrix, all, 999);
}

}  // namespace
}  // namespace coppice::test
