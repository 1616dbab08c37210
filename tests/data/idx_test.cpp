#include "tests/data/files.h"

#include <cmath>
#include <optional>

namespace coppice::test {
namespace {

using namespace std::string_view_literals;

class Idx : public Files {
 protected:
  static Table read(std::string_view images, std::optional<std::string_view> labels = {},
                    const ReadHints& hints = {}) {
    StringStream stream(images);
    StringStream label_stream(labels.value_or(""));
    const TableBytes label_bytes{.stream = label_stream, .name = "bad-labels-idx1-ubyte"};
    return read_idx({.stream = stream, .name = "bad-images-idx3-ubyte", .hints = hints},
                    labels ? &label_bytes : nullptr);
  }

  const std::string images_ = idx_bytes({3, 2, 2}, "\x00\x01\x02\x03\xff\x01\x00\x00\x00\x00\x00\x09"sv);
  const std::string labels_ = idx_bytes({3}, "\x07\x00\x07"sv);
};

TEST_F(Idx, ImagesWithLabels) {
  const Table table = read(images_, labels_, {.skip = {"pixel1"}});
  EXPECT_EQ(table.info().format, Format::idx);
  EXPECT_EQ(table.info().image->rows, 2);
  EXPECT_EQ(table.info().image->cols, 2);
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(table.names(), (Strings{"pixel0", "pixel1", "pixel2", "pixel3", "label"}));
  EXPECT_EQ(table.info().target, "label");
  EXPECT_EQ(table.info().description, "idx images with labels");
  EXPECT_EQ(facts(table, 0).declared, ColumnKind::number);
  EXPECT_EQ(distinct(table, 0), (Strings{"0", "255"}));
  EXPECT_EQ(distinct(table, 4), (Strings{"7", "0"}));
  EXPECT_EQ(facts(table, 4).numeric, 3);
  EXPECT_EQ(table.column(1).storage, Column::Storage::none);
  EXPECT_EQ(number_at(table, 1, 0), 255);
  EXPECT_EQ(number_at(table, 0, 2), 2);
  EXPECT_EQ(number_at(table, 2, 3), 9);
  EXPECT_EQ(text_at(table, 0, 4), "7");
  EXPECT_EQ(text_at(table, 1, 4), "0");
  EXPECT_EQ(number_at(table, 2, 4), 7);
}

TEST_F(Idx, ImagesAloneHaveNoTarget) {
  const Table table = read_text("pictures.bin", idx_bytes({2, 3}, "abcdef"));
  EXPECT_EQ(table.info().format, Format::idx);
  EXPECT_FALSE(table.info().target);
  EXPECT_FALSE(table.info().image);
  EXPECT_EQ(table.columns(), 3);
  EXPECT_EQ(number_at(table, 1, 2), 'f');
}

TEST_F(Idx, ManyRowsComeInBlocks) {
  std::string pixels;
  std::string labels;
  for (int i = 0; i < 200; ++i) {
    pixels += {static_cast<char>(i), static_cast<char>(i / 2), static_cast<char>(3)};
    labels += static_cast<char>(i % 3);
  }
  const Table table = read(idx_bytes({200, 3, 1}, pixels), idx_bytes({200}, labels));
  for (std::size_t i = 0; i < 200; ++i) {
    ASSERT_EQ(number_at(table, i, 0), static_cast<float>(i));
    ASSERT_EQ(number_at(table, i, 1), std::floor(static_cast<float>(i) / 2));
    ASSERT_EQ(number_at(table, i, 3), static_cast<float>(i % 3));
  }
  EXPECT_EQ(facts(table, 2).distinct, 1);
  EXPECT_EQ(facts(table, 3).distinct, 3);
}

TEST_F(Idx, BadFilesAreNamed) {
  const auto message = [&](std::string_view bytes) { return message_of([&] { read(bytes); }); };
  const std::string_view all = images_;
  expect_parts(message(all.substr(0, 25)), {"bad-images", "truncated", "28 bytes", "25 are"});
  expect_parts(message(all.substr(0, 10)), {"bad-images", "truncated", "header"});
  expect_parts(message(images_ + "more"), {"bad-images", "28 bytes", "32 are"});
  expect_parts(message(idx_bytes({0xFFFFFFFF, 100, 100}, "abc")),
               {"truncated", "42949672950016 bytes", "19 are"});
  expect_parts(message(idx_bytes({2, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "abc")),
               {"the most a table can have"});
  expect_parts(message(idx_bytes({2, 0}, "")), {"no data"});
  expect_parts(message(idx_bytes({0, 2}, "")), {"no data"});
  expect_parts(message(idx_bytes({2, 1}, "12345678", 0x0D)), {"bad-images", "0x0d", "unsigned bytes"});
  expect_parts(message(idx_bytes({3}, "abc")), {"bad-images", "labels (rank 1)"});
  const auto labels_message = [&](std::string_view labels) {
    return message_of([&] { read(images_, labels); });
  };
  expect_parts(labels_message(idx_bytes({2}, "ab")),
               {"bad-labels-idx1-ubyte", "2 labels", "3 images", "bad-images-idx3-ubyte"});
  expect_parts(labels_message(idx_bytes({3}, "ab")),
               {"bad-labels-idx1-ubyte", "truncated", "11 bytes", "10 are"});
  expect_parts(labels_message(idx_bytes({3, 1}, "abc")), {"bad-labels-idx1-ubyte", "rank 2"});
  expect_parts(labels_message("1,2,3\n"), {"bad-labels-idx1-ubyte", "no idx file"});
}

TEST_F(Idx, TruncatedGzipIsNamed) {
  const std::string whole = [&] {
    std::ifstream in(write_gz("whole.gz", images_ + std::string(5000, 'x')), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  InputFile cut(write("cut-images-idx3-ubyte.gz", whole.substr(0, whole.size() - 6)));
  expect_parts(message_of([&] { read_bytes({.stream = cut, .name = cut.path()}); }),
               {"cut-images-idx3-ubyte.gz"});
}

}  // namespace
}  // namespace coppice::test
