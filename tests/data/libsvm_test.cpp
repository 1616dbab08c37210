#include "tests/data/files.h"

namespace coppice::test {
namespace {

using Libsvm = Files;
using Strings = std::vector<std::string>;

TEST_F(Libsvm, SparseRows) {
  const auto p = profile("a.libsvm", "# made by hand\n+1 2:0.5 4:3 # note\n-1\n+1 1:7 2:1e1\n");
  EXPECT_EQ(p.rows, 3);
  ASSERT_EQ(names(p), (Strings{"label", "1", "2", "3", "4"}));
  EXPECT_EQ(p.target, "label");
  EXPECT_EQ(p.columns[0].distinct, (Strings{"+1", "-1"}));
  EXPECT_FALSE(p.columns[0].declared);
  EXPECT_EQ(p.columns[2].declared, ColumnKind::number);
  EXPECT_EQ(p.columns[1].present, 3);
  EXPECT_EQ(p.columns[1].numeric, 3);
  EXPECT_EQ(p.columns[1].distinct, (Strings{"0", "7"}));
  EXPECT_EQ(p.columns[2].distinct, (Strings{"0.5", "0", "1e1"}));
  EXPECT_FALSE(p.columns[2].whole);
  EXPECT_EQ(p.columns[3].distinct, (Strings{"0"}));

  const Table table = load(p);
  EXPECT_EQ(number_at(table, 0, 0), 1);
  EXPECT_EQ(number_at(table, 0, 2), 0.5F);
  EXPECT_EQ(number_at(table, 0, 4), 3);
  EXPECT_EQ(number_at(table, 1, 4), 0);
  EXPECT_EQ(number_at(table, 2, 1), 7);
  EXPECT_EQ(number_at(table, 2, 2), 10);
}

TEST_F(Libsvm, LabelsAsTextKeepTheirSpelling) {
  const auto p = profile("a.svm", "+1 1:1\n1.0 1:2\n");
  const Table table = load_table(p, {{ColumnUse::text, ColumnUse::number}, {true, false}});
  EXPECT_EQ(table.columns[0].values, (Strings{"+1", "1.0"}));
}

TEST_F(Libsvm, InputsTakenAsTextAreZeroWhereAbsent) {
  const auto p = profile("a.svm", "1 1:1\n2 2:2\n");
  const Table table = load_table(p, {{ColumnUse::skip, ColumnUse::text, ColumnUse::number}, {}});
  EXPECT_EQ(text_at(table, 0, 0), "1");
  EXPECT_EQ(text_at(table, 1, 0), "0");
}

TEST_F(Libsvm, ColumnsAddedToTheProfileAreZero) {
  auto p = profile("a.svm", "1 1:1\n2 1:2\n");
  p.columns.push_back(p.columns.back());
  p.columns.back().name = "2";
  const Table table = load(p);
  ASSERT_EQ(table.columns.size(), 3);
  EXPECT_EQ(number_at(table, 1, 2), 0);
}

TEST_F(Libsvm, BadLinesAreNamed) {
  const auto message = [&](std::string_view text) { return message_of([&] { profile("bad.svm", text); }); };
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
