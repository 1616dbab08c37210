// Rows of a scratch file in the order in which they are needed are those rows.
#include "coppice/core/random.h"
#include "coppice/data/row_reader.h"

#include "tests/data/on_disk.h"

#include <numeric>
#include <thread>

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

template <class Reader>
void expect_rows(Reader& reader, std::span<const std::uint32_t> order, const Matrix<float>& all,
                 std::size_t batch) {
  for (std::size_t first = 0; first < order.size(); first += batch) {
    Matrix<float> some(std::min(batch, order.size() - first), inputs);
    reader.load(first, some.rows());
    reader.read(first, some.view());
    for (std::size_t i = 0; i < some.rows(); ++i)
      ASSERT_TRUE(std::ranges::equal(some.row(i), all.row(order[first + i]))) << "place " << first + i;
  }
}

void expect_rows_of(RowReader& reader, const Matrix<float>& all, std::size_t batch) {
  expect_rows(reader, reader.rows(), all, batch);
}

/// What orders are made of.
struct Rows {
  Matrix<float> all = numbers();
  std::shared_ptr<ScratchFile> file = std::make_shared<ScratchFile>();
  PackedRows packed;
  RowDisk disk{file};

  Rows() : packed(format(), rows, file) { packed.write(0, std::as_bytes(std::span(all[0], rows * inputs))); }
  static RowFormat format() {
    RowFormat floats;
    floats.add_floats(inputs);
    return floats;
  }
  std::shared_ptr<OrderedRows> put_in(std::span<const std::uint32_t> order,
                                      RowDisk::Way way = RowDisk::Way::direct) {
    return std::make_shared<OrderedRows>(packed, disk, way, order);
  }
  /// The first file is not what it was: whoever reads it now brings something else.
  void lose_first_file() { packed.write(0, std::vector<std::byte>(rows * inputs * sizeof(float))); }
  void expect(OrderedRows& ordered, std::span<const std::uint32_t> order, std::size_t batch = 1'000) {
    OrderedRows::Reader reader(ordered, order, packed.format());
    expect_rows(reader, order, all, batch);
  }
};

