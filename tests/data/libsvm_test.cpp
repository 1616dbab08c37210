#include "tests/data/files.h"

namespace coppice::test {
namespace {

TEST(Libsvm, SparseRows) {
  const Table table = read_text("a.libsvm", "# made by hand\n+1 2:0.5 4:3 # note\n-1\n+1 1:7 2:1e1\n");
  EXPECT_EQ(table.rows(), 3);
  ASSERT_EQ(table.names(), (Strings{"label", "1", "2", "3", "4"}));
  EXPECT_EQ(table.info().target, "label");
  EXPECT_EQ(distinct(table, 0), (Strings{"+1", "-1"}));
  EXPECT_FALSE(facts(table, 0).declared);
  EXPECT_EQ(facts(table, 2).declared, ColumnKind::number);
  EXPECT_EQ(facts(table, 1).present, 3);
  EXPECT_EQ(facts(table, 1).numeric, 3);
  EXPECT_EQ(distinct(table, 1), (Strings{"0", "7"}));
  EXPECT_EQ(distinct(table, 2), (Strings{"0.5", "0", "1e1"}));
  EXPECT_FALSE(facts(table, 2).whole);
  EXPECT_EQ(distinct(table, 3), (Strings{"0"}));

  EXPECT_EQ(number_at(table, 0, 0), 1);
  EXPECT_EQ(number_at(table, 0, 2), 0.5F);
  EXPECT_EQ(number_at(table, 0, 4), 3);
  EXPECT_EQ(number_at(table, 1, 4), 0);
  EXPECT_EQ(number_at(table, 2, 1), 7);
  EXPECT_EQ(number_at(table, 2, 2), 10);
}

TEST(Libsvm, LabelsAsTextKeepTheirSpelling) {
  const Table table = read_text("a.svm", "+1 1:1\n1.0 1:2\n");
  EXPECT_EQ(distinct(table, 0), (Strings{"+1", "1.0"}));
  EXPECT_EQ(text_at(table, 1, 0), "1.0");
}

TEST(Libsvm, InputsTakenAsTextAreZeroWhereAbsent) {
  const Table table = read_text("a.svm", "1 1:1\n2 2:2\n");
  EXPECT_EQ(text_at(table, 0, 1), "1");
  EXPECT_EQ(text_at(table, 1, 1), "0");
}

TEST(Libsvm, ColumnsThatComeLateAreZeroBefore) {
  const Table table = read_text("a.svm", "1 1:1\n2 1:2\n3 2:5\n4 1:1\n");
  ASSERT_EQ(table.columns(), 3);
  EXPECT_EQ(number_at(table, 0, 2), 0);
  EXPECT_EQ(number_at(table, 1, 2), 0);
  EXPECT_EQ(number_at(table, 2, 2), 5);
  EXPECT_EQ(number_at(table, 3, 2), 0);
  EXPECT_EQ(number_at(table, 2, 1), 0);
}

TEST(Libsvm, BadLinesAreNamed) {
  const auto message = [&](std::string_view text) { return message_of([&] { read_text("bad.svm", text); }); };
  expect_parts(message("1 1:1\n1 0:5\n"), {"bad.svm", "line 2", "\"0:5\"", "start at 1"});
  expect_parts(message("1 1:1\n\n1 3:5 2:1\n"), {"bad.svm", "line 3", "character 7", "\"2:1\"", "ascending"});
  expect_parts(message("1 1:1 1:2\n"), {"line 1", "ascending"});
  expect_parts(message("1 a:1\n"), {"line 1", "\"a:1\"", "pair"});
  expect_parts(message("1 1:\n"), {"line 1", "\"1:\"", "pair"});
  expect_parts(message("1 1:x\n"), {"line 1", "\"1:x\"", "pair"});
  expect_parts(message("1 17\n"), {"line 1", "\"17\"", "pair"});
  expect_parts(message("1 -3:1\n"), {"line 1", "pair"});
  expect_parts(message("1 4000000000:1\n"), {"line 1", "beyond"});
  expect_parts(message("1 99999999999999999999999:1\n"), {"line 1", "beyond"});
  expect_parts(message("1:1 2:2\n"), {"line 1", "label is missing"});
  expect_parts(message("1 1:1\n1 1:inf\n"), {"line 2", "column 2", "\"1\"", "\"inf\"", "infinite"});
  expect_parts(message("# nothing\n\n"), {"bad.svm", "no row of data"});
}

}  // namespace
}  // namespace coppice::test
