#include "tests/data/files.h"

namespace coppice::test {
namespace {

class Amat : public Files {};

TEST_F(Amat, NumbersAndLabel) {
  const Table table = read_text("a.amat", "   0.5   1.0e+00  3\n\n0 1 4.0  \r\n.25\t-1 3");
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(table.names(), (Strings{"pixel0", "pixel1", "label"}));
  EXPECT_EQ(table.info().target, "label");
  EXPECT_EQ(facts(table, 0).declared, ColumnKind::number);
  EXPECT_FALSE(facts(table, 2).declared);
  EXPECT_EQ(distinct(table, 2), (Strings{"3", "4.0"}));
  EXPECT_EQ(number_at(table, 0, 1), 1);
  EXPECT_EQ(number_at(table, 2, 0), 0.25F);
  EXPECT_EQ(number_at(table, 2, 1), -1);
  EXPECT_EQ(number_at(table, 1, 2), 4);
  EXPECT_EQ(text_at(table, 1, 2), "4.0");
}

TEST_F(Amat, GzipIsUnpacked) {
  InputFile file(write_gz("a.amat.gz", "1 2 0\n3 4 1\n"));
  EXPECT_EQ(read_bytes({.stream = file, .name = file.path()}).columns(), 3);
}

TEST_F(Amat, BadFilesAreNamed) {
  const auto message = [&](std::string_view text) {
    return message_of([&] { read_text("bad.amat", text); });
  };
  expect_parts(message("1 2 3\n1 2\n"),
               {"bad.amat", "line 2", "expected 3", "found 2", "as many numbers as the first", "blanks"});
  expect_parts(message("1 2 3\n1 two 3\n"), {"line 2", "column 2", "\"pixel1\"", "\"two\"", "not a number"});
  expect_parts(message("1 2 3\n1 0,5 3\n"), {"line 2", "column 2", "\"0,5\"", "decimal comma"});
  expect_parts(message("1\n2\n"), {"line 1", "label", "blanks between"});
  expect_parts(message("\n \n"), {"bad.amat", "no data"});
  expect_parts(message("1 inf 3\n"), {"line 1", "column 2", "infinite", "put ?"});
}

}  // namespace
}  // namespace coppice::test