TEST(OrderedRows, AreThoseOfTheirOrder) {
  Rows given;
  for (const RowDisk::Way way : {RowDisk::Way::direct, RowDisk::Way::cached}) {
    for (const std::size_t count : {rows, rows / 2, std::size_t{1}}) {
      const std::vector<std::uint32_t> order = shuffled(count, count);
      const auto ordered = given.put_in(order, way);
      ASSERT_TRUE(ordered->complete(given.packed, order, {}));
      for (const std::size_t batch : {std::size_t{1'000}, std::size_t{7}, rows})
        given.expect(*ordered, order, batch);
    }
  }
}

TEST(OrderedRows, StopWhenAsked) {
  Rows given;
  const std::vector<std::uint32_t> order = shuffled(rows, 1);
  const auto ordered = given.put_in(order);
  int looks = 0;
  EXPECT_FALSE(ordered->complete(given.packed, order, [&] { return ++looks == 3; }));
  ASSERT_TRUE(ordered->complete(given.packed, order, {})) << "others go on";
  given.expect(*ordered, order);
}

TEST(OrderedRows, ThatAreReadAreDealtOutIntoTheNextOrder) {
  Rows given;
  const std::vector<std::uint32_t> order = shuffled(rows, 1);
  const std::vector<std::uint32_t> next = shuffled(rows, 2);
  for (const RowDisk::Way way : {RowDisk::Way::direct, RowDisk::Way::cached}) {
    const auto first = given.put_in(order, way);
    ASSERT_TRUE(first->complete(given.packed, order, {}));
    const auto second = given.put_in(next, way);
    first->deal_on([&] { return second; });
    given.expect(*first, order);
    given.lose_first_file();
    ASSERT_TRUE(second->complete(given.packed, next, {}));
    given.expect(*second, next);
    given.packed.write(0, std::as_bytes(std::span(given.all[0], rows * inputs)));
  }
}

TEST(OrderedRows, ThatNobodyReadComeOutOfTheFirstFile) {
  Rows given;
  const std::vector<std::uint32_t> order = shuffled(rows, 1);
  const std::vector<std::uint32_t> next = shuffled(rows, 2);
  const auto first = given.put_in(order);
  ASSERT_TRUE(first->complete(given.packed, order, {}));
  const auto second = given.put_in(next);
  first->deal_on([&] { return second; });
  given.expect(*first, std::span(order).first(rows / 3));
  ASSERT_TRUE(second->complete(given.packed, next, {}));
  given.expect(*second, next);
}

TEST(OrderedRows, AreSharedByThreads) {
  Rows given;
  constexpr std::size_t orders = 4;
  std::vector<std::vector<std::uint32_t>> order;
  for (std::size_t i = 0; i < orders; ++i) order.push_back(shuffled(rows, i));
  std::vector<std::shared_ptr<OrderedRows>> ordered;
  for (std::size_t i = 0; i < orders; ++i) ordered.push_back(given.put_in(order[i]));
  const auto read_all = [&] {
    for (std::size_t i = 0; i < orders; ++i) {
      ASSERT_TRUE(ordered[i]->complete(given.packed, order[i], {}));
      if (i + 1 < orders) ordered[i]->deal_on([&] { return ordered[i + 1]; });
      given.expect(*ordered[i], order[i], 500);
    }
  };
  std::thread other(read_all);
  read_all();
  other.join();
}

TEST(RowReader, PutsRowsInOrder) {
  const Matrix<float> all = numbers();
  const Dataset data = in_file(all);
  const std::vector<std::uint32_t> order = shuffled(rows, 2);
  const std::vector<std::uint32_t> part = shuffled(rows / 3, 3);
  using Use = OrderShelf::Use;
  bool stopped = false;
  const auto in_memory = data.packed->in_order(part, Use::again, {}, stopped);
  ASSERT_NE(in_memory, nullptr);
  EXPECT_EQ(data.packed->in_order(part, Use::again, {}, stopped), in_memory) << "it will be asked for again";
  RowReader some(data, part);
  expect_rows_of(some, all, 1'000);
  const bool dropped = drop_scratch_files();
  const auto whole = data.packed->in_order(order, Use::once, {}, stopped);
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->way(), dropped ? RowDisk::Way::direct : RowDisk::Way::cached);
  RowReader reader(data, order);
  expect_rows_of(reader, all, 1'000);
  EXPECT_TRUE(RowReader(data, shuffled(rows, 4), [] { return true; }, {}).stopped());
  EXPECT_EQ(data.packed->in_order(std::span(order).first(100), Use::again, {}, stopped), nullptr) << "a few";
}

TEST(RowReader, BringsOneOrderAfterTheOther) {
  const Matrix<float> all = numbers();
  const Dataset data = in_file(all);
  constexpr std::size_t epochs = 5;
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    if (epoch == 2) drop_scratch_files();
    const std::vector<std::uint32_t> order = shuffled(rows, epoch);
    RowReader reader(data, order, {}, [&] { return shuffled(rows, epoch + 1); });
    expect_rows_of(reader, all, 1'000);
  }
}

TEST(RowReader, LeavesALongRowWhereItIsIfItIsInMemory) {
  constexpr std::size_t wide = Pages::page / sizeof(float);
  Matrix<float> all = Matrix<float>::packed(5'000, wide);
  for (std::size_t i = 0; i < all.rows(); ++i) all(i, i % wide) = static_cast<float>(i);
  const Dataset data = in_file(all);
  std::vector<std::uint32_t> order(all.rows());
  std::iota(order.rbegin(), order.rend(), 0U);
  bool stopped = false;
  EXPECT_EQ(data.packed->in_order(order, OrderShelf::Use::once, {}, stopped), nullptr);
  RowReader reader(data, order);
  Matrix<float> some = Matrix<float>::packed(3, wide);
  reader.load(1'000, 3);
  reader.read(1'000, some.view());
  for (std::size_t i = 0; i < some.rows(); ++i)
    EXPECT_TRUE(std::ranges::equal(some.row(i), all.row(order[1'000 + i])));
}

TEST(RowReader, BringsRowsOfMemory) {
  const std::vector<std::uint32_t> order = shuffled(rows, 4);
  Dataset held;
  held.inputs = numbers();
  RowReader reader(held, order);
  expect_rows_of(reader, held.inputs, 999);
}

TEST(OrderShelf, GivesBackTheRoomOfOrdersThatNobodyReads) {
  Rows given;
  OrderShelf shelf(given.file);
  std::weak_ptr<OrderedRows> oldest;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto made =
        shelf.order(given.packed, shuffled(rows, seed), OrderShelf::Use::once, RowDisk::Way::cached);
    if (seed == 0) oldest = made;
    EXPECT_EQ(oldest.expired(), seed > 1) << "one is left for a net that is a little behind";
  }
}

TEST(OrderShelf, DealsNothingAheadForMoreNetsThanThereIsRoomFor) {
  Rows given;
  OrderShelf shelf(given.file);
  const auto now = given.put_in(shuffled(rows, 0));
  const auto ahead = [&](std::uint64_t seed) {
    return shelf.ahead(given.packed, *now, [seed] { return shuffled(rows, seed); });
  };
  for (std::uint64_t seed = 1; seed < 6; ++seed) EXPECT_NE(ahead(seed), nullptr);
  EXPECT_NE(ahead(6), nullptr) << "one too many: the first goes";
  EXPECT_EQ(ahead(7), nullptr);
}

}  // namespace
}  // namespace coppice::test
