#include "tests/data/files.h"

#include <filesystem>

namespace coppice::test {
namespace {

using namespace std::string_view_literals;
using Strings = std::vector<std::string>;

class Idx : public Files {
 protected:
  const std::string images_ = idx_bytes({3, 2, 2}, "\x00\x01\x02\x03\xff\x01\x00\x00\x00\x00\x00\x09"sv);
  const std::string labels_ = idx_bytes({3}, "\x07\x00\x07"sv);
};

TEST_F(Idx, ImagesWithLabels) {
  const std::string path = write("x-images-idx3-ubyte", images_);
  write("x-labels-idx1-ubyte", labels_);
  const auto p = profile_table(find_source(path));
  EXPECT_EQ(p.source.format, Format::idx);
  EXPECT_EQ(p.rows, 3);
  EXPECT_EQ(names(p), (Strings{"pixel0", "pixel1", "pixel2", "pixel3", "label"}));
  EXPECT_EQ(p.target, "label");
  EXPECT_EQ(p.columns[0].declared, ColumnKind::number);
  EXPECT_EQ(p.columns[0].distinct, (Strings{"0", "255"}));
  EXPECT_EQ(p.columns[4].distinct, (Strings{"7", "0"}));
  EXPECT_EQ(p.columns[4].numeric, 3);
  LoadPlan plan{{ColumnUse::number, ColumnUse::skip, ColumnUse::number, ColumnUse::number, ColumnUse::text},
                {}};
  const Table table = load_table(p, plan);
  ASSERT_EQ(table.columns.size(), 4);
  EXPECT_EQ(number_at(table, 1, 0), 255);
  EXPECT_EQ(number_at(table, 0, 1), 2);
  EXPECT_EQ(number_at(table, 2, 2), 9);
  EXPECT_EQ(text_at(table, 0, 3), "7");
  EXPECT_EQ(text_at(table, 1, 3), "0");
  plan.uses[4] = ColumnUse::number;
  EXPECT_EQ(number_at(load_table(p, plan), 2, 3), 7);
}

TEST_F(Idx, PackedImagesFindPlainLabels) {
  const std::string path = write_gz("train-images.idx3-ubyte.gz", images_);
  const std::string labels = write("train-labels.idx1-ubyte", labels_);
  EXPECT_EQ(find_source(path).labels, labels);
  EXPECT_EQ(profile_table(find_source(path)).rows, 3);
}

TEST_F(Idx, ImagesAloneHaveNoTarget) {
  const auto p = profile("pictures.bin", idx_bytes({2, 3}, "abcdef"));
  EXPECT_EQ(p.source.format, Format::idx);
  EXPECT_FALSE(p.target);
  EXPECT_EQ(p.columns.size(), 3);
  EXPECT_EQ(number_at(load(p), 1, 2), 'f');
}

TEST_F(Idx, DirectoryOfTheFourFiles) {
  write_gz("train-images-idx3-ubyte.gz", images_);
  write_gz("train-labels-idx1-ubyte.gz", labels_);
  EXPECT_FALSE(test_part_of(folder_.string()));
  write("t10k-images.idx3-ubyte", images_);
  write("t10k-labels.idx1-ubyte", labels_);
  EXPECT_EQ(find_source(folder_.string()).path, path("train-images-idx3-ubyte.gz"));
  EXPECT_EQ(find_source(folder_.string()).labels, path("train-labels-idx1-ubyte.gz"));
  EXPECT_EQ(find_source(folder_.string(), true).path, path("t10k-images.idx3-ubyte"));
  const auto test = test_part_of(folder_.string());
  ASSERT_TRUE(test);
  EXPECT_EQ(test->labels, path("t10k-labels.idx1-ubyte"));
  EXPECT_FALSE(test_part_of(path("t10k-images.idx3-ubyte")));
}

TEST_F(Idx, DirectoryWithoutThemSaysWhatWasLookedFor) {
  expect_parts(message_of([&] { find_source(folder_.string()); }),
               {folder_.string(), "train-images-idx3-ubyte", "train-labels-idx1-ubyte", ".gz"});
  write("train-images-idx3-ubyte", images_);
  expect_parts(message_of([&] { find_source(folder_.string()); }), {"labels of its images"});
  expect_parts(message_of([&] { find_source(folder_.string(), true); }), {"t10k-images-idx3-ubyte"});
}

TEST_F(Idx, ChecksumCoversBothFiles) {
  const std::string path = write("x-images-idx3-ubyte", images_);
  const auto alone = source_checksum(find_source(path));
  write("x-labels-idx1-ubyte", labels_);
  const auto both = source_checksum(find_source(path));
  EXPECT_EQ(both, source_checksum(find_source(path)));
  EXPECT_NE(alone, both);
  write("x-labels-idx1-ubyte", idx_bytes({3}, "\x07\x00\x01"sv));
  EXPECT_NE(both, source_checksum(find_source(path)));
}

TEST_F(Idx, BadFilesAreNamed) {
  const auto message = [&](std::string_view bytes) {
    return message_of([&] { profile("bad-images-idx3-ubyte", bytes); });
  };
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
  write("bad-labels-idx1-ubyte", idx_bytes({2}, "ab"));
  expect_parts(message(images_), {"bad-labels-idx1-ubyte", "2 labels", "3 images", "bad-images-idx3-ubyte"});
  write("bad-labels-idx1-ubyte", idx_bytes({3}, "ab"));
  expect_parts(message(images_), {"bad-labels-idx1-ubyte", "truncated", "11 bytes", "10 are"});
  write("bad-labels-idx1-ubyte", idx_bytes({3, 1}, "abc"));
  expect_parts(message(images_), {"bad-labels-idx1-ubyte", "rank 2"});
  write("bad-labels-idx1-ubyte", "1,2,3\n");
  expect_parts(message(images_), {"bad-labels-idx1-ubyte", "no idx file"});
}

TEST_F(Idx, TruncatedGzipIsNamed) {
  const std::string whole = [&] {
    std::ifstream in(write_gz("whole.gz", images_ + std::string(5000, 'x')), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  expect_parts(message_of([&] { profile("cut-images-idx3-ubyte.gz", whole.substr(0, whole.size() - 6)); }),
               {"cut-images-idx3-ubyte.gz"});
}

}  // namespace
}  // namespace coppice::test
