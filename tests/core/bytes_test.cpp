#include "coppice/core/bytes.h"

#include <gmock/gmock.h>
#include <limits>

#include <gtest/gtest.h>

namespace coppice {
namespace {

Matrix<float> sample_matrix() {
  Matrix<float> matrix(3, 5);
  for (std::size_t i = 0; i < 15; ++i) matrix(i / 5, i % 5) = static_cast<float>(i) / 4;
  return matrix;
}

std::string sample_bytes() {
  ByteWriter writer;
  writer.put<std::uint32_t>(7);
  writer.put(-2.5);
  writer.put(std::vector<double>{1, 2, 3});
  writer.put(std::vector<double>{});
  writer.put(sample_matrix());
  writer.put(Matrix<float>(0, 4));
  return writer.bytes();
}

void read_sample(std::string_view bytes) {
  ByteReader reader(bytes, "model.coppice");
  EXPECT_EQ(reader.get<std::uint32_t>(), 7U);
  EXPECT_EQ(reader.get<double>(), -2.5);
  EXPECT_EQ(reader.get_vector<double>(), (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(reader.get_vector<double>().empty());
  EXPECT_EQ(reader.get_matrix<float>(), sample_matrix());
  EXPECT_EQ(reader.get_matrix<float>().cols(), 4U);
  EXPECT_EQ(reader.left(), 0U);
}

TEST(Bytes, ReadsBackWhatWasWritten) {
  read_sample(sample_bytes());
}

TEST(Bytes, TruncationAtEveryLengthIsAnErrorThatNamesTheFile) {
  const std::string bytes = sample_bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    try {
      read_sample(std::string(bytes, 0, length));
      FAIL() << "read from " << length << " bytes";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("model.coppice"));
    }
  }
}

TEST(Bytes, AbsurdSizesAreRefusedBeforeAnythingIsAllocated) {
  for (const std::uint64_t size : {std::uint64_t{9}, std::uint64_t{1} << 40, std::uint64_t{1} << 61,
                                   std::numeric_limits<std::uint64_t>::max()}) {
    ByteWriter writer;
    writer.put(size);
    writer.put<std::uint64_t>(1);
    EXPECT_THROW(ByteReader(writer.bytes(), "f").get_vector<double>(), Error);
    EXPECT_THROW(ByteReader(writer.bytes(), "f").get_matrix<float>(), Error);
    ByteWriter wide;
    wide.put<std::uint64_t>(1);
    wide.put(size);
    EXPECT_THROW(ByteReader(wide.bytes(), "f").get_matrix<float>(), Error);
  }
}

/// What reads such a matrix would go through its rows one by one.
TEST(Bytes, RowsWithoutColumnsAreRefused) {
  for (const std::uint64_t rows : {std::uint64_t{1}, std::uint64_t{1} << 62}) {
    ByteWriter writer;
    writer.put(rows);
    writer.put<std::uint64_t>(0);
    EXPECT_THROW(ByteReader(writer.bytes(), "f").get_matrix<float>(), Error);
  }
  ByteWriter empty;
  empty.put<std::uint64_t>(0);
  empty.put<std::uint64_t>(0);
  EXPECT_EQ(ByteReader(empty.bytes(), "f").get_matrix<float>().rows(), 0U);
}

}  // namespace
}  // namespace coppice
