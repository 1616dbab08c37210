#include "coppice/data/text_source.h"

#include "tests/data/files.h"

#include <sys/stat.h>

namespace coppice::test {
namespace {

using namespace std::string_view_literals;

class BadInput : public Files {
 protected:
  std::string message(std::string_view text) const {
    return message_of([&] { profile("bad.csv", text); });
  }
  std::string message(std::string_view text, const LoadPlan& plan) const {
    const auto p = profile("bad.csv", text);
    return message_of([&] { load_table(p, plan); });
  }
};

TEST_F(BadInput, MissingEmptyDirectoryPipe) {
  expect_parts(message_of([&] { find_source(path("nowhere.csv")); }), {"nowhere.csv", "No such file"});
  expect_parts(message_of([&] { find_source(write("empty.csv", "")); }), {"empty.csv", "empty"});
  expect_parts(message("\n  \r\n\n"), {"bad.csv", "no data"});
  expect_parts(message_of([&] { profile_table(find_source(write_gz("e.csv.gz", ""))); }),
               {"e.csv.gz", "no data"});
  expect_parts(message_of([&] { profile_table({Format::csv, folder_.string(), {}}); }), {"is a directory"});
  ASSERT_EQ(::mkfifo(path("pipe.csv").c_str(), 0600), 0);
  expect_parts(message_of([&] { find_source(path("pipe.csv")); }), {"pipe.csv", "pipe"});
}

TEST_F(BadInput, RaggedRow) {
  expect_parts(message("a,b,c\n1,2,3\n\n1,2\n"),
               {"bad.csv", "line 4", "expected 3", "found 2", "quote a cell"});
  expect_parts(message("a,b\n1,\"x\ny\"\n1,2,3\n4,5\n"), {"bad.csv", "line 4", "expected 2", "found 3"});
  expect_parts(message("a,b,c\n1,2\n"), {"line 2", "expected 3", "found 2"});
  expect_parts(message("x\n0,5\n-0,7\n"),
               {"line 2", "expected 1", "found 2", "quote a cell", "decimal point"});
}

TEST_F(BadInput, UnclosedQuote) {
  expect_parts(message("a,b\n1,\"x\ny\"\n2,\"open\n3,4\n5,6\n"),
               {"bad.csv", "line 4", "column 2", "never closed"});
  expect_parts(message("a,\"b\n1,2\n"), {"bad.csv", "line 1", "column 2", "never closed"});
  expect_parts(message("a,b\n1,\"x\"y\n"), {"bad.csv", "line 2", "column 2", "after the closing quote"});
}

TEST_F(BadInput, StrayTextInANumberColumn) {
  const LoadPlan plan{{ColumnUse::number, ColumnUse::number}, {}};
  expect_parts(message("age,b\n1,2\n3,4\ntwelve,5\n", plan),
               {"bad.csv", "line 4", "column 1", "\"age\"", "\"twelve\"", "--categorical age", "put ?"});
  const auto p = profile("bad.csv", "age,b\n1,2\n3,4\ntwelve,5\n");
  EXPECT_EQ(p.columns[0].numeric, 2);
  EXPECT_EQ(p.columns[0].present, 3);
  EXPECT_EQ(p.columns[0].stray_line, 4);
  EXPECT_EQ(p.columns[0].stray_value, "twelve");
}

TEST_F(BadInput, InfiniteAndHugeValues) {
  for (const std::string value : {"inf", "-Infinity", "1e999", "1e39", "-1e300"}) {
    expect_parts(message("a,b\n1,2\n1," + value + "\n"),
                 {"bad.csv", "line 3", "column 2", "\"b\"", value, "infinite"});
  }
  // Codes that happen to look like huge numbers are fine in a column of texts, but not taken as numbers.
  const auto p = profile("codes.csv", "a,b\n1,12e456\n2,3af\n");
  EXPECT_EQ(text_at(load(p), 0, 1), "12e456");
  expect_parts(message_of([&] {
                 load_table(p, {{ColumnUse::skip, ColumnUse::number}, {}});
               }),
               {"line 2", "column 2", "12e456", "infinite"});
  EXPECT_EQ(profile("big.csv", "a\n3.4028234e38\n1\n").columns[0].numeric, 2);
}

TEST_F(BadInput, MissingCellInARequiredColumn) {
  expect_parts(message("a,b\n1,x\n2,\n", {{ColumnUse::number, ColumnUse::text}, {false, true}}),
               {"bad.csv", "line 3", "column 2", "\"b\"", "missing"});
  expect_parts(message("a,b\n1,x\nNA,y\n", {{ColumnUse::number, ColumnUse::text}, {true, false}}),
               {"bad.csv", "line 3", "column 1", "\"a\"", "missing"});
}

TEST_F(BadInput, NamesTwice) {
  expect_parts(message("a,b,a\n1,2,3\n"), {"bad.csv", "line 1", "columns 1 and 3", "\"a\""});
  expect_parts(message("\n\ncolumn2,\n1,2\n"), {"line 3", "\"column2\""});
}

TEST_F(BadInput, HeaderOnly) {
  expect_parts(message("a,b\n"), {"bad.csv", "no row of data"});
  expect_parts(message("a,b"), {"bad.csv", "no row of data"});
}

TEST_F(BadInput, BinaryGarbage) {
  expect_parts(message("a,b\n1,2\n3,\0\x01\n"sv), {"bad.csv", "line 3", "zero byte", "UTF-8"});
  std::string late = "a,b\n";
  for (int i = 0; i < 200'000; ++i) late += "1,2\n";
  expect_parts(message(late + "1,2\n1," + '\0' + "\n"), {"line 200003", "zero byte"});
  expect_parts(message("\xFF\xFE"
                       "a\0,\0b\0\n\0"sv),
               {"line 1", "zero byte"});
}

TEST_F(BadInput, EndlessLinesAndQuotesDoNotExhaustMemory) {
  const std::string line(TextSource::longest + 1000, 'x');
  expect_parts(message("a,b\n" + line), {"bad.csv", "line 2", "longer than 64 MiB"});
  std::string quote = "a,b\n1,\"";
  while (quote.size() < TextSource::longest + 1000) quote += "line of text\n";
  expect_parts(message(quote), {"bad.csv", "line 2", "never closed"});
  expect_parts(message("1" + std::string(300'000, ',') + "\n"),
               {"bad.csv", "line 1", "more than 250000 fields"});
}

TEST_F(BadInput, FileThatShrinksOrGrowsBetweenThePasses) {
  const auto p = profile("c.csv", "a,b\n1,2\n3,4\n");
  write("c.csv", "a,b\n1,2\n");
  expect_parts(message_of([&] { load(p); }), {"c.csv", "changed"});
  write("c.csv", "a,b\n1,2\n3,4\n5,6\n");
  expect_parts(message_of([&] { load(p); }), {"c.csv", "changed"});
}

}  // namespace
}  // namespace coppice::test
