#include "tests/data/files.h"

namespace coppice::test {
namespace {

using Amat = Files;
using Strings = std::vector<std::string>;

TEST_F(Amat, NumbersAndLabel) {
  const auto p = profile("a.amat", "   0.5   1.0e+00  3\n\n0 1 4.0  \r\n.25\t-1 3");
  EXPECT_EQ(p.rows, 3);
  EXPECT_EQ(names(p), (Strings{"pixel0", "pixel1", "label"}));
  EXPECT_EQ(p.target, "label");
  EXPECT_EQ(p.columns[0].declared, ColumnKind::number);
  EXPECT_FALSE(p.columns[2].declared);
  EXPECT_EQ(p.columns[2].distinct, (Strings{"3", "4.0"}));
  const Table table = load(p);
  EXPECT_EQ(number_at(table, 0, 1), 1);
  EXPECT_EQ(number_at(table, 2, 0), 0.25F);
  EXPECT_EQ(number_at(table, 2, 1), -1);
  EXPECT_EQ(number_at(table, 1, 2), 4);
  const Table text = load_table(p, {{ColumnUse::number, ColumnUse::number, ColumnUse::text}, {}});
  EXPECT_EQ(text_at(text, 1, 2), "4.0");
}

TEST_F(Amat, GzipIsUnpacked) {
  EXPECT_EQ(profile_table(find_source(write_gz("a.amat.gz", "1 2 0\n3 4 1\n"))).columns.size(), 3);
}

TEST_F(Amat, BadFilesAreNamed) {
  const auto message = [&](std::string_view text) { return message_of([&] { profile("bad.amat", text); }); };
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
