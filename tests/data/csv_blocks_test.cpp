// Large files are cut by one thread and taken column by column by several: the same tables and the same sentences.
#include "coppice/data/table_checksum.h"
#include "coppice/data/text_source.h"

#include "tests/data/files.h"

#include <gmock/gmock.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;

Table read_with(std::size_t threads, std::string_view bytes) {
  StringStream stream(bytes);
  return read_bytes({.stream = stream, .name = "d.csv", .hints = {}, .limits = {}, .threads = threads});
}

std::string refusal(std::size_t threads, std::string_view bytes) {
  return message_of([&] { read_with(threads, bytes); });
}

constexpr std::size_t many_rows = 90'000;  ///< with 12 columns enough for threads, and many blocks

/// Row i of a file with every kind of column: numbers, whole ones, long ones, ids, texts few and many, gaps, quotes with
/// line ends, numbers in odd formats.
std::string row_text_of(std::size_t i) {
  const auto k = static_cast<int>(i * 7919 % 10'007);
  return fmt::format("{},{}.{:04},{},{},id{},{},\"say \"\"{}\"\"\",{},{},{},{},{}\n", k, k % 90, k % 9999, i,
                     1'700'000'000 + i % 70'000, i, k % 5 == 0 ? "" : "red", k % 7,
                     k % 11 == 0 ? "\"two\nlines\"" : "one", k % 13 == 0 ? "NA" : fmt::format("{}e-3", k),
                     k % 17 == 0 ? "\"1,5\"" : fmt::format("{}", k % 3), "  7 ", k % 2);
}

std::string file_of(std::size_t rows) {
  std::string text = "a,b,c,d,e,f,g,h,i,j,k,l\r\n";
  for (std::size_t i = 0; i < rows; ++i) {
    text += row_text_of(i);
    if (i % 1000 == 0) text += "  \n";  // a blank line
  }
  return text;
}

std::string spot_text(const std::unique_ptr<CellSpot>& spot) {
  return spot ? fmt::format("{} {} {}", spot->at.row, spot->at.line, spot->text) : "none";
}

void expect_same(const Table& a, const Table& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.names(), b.names());
  EXPECT_EQ(table_checksum(a), table_checksum(b));
  for (std::size_t c = 0; c < a.columns(); ++c) {
    SCOPED_TRACE(a.column(c).name);
    const ColumnFacts& one = facts(a, c);
    const ColumnFacts& other = facts(b, c);
    EXPECT_EQ(a.column(c).storage, b.column(c).storage);
    EXPECT_EQ(a.column(c).base, b.column(c).base);
    EXPECT_EQ(one.whole, other.whole);
    EXPECT_EQ(one.present, other.present);
    EXPECT_EQ(one.numeric, other.numeric);
    EXPECT_EQ(one.distinct, other.distinct);
    EXPECT_EQ(one.more_distinct, other.more_distinct);
    EXPECT_EQ(one.distinct_texts, other.distinct_texts);
    EXPECT_EQ(one.unread_numbers, other.unread_numbers);
    EXPECT_EQ(spot_text(one.missing), spot_text(other.missing));
    EXPECT_EQ(spot_text(one.stray), spot_text(other.stray));
    EXPECT_EQ(spot_text(one.unread), spot_text(other.unread));
  }
}

TEST(CsvBlocks, AnyNumberOfThreadsReadsTheSameTable) {
  const std::string text = file_of(many_rows);
  const Table alone = read_with(1, text);
  ASSERT_EQ(alone.rows(), many_rows);
  for (const std::size_t row : {std::size_t{0}, std::size_t{4321}, many_rows - 1}) {
    const auto k = static_cast<int>(row * 7919 % 10'007);
    EXPECT_EQ(alone.column(0).value(row), k);
    EXPECT_EQ(alone.column(3).value(row), 1'700'000'000 + static_cast<double>(row % 70'000));
    EXPECT_EQ(alone.text("g", row), fmt::format("say \"{}\"", k % 7));
    EXPECT_EQ(alone.text("h", row), k % 11 == 0 ? "two\nlines" : "one");
    EXPECT_EQ(alone.text("k", row), "7");
  }
  for (const std::size_t threads : {2, 5}) expect_same(alone, read_with(threads, text));
}

