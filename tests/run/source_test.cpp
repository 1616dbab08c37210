#include "coppice/run/source.h"

#include "coppice/run/read.h"

#include "tests/data/files.h"

namespace coppice::test {
namespace {

using ReadTable = Files;

constexpr const char* rows_of_format(Format format) {
  switch (format) {
    case Format::arff:
      return "@relation r\n@attribute a numeric\n@data\n1\n2\n";
    case Format::libsvm:
      return "1 2:3\n-1 1:4\n";
    default:
      return "1 2 0\n3 4 1\n";
  }
}

TEST_F(ReadTable, TheExtensionTellsTheFormat) {
  const auto format = [&](const std::string& name, Format expected) {
    EXPECT_EQ(read_table(write(name, rows_of_format(expected))).info().format, expected) << name;
  };
  format("a.csv", Format::csv);
  format("a.TSV", Format::csv);
  format("a.libsvm", Format::libsvm);
  format("a.svm", Format::libsvm);
  format("a.svmlight", Format::libsvm);
  format("a.arff", Format::arff);
  format("a.amat", Format::amat);
  EXPECT_EQ(read_table(write_gz("b.arff.gz", rows_of_format(Format::arff))).info().format, Format::arff);
}

TEST_F(ReadTable, ElseTheContentTellsIt) {
  const auto format = [&](std::string_view text) { return read_table(write("thing", text)).info().format; };
  EXPECT_EQ(format("+1 3:1 7:0.5\n-1\n-1 2:1 # x\n"), Format::libsvm);
  EXPECT_EQ(format("% hello\n\n@RELATION x\n@attribute a numeric\n@data\n1\n"), Format::arff);
  EXPECT_EQ(format("\xEF\xBB\xBF@relation x\n@attribute a numeric\n@data\n1\n"), Format::arff);
  EXPECT_EQ(format("a,b\n1,2\n"), Format::csv);
  EXPECT_EQ(format("10:30 5\n11:30 6\n"), Format::csv);
  EXPECT_EQ(format("1 2 3\n4 5 6\n"), Format::csv);
  EXPECT_EQ(format(idx_bytes({1, 1}, "a")), Format::idx);
  EXPECT_EQ(read_table(write_gz("packed", idx_bytes({1, 1}, "a"))).info().format, Format::idx);
  EXPECT_EQ(read_table(write("a9a.txt", "-1 3:1 11:1\n")).info().format, Format::libsvm);
}

TEST_F(ReadTable, TheChecksumIsThatOfTheBytes) {
  const auto sum = [&](const std::string& name, std::string_view text) {
    return read_table(write(name, text)).info().checksum.value();
  };
  const std::uint32_t first = sum("a.csv", "a,b\n1,2\n");
  EXPECT_EQ(first, sum("b.csv", "a,b\n1,2\n"));
  EXPECT_EQ(first, checksum("a,b\n1,2\n"));
  EXPECT_NE(first, sum("a.csv", "a,b\n1,3\n"));
}

}  // namespace
}  // namespace coppice::test
