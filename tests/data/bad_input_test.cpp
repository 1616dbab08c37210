#include "tests/data/files.h"

#include <limits>

namespace coppice::test {
namespace {

using namespace std::string_view_literals;

std::string message(std::string_view text, const ReadHints& hints = {}) {
  return message_of([&] { read_text("bad.csv", text, hints); });
}

/// What is said if the column must have a value in every row.
std::string incomplete(const Table& table, std::size_t column) {
  return message_of([&] {
    CellCheck check(table);
    check.complete(column);
    check.finish();
  });
}

TEST(BadInput, NothingButBlankLines) {
  expect_parts(message("\n  \r\n\n"), {"bad.csv", "no data"});
  expect_parts(message(""), {"bad.csv", "no data"});
}

TEST(BadInput, RaggedRow) {
  expect_parts(message("a,b,c\n1,2,3\n\n1,2\n"),
               {"bad.csv", "line 4", "expected 3", "found 2", "quote a cell"});
  expect_parts(message("a,b\n1,\"x\ny\"\n1,2,3\n4,5\n"), {"bad.csv", "line 4", "expected 2", "found 3"});
  expect_parts(message("a,b,c\n1,2\n"), {"line 2", "expected 3", "found 2"});
  expect_parts(message("x\n0,5\n-0,7\n"),
               {"line 2", "expected 1", "found 2", "quote a cell", "decimal point"});
}

TEST(BadInput, UnclosedQuote) {
  expect_parts(message("a,b\n1,\"x\ny\"\n2,\"open\n3,4\n5,6\n"),
               {"bad.csv", "line 4", "column 2", "never closed"});
  expect_parts(message("a,\"b\n1,2\n"), {"bad.csv", "line 1", "column 2", "never closed"});
  expect_parts(message("a,b\n1,\"x\"y\n"), {"bad.csv", "line 2", "column 2", "after the closing quote"});
}

TEST(BadInput, StrayTextInANumberColumn) {
  const std::string text = "age,b\n1,2\n3,4\ntwelve,5\n";
  for (const ReadHints& hints : {ReadHints{}, ReadHints{.numbers = {"age", "b"}}}) {
    const Table table = read_text("bad.csv", text, hints);
    expect_parts(number_error(table, {0, 1}),
                 {"bad.csv", "line 4", "column 1", "\"age\"", "\"twelve\"", "`categorical` age", "put ?"});
    EXPECT_EQ(facts(table, 0).numeric, 2);
    EXPECT_EQ(facts(table, 0).present, 3);
    EXPECT_EQ(facts(table, 0).stray->at.line, 4);
    EXPECT_EQ(facts(table, 0).stray->text, "twelve");
  }
}

TEST(BadInput, TheFirstBadCellOfSeveralColumnsIsNamed) {
  const Table table = read_text("bad.csv", "a,b,c\n1,2,x\n3,y,4\nz,5,\"6,5\"\n7,1e99,8\n");
  expect_parts(number_error(table, {0, 1, 2}), {"line 2", "column 3", "\"x\""});
  expect_parts(number_error(table, {0, 1}), {"line 3", "column 2", "\"y\""});
  expect_parts(number_error(table, {0}), {"line 4", "column 1", "\"z\""});
  const Table q = read_text("bad.csv", "a,b\nu,1e99\nv,\"6,5\"\n1,2\n3,x\n");
  expect_parts(number_error(q, {1}), {"line 2", "column 2", "too large"});
  const Table r = read_text("bad.csv", "a\n\"6,5\"\n1e99\nx\n");
  expect_parts(number_error(r, {0}), {"line 2", "decimal comma"});
}

TEST(BadInput, InfiniteAndHugeValues) {
  for (const std::string value : {"inf", "-Infinity", "1e999", "1e39", "-1e300"}) {
    expect_parts(message("a,b\n1,2\n1," + value + "\n"),
                 {"bad.csv", "line 3", "column 2", "\"b\"", value, "infinite"});
  }
  // Codes that happen to look like huge numbers are fine in a column of texts, but not taken as numbers.
  const Table table = read_text("codes.csv", "a,b\n1,12e456\n2,3af\n");
  EXPECT_EQ(text_at(table, 0, 1), "12e456");
  expect_parts(number_error(table, {1}), {"line 2", "column 2", "12e456", "infinite"});
  EXPECT_EQ(facts(read_text("big.csv", "a\n3.4028234e38\n1\n"), 0).numeric, 2);
  expect_parts(message("a,b\n1,2\n1,inf\n", {.numbers = {"b"}}), {"line 3", "column 2", "infinite"});
  expect_parts(message("a,b\n1,2\n1,1e999\n", {.texts = {"b"}}), {"line 3", "column 2", "infinite"});
}

TEST(BadInput, AllColumnsWithNumbersThatAreTooLargeAreNamedAtOnce) {
  const std::string text = "a,b,c,d,e\n1,1e999,1,1,x\n2,2,2,2,y\ninf,inf,oops,3,3\n4,4,4,4,x\n";
  expect_parts(message(text),
               {"bad.csv: 2 columns", "\"inf\" in line 4, column 1 (\"a\")",
                "\"1e999\" in line 2, column 2 (\"b\")", "put ?", "among the numbers of c too"});
  EXPECT_EQ(message(text).find("oops"), std::string::npos);
  EXPECT_EQ(read_text("bad.csv", text, {.skip = {"a", "b"}}).rows(), 4)
      << "what is left out may hold anything";
  expect_parts(message("a,b\n1,inf\n2,2\nold,3\n"),
               {"bad.csv: line 2, column 2 (\"b\"): \"inf\" is infinite", "among the numbers of a too"});
}

TEST(BadInput, TheGreatestFloatIsReadAsItIsWritten) {
  const float greatest = std::numeric_limits<float>::max();
  const Table table =
      read_text("big.csv", fmt::format("a\n{}\n-3.4028235e38\n3.40282356e38\n", shortest(greatest)));
  EXPECT_EQ(number_at(table, 0, 0), greatest);
  EXPECT_EQ(number_at(table, 1, 0), -greatest);
  EXPECT_EQ(number_at(table, 2, 0), greatest);
  expect_parts(message("a\n3.4028236e38\n"), {"line 2", "column 1", "too large"});
}

TEST(BadInput, MissingCellInARequiredColumn) {
  expect_parts(incomplete(read_text("bad.csv", "a,b\n1,x\n2,\n"), 1),
               {"bad.csv", "line 3", "column 2", "\"b\"", "missing"});
  expect_parts(incomplete(read_text("bad.csv", "a,b\n1,x\nNA,y\n"), 0),
               {"bad.csv", "line 3", "column 1", "\"a\"", "missing"});
}

TEST(BadInput, NamesTwice) {
  expect_parts(message("a,b,a\n1,2,3\n"), {"bad.csv", "line 1", "columns 1 and 3", "\"a\""});
  expect_parts(message("\n\ncolumn2,\n1,2\n"), {"line 3", "\"column2\""});
}

TEST(BadInput, HeaderOnly) {
  expect_parts(message("a,b\n"), {"bad.csv", "no row of data"});
  expect_parts(message("a,b"), {"bad.csv", "no row of data"});
}

TEST(BadInput, BinaryGarbage) {
  expect_parts(message("a,b\n1,2\n3,\0\x01\n"sv), {"bad.csv", "line 3", "zero byte", "UTF-8"});
  std::string late = "a,b\n";
  for (int i = 0; i < 200'000; ++i) late += "1,2\n";
  expect_parts(message(late + "1,2\n1," + '\0' + "\n"), {"line 200003", "zero byte"});
  expect_parts(message("\xFF\xFE"
                       "a\0,\0b\0\n\0"sv),
               {"line 1", "zero byte"});
}

TEST(BadInput, EndlessLinesAndQuotesDoNotExhaustMemory) {
  const std::string line(ReadLimits().line + 1000, 'x');
  expect_parts(message("a,b\n" + line), {"bad.csv", "line 2", "longer than 64 MiB"});
  std::string quote = "a,b\n1,\"";
  while (quote.size() < ReadLimits().line + 1000) quote += "line of text\n";
  expect_parts(message(quote), {"bad.csv", "line 2", "never closed"});
  expect_parts(message("1" + std::string(300'000, ',') + "\n"),
               {"bad.csv", "line 1", "more than 250000 fields"});
}

TEST(BadInput, EmptyLinesWithoutEndAreRefused) {
  const auto blank = [](std::string_view lines) {
    const std::string text = "a,b\n1,2\n" + std::string(lines) + "3,4\n";
    StringStream stream(text);
    return message_of(
        [&] { read_bytes({.stream = stream, .name = "bad.csv", .limits = {.blank_lines = 4}}); });
  };
  expect_parts(blank("\n\r\n \t\n\n\n"), {"bad.csv", "line 7", "4 empty lines"});
  StringStream few("a,b\n1,2\n\n\n\n\n3,4\n\n\n\n\n");
  EXPECT_EQ(read_bytes({.stream = few, .name = "good.csv", .limits = {.blank_lines = 4}}).rows(), 2U);
  StringStream as_many("1 1:2\n\n\n\n\n2 1:3\n");
  EXPECT_EQ(read_bytes({.stream = as_many, .name = "good.libsvm", .limits = {.blank_lines = 4}}).rows(), 2U);
}

TEST(BadInput, EmptyLinesAreCountedAcrossBlocks) {
  const auto with_blank = [](std::size_t lines) {
    const std::string text = "a,b\n1,2\n" + std::string(lines, '\n') + "3,4\n";
    StringStream stream(text);
    return read_bytes({.stream = stream, .name = "bad.csv", .limits = {.blank_lines = 600'000}}).rows();
  };
  EXPECT_EQ(with_blank(600'000), 2U);
  expect_parts(message_of([&] { with_blank(1'500'000); }), {"bad.csv", "600000 empty lines"});
}

TEST(BadInput, ATableMayFillTheMemoryToItsLastByte) {
  for (const auto& [name, head] :
       {std::pair<std::string, std::string>("d.csv", "a,b\n"),
        {"d.arff", "@relation r\n@attribute a real\n@attribute b real\n@data\n"}}) {
    for (const std::size_t rows : {1U, 1024U}) {
      std::string text = head;
      for (std::size_t i = 0; i < rows; ++i) text += "1,2\n";
      const auto read = [&, name = name](double memory) {
        StringStream stream(text);
        return read_bytes({.stream = stream, .name = name, .limits = {.memory = memory}}).rows();
      };
      EXPECT_EQ(read(static_cast<double>(rows * 8)), rows) << name;
      expect_parts(message_of([&] { read(7); }), {name, "1 rows of 2 columns"});
    }
  }
}

TEST(BadInput, TablesBeyondTheMemoryAreRefused) {
  std::string text = "a,b\n";
  for (int i = 0; i < 1500; ++i) text += "1,2\n";
  StringStream stream(text);
  expect_parts(
      message_of([&] { read_bytes({.stream = stream, .name = "bad.csv", .limits = {.memory = 1024 * 8}}); }),
      {"bad.csv", "1025 rows of 2 columns", "GB of memory", "fewer rows"});
  StringStream sparse("1 999:1\n1 1:2\n");
  expect_parts(
      message_of([&] { read_bytes({.stream = sparse, .name = "bad.svm", .limits = {.memory = 4000}}); }),
      {"2 rows of 1000 columns"});
  const std::string pixels = idx_bytes({100, 10, 10}, std::string(10'000, 'x'));
  StringStream images(pixels);
  expect_parts(
      message_of([&] { read_bytes({.stream = images, .name = "bad-images", .limits = {.memory = 30'000}}); }),
      {"bad-images", "100 rows of 100 columns"});
}

TEST(BadInput, ErrorsTellTheirKindAndPlace) {
  const auto error_of = [](std::string_view text) {
    try {
      read_text("bad.arff", text);
    } catch (const Error& error) {
      return error;
    }
    return Error("none");
  };
  const Error cell = error_of("@relation r\n@attribute x real\n@data\n1\n2\nten\n");
  EXPECT_EQ(cell.kind(), ErrorKind::bad_input);
  EXPECT_EQ(cell.place().column, "x");
  EXPECT_EQ(cell.place().row, 2U);
  EXPECT_EQ(error_of("@relation r\n@data\n").kind(), ErrorKind::file);
}

}  // namespace
}  // namespace coppice::test