TEST(CsvBlocks, MistakesAreToldWithTheirLine) {
  const std::string good = file_of(many_rows);
  const auto lines = static_cast<std::size_t>(std::ranges::count(good, '\n'));
  const std::string after = file_of(10).substr(25);
  const std::vector<std::pair<std::string, std::string>> cases{
      {good + "1,2,3\n" + after, fmt::format("d.csv: line {}: expected 12 fields, but found 3", lines + 1)},
      {good + "\"open,2\n3,4\n",
       fmt::format("d.csv: line {}, column 1: the quote that opens here", lines + 1)},
      {good + "\"a\"b,2\n" + after, fmt::format("d.csv: line {}, column 1: there is text after", lines + 1)},
      {good + std::string("1\0", 2) + after, fmt::format("d.csv: line {}: there is a zero byte", lines + 1)}};
  for (const auto& [text, sentence] : cases) {
    EXPECT_THAT(refusal(1, text), HasSubstr(sentence));
    EXPECT_EQ(refusal(4, text), refusal(1, text));
  }
}

/// Records longer than a buffer, beside short ones: cells of a block lie in several buffers.
TEST(CsvBlocks, RecordsMayBeLongerThanABuffer) {
  std::string text = "a,b\n";
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 40; ++i) {
    expected.push_back(std::string(i % 3 == 0 ? 400'000 : 5, static_cast<char>('a' + i % 26)) + "\n" +
                       std::to_string(i));
    text += fmt::format("{},\"{}\"\n", i, expected.back());
  }
  const Table table = read_with(3, text);
  ASSERT_EQ(table.rows(), expected.size());
  for (std::size_t row = 0; row < expected.size(); ++row) {
    ASSERT_EQ(table.text("b", row), expected[row]) << row;
    ASSERT_EQ(table.column(0).value(row), static_cast<double>(row));
  }
}

TEST(CsvBlocks, FractionsThatComeLateAreSeen) {
  std::string text = "late,never\n";
  for (int i = 0; i < 6000; ++i) text += fmt::format("{}{},{}\n", i, i < 3000 ? "" : ".5", i);
  const Table table = read_with(1, text);
  EXPECT_FALSE(facts(table, 0).whole);
  EXPECT_TRUE(facts(table, 1).whole);
}

TEST(CsvBlocks, DifferentNumbersAreCountedUpToThree) {
  for (const auto& [text, count] :
       {std::pair{"x\n1\n1\n1\n", 1U}, {"x\n1\n2\n1\n", 2U}, {"x\n1\n2\n3\n4\n", 3U}})
    EXPECT_EQ(facts(read_text("d.csv", text, {.numbers = {"x"}}), 0).distinct, count);
}

TEST(WholeRecords, EndBehindTheLastLineEndThatStandsInNoQuotes) {
  for (const bool ended : {false, true}) {
    EXPECT_EQ(whole_records("1,2\n3", ',', ended), 4U);
    EXPECT_EQ(whole_records("\"a\nb", ',', ended), 0U) << "the first cell is not closed";
    EXPECT_EQ(whole_records("1,\"x\ny\"\n2", ',', ended), 8U);
    EXPECT_EQ(whole_records("1,  \"x\ny\"\n2", ',', ended), 10U) << "blanks before it";
    EXPECT_EQ(whole_records("1 \"x\ny\"\n2", ' ', ended), 8U);
    EXPECT_EQ(whole_records("\"\",x\n1\n", ',', ended), 7U) << "an empty text";
    EXPECT_EQ(whole_records("ab\"c\nd\n", ',', ended), 7U) << "a quote within a cell opens none";
    EXPECT_EQ(whole_records("ab\"c\nd\n", ' ', ended), 7U);
    EXPECT_EQ(whole_records("\"a\"\"\nb\"\n1\n", ',', ended), 10U) << "a doubled one closes none";
  }
}

}  // namespace
}  // namespace coppice::test
