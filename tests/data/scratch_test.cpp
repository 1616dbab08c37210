// Tables and inputs that lie in a scratch file are those that lie in memory.
#include "coppice/core/random.h"
#include "coppice/core/scratch_file.h"
#include "coppice/data/cell_memory.h"
#include "coppice/data/encoding.h"
#include "coppice/data/keep_columns.h"
#include "coppice/data/table_checksum.h"

#include "tests/data/files.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <linux/magic.h>
#include <numeric>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace coppice::test {
namespace {

constexpr std::size_t rows = 9'000;  ///< two chunks of cells, and a part of one

/// Numbers, long ones, ones that become doubles late, texts few and many, gaps, a class.
std::string file_text() {
  std::string text = "a,b,c,d,e,y\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t k = i * 7919 % 10'007;
    text +=
        fmt::format("{}.{:04},{},{},{},word{},{}\n", k % 90, k, k % 11 == 0 ? "" : fmt::format("{}", k % 5),
                    i < 6'000 ? k : 1'700'000'000'123 + k, k % 3 == 0 ? "red" : "green", k % 4'000, k % 2);
  }
  return text;
}

Table read_with(std::string_view bytes, std::shared_ptr<CellMemory> memory, std::size_t threads = 1) {
  StringStream stream(bytes);
  return read_bytes({.stream = stream,
                     .name = "d.csv",
                     .hints = {},
                     .limits = {},
                     .threads = threads,
                     .memory = std::move(memory)});
}

Encoding fitted(const Table& table) {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  EncodingOptions options;
  options.target = "y";
  options.encode = Encode::bins;
  std::vector<std::uint32_t> all(table.rows());
  std::iota(all.begin(), all.end(), 0U);
  Random(1, Purpose::generator).shuffle(all);
  const TrainingPlan plan = plan_training(table, options, notes, warnings);
  return fit_encoding(table, plan, options, all, notes, warnings);
}

/// Rows of a tmpfs would be taken past a page cache that is where they lie.
TEST(ScratchFile, InATmpfsIsNotOnADisk) {
  struct statfs system {};
  if (::statfs("/dev/shm", &system) != 0 || system.f_type != TMPFS_MAGIC || ::access("/dev/shm", W_OK) != 0)
    GTEST_SKIP() << "there is no tmpfs";
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/dev/shm", 1);
  ScratchFile file;
  kept.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  const std::vector<std::byte> bytes(10'000);
  const std::size_t at = file.extend(bytes.size());
  file.write(at, bytes);
  EXPECT_FALSE(file.on_disk(at, bytes.size()));
}

TEST(ScratchCells, AreThoseThatLieInMemory) {
  const std::string text = file_text();
  const Table held = read_with(text, nullptr);
  for (const double bytes : {0.0, 50'000.0, 1e9}) {
    const auto memory = std::make_shared<CellMemory>(bytes);
    const Table table = read_with(text, memory, 2);
    EXPECT_EQ(table_checksum(table), table_checksum(held)) << bytes;
    release_cells(table);
    EXPECT_EQ(table_checksum(table), table_checksum(held)) << "once they were looked at";
    EXPECT_EQ(fitted(table).offset, fitted(held).offset) << bytes;
    EXPECT_EQ(fitted(table).factor, fitted(held).factor) << bytes;
  }
}

TEST(ScratchCells, StayWithTheTableThatHasThem) {
  auto memory = std::make_shared<CellMemory>(0);
  Table table = read_with(file_text(), std::move(memory));
  const Table copy = table;
  table = Table();
  release_cells(copy);
  EXPECT_EQ(table_checksum(copy), table_checksum(read_with(file_text(), nullptr)));
}

TEST(ScratchRows, AreTheInputsThatLieInMemory) {
  const Table table = read_with(file_text(), nullptr);
  const Encoding encoding = fitted(table);
  std::vector<std::string> warnings;
  const Dataset held = encode(table, encoding, true, warnings);
  RowMemory memory(1'000);
  const Dataset data = encode(table, encoding, true, warnings, 2, &memory);
  ASSERT_NE(data.packed, nullptr);
  EXPECT_TRUE(data.inputs.empty());
  EXPECT_LT(memory.in_file(), static_cast<double>(rows * encoding.inputs() * sizeof(float)));
  EXPECT_EQ(data.rows(), rows);
  EXPECT_EQ(data.input_count(), encoding.inputs());
  EXPECT_EQ(data.labels, held.labels);
  const std::vector<std::uint32_t> some{8'999, 0, 17, 17, 4'096, 1'023, 1'024};
  EXPECT_EQ(inputs_of(data, some), inputs_of(held, some));
  std::size_t next = 0;
  for_inputs(data, some, [&](std::uint32_t row, std::span<const float> inputs) {
    EXPECT_EQ(row, some[next++]);
    EXPECT_TRUE(std::ranges::equal(inputs, held.inputs.row(row)));
  });
  EXPECT_EQ(next, some.size());

  const std::vector<std::uint32_t> plain = encoding.plain_inputs();
  ASSERT_LT(plain.size(), encoding.inputs());
  const Matrix<float> expected = keep_inputs(held, plain).inputs;
  std::vector<std::uint32_t> all(rows);
  std::iota(all.begin(), all.end(), 0U);
  const Dataset kept = keep_inputs(data, plain, &memory);
  ASSERT_NE(kept.packed, nullptr);
  EXPECT_EQ(inputs_of(kept, all), expected);
  EXPECT_EQ(inputs_of(keep_inputs(data, plain), all), expected) << "the same bytes";
}

TEST(RowMemory, HoldsWhatFits) {
  RowMemory memory(100);
  EXPECT_EQ(memory.take(60), nullptr);
  EXPECT_NE(memory.take(60), nullptr);
  EXPECT_EQ(memory.take(40), nullptr) << "smaller ones still do";
  EXPECT_EQ(memory.in_file(), 60);
  EXPECT_EQ(memory.take(1), memory.take(1)) << "one file";
}

}  // namespace
}  // namespace coppice::test
