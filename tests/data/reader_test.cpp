#include "coppice/data/reader.h"

#include "tests/data/files.h"

namespace coppice::test {
namespace {

TEST(Reader, FormatsAreToldByExtensionElseByContent) {
  EXPECT_EQ(find_format("a.csv", "1 2:3\n"), Format::csv);
  EXPECT_EQ(find_format("a.TSV", "1 2:3\n"), Format::csv);
  EXPECT_EQ(find_format("folder.csv/a.svm.gz", "a,b\n"), Format::libsvm);
  EXPECT_EQ(find_format("a.arff", ""), Format::arff);
  EXPECT_EQ(find_format("a.amat", "1 2:3\n"), Format::amat);
  EXPECT_EQ(find_format("a.csv", idx_bytes({1, 1}, "a")), Format::idx) << "whatever it is called";
  EXPECT_EQ(find_format("a", "+1 3:1 7:0.5\n-1\n-1 2:1 # x\n"), Format::libsvm);
  EXPECT_EQ(find_format("a", "1 10:5\n"), Format::libsvm);
  EXPECT_EQ(find_format("a", "1 :5\n"), Format::csv) << "no column is named";
  EXPECT_EQ(find_format("a", "% hello\n\n@RELATION x\n"), Format::arff);
  EXPECT_EQ(find_format("a", "10:30 5\n11:30 6\n"), Format::csv);
}

/// Small and larger than every buffer.
std::string table_of(const std::string& header, const std::string& row, std::size_t rows) {
  std::string text = header;
  for (std::size_t i = 0; i < rows; ++i) text += row;
  return text;
}

TEST(Reader, EveryByteIsPulledOnceFromAStreamThatCannotGoBack) {
  for (const std::size_t rows : {2U, 500U, 300'000U}) {
    for (const auto& [name, text] :
         {std::pair<std::string, std::string>("a.csv", table_of("a;b\n", "1;x\n", rows)),
          {"a.txt", table_of("", "1 2.5 \"a b\"\n", rows)},
          {"a.libsvm", table_of("", "1 1:2 7:1\n", rows)},
          {"a.arff", table_of("@relation r\n@attribute x real\n@data\n", "1\n", rows)},
          {"a.amat", table_of("", "1 2 0\n", rows)},
          {"images", idx_bytes({static_cast<std::uint32_t>(rows), 1, 1}, std::string(rows, 'x'))}}) {
      StringStream stream(text);
      const Table table = read_bytes({.stream = stream, .name = name});
      EXPECT_EQ(table.rows(), rows) << name;
      EXPECT_EQ(stream.pulled, text.size()) << name;
    }
  }
}

TEST(Reader, ARecordLongerThanTheHeadIsReadWhole) {
  const std::string cell(1'000'000, 'x');
  const std::string text = "a,b\n1,\"" + cell + "\n" + cell + "\"\n2,y\n";
  StringStream stream(text);
  const Table table = read_bytes({.stream = stream, .name = "a.csv"});
  EXPECT_EQ(text_at(table, 0, 1).size(), 2'000'001U);
  EXPECT_EQ(stream.pulled, text.size());
}

TEST(Reader, LimitsAreObeyed) {
  const auto message = [](const std::string& name, const std::string& text, const ReadLimits& limits) {
    StringStream stream(text);
    return message_of([&] { read_bytes({.stream = stream, .name = name, .limits = limits}); });
  };
  expect_parts(message("a.csv", "a,b,c\n1,2,3\n", {.columns = 2}), {"a.csv", "more than 2 fields"});
  expect_parts(message("a.svm", "1 1:1 2:2\n", {.columns = 2}), {"a.svm", "beyond 1"});
  expect_parts(message("a.amat", "1 2 3\n", {.columns = 2}), {"a.amat", "2 to 2 fields"});
  expect_parts(message("a.arff",
                       "@relation r\n@attribute a real\n@attribute b real\n@attribute c real\n@data\n1,2,3\n",
                       {.columns = 2}),
               {"more than 2 attributes"});
  expect_parts(message("i", idx_bytes({1, 2, 2}, "abcd"), {.columns = 4}), {"4 or more values"});
  expect_parts(message("a.csv", "a,b\n1," + std::string(1U << 20U, 'x'), {.line = 1U << 19U}),
               {"line 2", "longer than"});
}

TEST(Reader, NumbersOfAWideTableKeepFewerSpellings) {
  std::string text = "y";
  for (int c = 0; c < 999; ++c) text += fmt::format(",c{}", c);
  for (int r = 0; r < 400; ++r) {
    text += fmt::format("\n{}", r);
    for (int c = 0; c < 999; ++c) text += fmt::format(",{}", c == 0 ? r : r % 3);
  }
  const Table table = read_text("wide.csv", text + "\n");
  EXPECT_FALSE(facts(table, 0).more_distinct) << "but for what may be the target";
  EXPECT_EQ(facts(table, 0).distinct, 400U);
  EXPECT_TRUE(facts(table, 1).more_distinct);
  EXPECT_EQ(facts(table, 1).distinct, 300U);
  EXPECT_EQ(number_at(table, 399, 1), 399);
  EXPECT_EQ(facts(table, 2).distinct, 3U);
}

TEST(Reader, TextAfterManyNumbersLosesTheNumbersOnly) {
  std::string text = "a,b\n";
  for (int r = 0; r < 1500; ++r)
    text += fmt::format("{},{}\n", r == 1400 ? "oops" : std::to_string(r), r % 4);
  const Table table = read_text("d.csv", text);
  EXPECT_EQ(table.column(0).storage, Column::Storage::none);
  EXPECT_EQ(facts(table, 0).present, 1500U);
  EXPECT_EQ(facts(table, 0).numeric, 1499U);
  EXPECT_EQ(facts(table, 0).distinct_texts, 1U);
  EXPECT_EQ(facts(table, 0).stray->at.line, 1402U);
  expect_parts(number_error(table, {0}), {"line 1402", "\"oops\""});
  const Table told = read_text("d.csv", text, {.texts = {"a"}});
  EXPECT_EQ(text_at(told, 1400, 0), "oops");
  EXPECT_EQ(text_at(told, 1499, 0), "1499");
}

}  // namespace
}  // namespace coppice::test
