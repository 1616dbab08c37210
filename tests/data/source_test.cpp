#include "tests/data/files.h"

namespace coppice::test {
namespace {

using FindSource = Files;

TEST_F(FindSource, ByExtension) {
  const auto format = [&](const std::string& name) { return find_source(write(name, "1 2:3\n")).format; };
  EXPECT_EQ(format("a.csv"), Format::csv);
  EXPECT_EQ(format("a.TSV"), Format::csv);
  EXPECT_EQ(format("a.libsvm"), Format::libsvm);
  EXPECT_EQ(format("a.svm"), Format::libsvm);
  EXPECT_EQ(format("a.svmlight"), Format::libsvm);
  EXPECT_EQ(format("a.arff"), Format::arff);
  EXPECT_EQ(format("a.amat"), Format::amat);
  EXPECT_EQ(find_source(write_gz("b.arff.gz", "@relation\n")).format, Format::arff);
}

TEST_F(FindSource, ByContent) {
  const auto format = [&](std::string_view text) { return find_source(write("thing", text)).format; };
  EXPECT_EQ(format("+1 3:1 7:0.5\n-1\n-1 2:1 # x\n"), Format::libsvm);
  EXPECT_EQ(format("% hello\n\n@RELATION x\n"), Format::arff);
  EXPECT_EQ(format("\xEF\xBB\xBF@relation x\n"), Format::arff);
  EXPECT_EQ(format("a,b\n1,2\n"), Format::csv);
  EXPECT_EQ(format("10:30 5\n11:30 6\n"), Format::csv);
  EXPECT_EQ(format("1 2 3\n4 5 6\n"), Format::csv);
  EXPECT_EQ(format(idx_bytes({1, 1}, "a")), Format::idx);
  EXPECT_EQ(find_source(write_gz("packed", idx_bytes({1, 1}, "a"))).format, Format::idx);
  EXPECT_EQ(find_source(write("a9a.txt", "-1 3:1 11:1\n")).format, Format::libsvm);
}

TEST_F(FindSource, ChecksumFollowsTheBytes) {
  const auto first = source_checksum(find_source(write("a.csv", "a,b\n1,2\n")));
  EXPECT_EQ(first, source_checksum(find_source(write("b.csv", "a,b\n1,2\n"))));
  EXPECT_NE(first, source_checksum(find_source(write("a.csv", "a,b\n1,3\n"))));
}

}  // namespace
}  // namespace coppice::test
