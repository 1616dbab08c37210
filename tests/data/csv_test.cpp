#include "tests/data/files.h"

#include <clocale>
#include <cmath>
#include <gmock/gmock.h>
#include <locale>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;

class Csv : public Files {};

/// As the description says.
char delimiter_of(const Table& table) {
  const std::string& text = table.info().description;
  const std::size_t quote = text.find('\'');
  if (quote != std::string::npos) return text[quote + 1];
  return text.find("tab") != std::string::npos ? '\t' : ' ';
}

TEST_F(Csv, MixedTableWithHeader) {
  const Table table = read_text("a.csv", "age,name,score\n31,Ann,1.5\n,Bob,-2e3\n40,?,NA\n");
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(table.info().description, "csv, delimiter ',', header");
  EXPECT_FALSE(table.info().target);
  ASSERT_EQ(table.names(), (Strings{"age", "name", "score"}));
  EXPECT_EQ(facts(table, 0).present, 2);
  EXPECT_EQ(facts(table, 0).numeric, 2);
  EXPECT_TRUE(facts(table, 0).whole);
  EXPECT_FALSE(facts(table, 0).declared);
  EXPECT_EQ(facts(table, 1).numeric, 0);
  EXPECT_EQ(distinct(table, 1), (Strings{"Ann", "Bob"}));
  EXPECT_EQ(facts(table, 1).stray->at.line, 2);
  EXPECT_EQ(facts(table, 1).stray->at.row, 0);
  EXPECT_EQ(facts(table, 1).stray->text, "Ann");
  EXPECT_FALSE(facts(table, 2).whole);
  EXPECT_FALSE(facts(table, 2).stray);

  ASSERT_EQ(table.columns(), 3);
  EXPECT_EQ(table.kind(0), ColumnKind::number);
  EXPECT_EQ(table.kind(1), ColumnKind::text);
  EXPECT_EQ(table.kind(2), ColumnKind::number);
  EXPECT_EQ(number_at(table, 0, 0), 31);
  EXPECT_TRUE(std::isnan(number_at(table, 1, 0)));
  EXPECT_EQ(number_at(table, 1, 2), -2000);
  EXPECT_EQ(text_at(table, 1, 1), "Bob");
  EXPECT_EQ(text_at(table, 2, 1), "<missing>");
}

TEST_F(Csv, EveryDelimiterIsFound) {
  for (const char delimiter : {',', ';', '\t', '|', ' '}) {
    std::string text = "x,y,kind\n1,2.5,red\n3,4.5,blue\n";
    std::ranges::replace(text, ',', delimiter);
    const Table table = read_text("d.csv", text);
    EXPECT_EQ(delimiter_of(table), delimiter);
    EXPECT_EQ(table.names(), (Strings{"x", "y", "kind"})) << delimiter;
    EXPECT_EQ(number_at(table, 1, 1), 4.5F) << delimiter;
    EXPECT_EQ(text_at(table, 1, 2), "blue") << delimiter;
  }
}

TEST_F(Csv, CommasInsideTextDoNotHideTheDelimiter) {
  const Table table = read_text("d.csv", "id;text\n1;one, two\n2;\"a, b, c\"\n");
  EXPECT_EQ(delimiter_of(table), ';');
  EXPECT_EQ(text_at(table, 1, 1), "a, b, c");
  EXPECT_EQ(delimiter_of(read_text("e.csv", "1 a,2\n3 b,4\n")), ',');
  EXPECT_EQ(delimiter_of(read_text("g.csv", "1,5;2,7\n3,25;4\n")), ';');
  EXPECT_EQ(delimiter_of(read_text("h.csv", "1,5;2,7;a\n3,25;4,0;b\n")), ';');
  EXPECT_FALSE(read_text("h.csv", "1,5;2,7;a\n3,25;4,0;b\n").info().has_names);
  EXPECT_EQ(delimiter_of(read_text("i.csv", "1,2;x\n3,4;y\n")), ';') << "as likely a decimal comma";
  EXPECT_EQ(delimiter_of(read_text("j.csv", "a,b\n1,2;x\n3,4;y\n")), ',');
  EXPECT_EQ(delimiter_of(read_text("f.csv", "\"a;b\",\"c;d\"\n\"1;2\",5\n")), ',');
}

TEST_F(Csv, RunsOfBlanksAreOneDelimiter) {
  const Table table = read_text("d.txt", "  1.0   2 \"a b\"\n\t3.0 \t 4 c\t\n");
  EXPECT_EQ(table.names(), (Strings{"column1", "column2", "column3"}));
  EXPECT_EQ(number_at(table, 1, 1), 4);
  EXPECT_EQ(text_at(table, 0, 2), "a b");
}

TEST_F(Csv, TabsKeepEmptyCells) {
  const Table table = read_text("d.tsv", "a\tb\tc\n\t\t\n1\t\t x \n\t2\t\n");
  ASSERT_EQ(table.rows(), 3);
  EXPECT_TRUE(std::isnan(number_at(table, 1, 1)));
  EXPECT_EQ(text_at(table, 1, 2), "x");
  EXPECT_EQ(text_at(table, 2, 2), "<missing>");
}

TEST_F(Csv, HeaderIsFound) {
  const auto has_header = [&](std::string_view text) { return read_text("h.csv", text).info().has_names; };
  EXPECT_TRUE(has_header("a,b\n1,2\n"));
  EXPECT_FALSE(has_header("5,b\n1,2\n"));
  EXPECT_FALSE(has_header("1,2\n3,4\n"));
  EXPECT_TRUE(has_header("name,colour\nann,red\nbob,blue\n"));
  // Values of the first row that come again are values, not names (a table such as mushroom).
  EXPECT_FALSE(has_header("p,x,s\ne,x,s\np,b,y\n"));
  EXPECT_FALSE(has_header("?,?\n1,2\n"));
  EXPECT_TRUE(has_header(",a\n1,2\n"));
  EXPECT_TRUE(has_header("x\n1\n2\n"));
  // One odd number in a column of texts does not make the texts above it a name.
  EXPECT_FALSE(has_header("low,u\nhigh,u\nlow,v\n5,v\n"));
}

TEST_F(Csv, ColumnsWithoutNamesGetNumbers) {
  EXPECT_EQ(read_text("h.csv", "1,2\n3,4\n").names(), (Strings{"column1", "column2"}));
  EXPECT_EQ(read_text("h.csv", ",b\n3,4\n").names(), (Strings{"column1", "b"}));
}

TEST_F(Csv, QuotesFollowRfc4180) {
  const Table table =
      read_text("q.csv",
                "id,text\r\n1,\"a \"\"b\"\" c\"\r\n2, \"x,y\" \r\n3,\"two\r\nlines\"\r\n4,\"\"\"\"\r\n5,5\" "
                "pipe\r\n6,\" padded \"\r\n7,\"\"\r\n");
  EXPECT_EQ(table.rows(), 7);
  EXPECT_EQ(text_at(table, 0, 1), "a \"b\" c");
  EXPECT_EQ(text_at(table, 1, 1), "x,y");
  EXPECT_EQ(text_at(table, 2, 1), "two\r\nlines");
  EXPECT_EQ(text_at(table, 3, 1), "\"");
  EXPECT_EQ(text_at(table, 4, 1), "5\" pipe");
  EXPECT_EQ(text_at(table, 5, 1), " padded ");
  EXPECT_EQ(text_at(table, 6, 1), "<missing>");
  EXPECT_EQ(number_at(table, 6, 0), 7);
}

TEST_F(Csv, QuotedNumbersAndNamesWork) {
  const Table table = read_text("q.csv", "\"a\",\"b c\"\n\"1\",\" 2.5\"\n");
  EXPECT_EQ(table.names(), (Strings{"a", "b c"}));
  EXPECT_EQ(number_at(table, 0, 1), 2.5F);
}

TEST_F(Csv, ByteOrderMarkLineEndsAndMissingFinalNewline) {
  const Table table = read_text("b.csv",
                                "\xEF\xBB\xBF"
                                "a,b\r\n\r\n1,2\r\n  \r\n3,4");
  EXPECT_EQ(table.names(), (Strings{"a", "b"}));
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(number_at(table, 1, 1), 4);
}

TEST_F(Csv, GzipIsUnpacked) {
  InputFile file(write_gz("z.csv.gz", "a,b\n1,x\n2,y\n"));
  const Table table = read_bytes({.stream = file, .name = file.path()});
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(text_at(table, 1, 1), "y");
}

TEST_F(Csv, HashIsNoComment) {
  EXPECT_EQ(read_text("c.csv", "a,b\n#1,2\n3,4\n").rows(), 2);
}

TEST_F(Csv, SkippedColumnsLeaveNoTrace) {
  const std::string text = "a,b,c\n1,x,3\n,y,6\n";
  for (const ReadHints& hints :
       {ReadHints{.skip = {"a"}}, ReadHints{.texts = {"b"}, .numbers = {"c"}, .skip_others = true}}) {
    const Table table = read_text("s.csv", text, hints);
    ASSERT_EQ(table.columns(), 3);
    EXPECT_EQ(table.column(0).storage, Column::Storage::none);
    EXPECT_EQ(table.column(0).cells.size(), 0);
    EXPECT_EQ(facts(table, 0).present, 1) << "but counted";
    EXPECT_EQ(text_at(table, 1, 1), "y");
    EXPECT_EQ(number_at(table, 1, 2), 6);
    expect_parts(number_error(table, {0}), {"s.csv", "\"a\"", "left out when the file was read"});
    expect_parts(message_of([&] { TextCells(table, 0); }), {"s.csv", "\"a\"", "when the file is read"});
  }
}

TEST_F(Csv, NumbersCanBeTakenAsText) {
  const Table table = read_text("s.csv", "a,b\n01,+1.0\n1,1e0\n");
  EXPECT_EQ(distinct(table, 0), (Strings{"01", "1"}));
  EXPECT_EQ(distinct(table, 1), (Strings{"+1.0", "1e0"}));
  EXPECT_EQ(text_at(table, 0, 0), "01");
  EXPECT_EQ(text_at(table, 1, 1), "1e0");
}

TEST_F(Csv, DistinctTextsAreBounded) {
  std::string text = "few,many\n";
  for (int i = 0; i < 3000; ++i) text += fmt::format("f{},m{}\n", i % 1000, i);
  const Table table = read_text("d.csv", text);
  EXPECT_EQ(distinct(table, 0).size(), 1000);
  EXPECT_EQ(facts(table, 0).distinct, 1000);
  EXPECT_FALSE(facts(table, 0).more_distinct);
  EXPECT_EQ(facts(table, 1).distinct, ColumnFacts::most_distinct);
  EXPECT_TRUE(facts(table, 1).more_distinct);
  EXPECT_EQ(facts(table, 1).present, 3000);
  EXPECT_EQ(distinct(table, 1).size(), ColumnFacts::most_distinct);
  EXPECT_EQ(TextCells(table, 1).size(), 3000) << "some of them may be frequent";
  text = "few,many\n";
  for (std::size_t i = 0; i <= ColumnFacts::most_kept_texts + 5; ++i) text += fmt::format("f,m{}\n", i);
  const Table more = read_text("d.csv", text);
  EXPECT_EQ(distinct(more, 1), (Strings{"m0"})) << "one for messages: so many texts are not kept,";
  EXPECT_EQ(facts(more, 1).present, ColumnFacts::most_kept_texts + 6);
  EXPECT_EQ(facts(more, 1).distinct, ColumnFacts::most_distinct);
  text = "few,many\n";
  for (int i = 0; i < 3000; ++i) text += fmt::format("f{},m{}\n", i % 1000, i);
  const Table told = read_text("d.csv", text, {.texts = {"many"}});
  EXPECT_EQ(distinct(told, 1).size(), ColumnFacts::most_distinct);
  EXPECT_TRUE(facts(told, 1).more_distinct);
  EXPECT_EQ(distinct(told, 1)[999], "m999");
  EXPECT_EQ(TextCells(told, 1).size(), 3000) << "unless that is asked for";
  EXPECT_EQ(text_at(told, 2999, 1), "m2999");
}

TEST_F(Csv, NumbersParseTheSameInEveryLocale) {
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr && std::setlocale(LC_ALL, "de_DE.utf8") == nullptr) {
    GTEST_SKIP() << "the locale de_DE is not installed";
  }
  const float value = number_at((read_text("l.csv", "a,b\n1.25,2\n3,4\n")), 0, 0);
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(value, 1.25F);
}

/// A decimal comma, for machines where no such locale is installed.
struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST_F(Csv, NumbersIgnoreTheGlobalStreamLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  const Table table = read_text("l.csv", "a,b\n1.25,2\n3,4\n");
  std::locale::global(before);
  EXPECT_EQ(number_at(table, 0, 0), 1.25F);
}

TEST_F(Csv, NonsenseNumbersAreText) {
  const Table table = read_text("n.csv", "a,b,c,d,e,f\n0x10,1e,--1,1 2,+-3,1.2.3\n");
  for (std::size_t i = 0; i < table.columns(); ++i) EXPECT_EQ(facts(table, i).numeric, 0) << table.names()[i];
  const Table q = read_text("n.csv", "a,b,c,d\n-nan,+.5,1e-999,-0\n");
  EXPECT_EQ(facts(q, 0).present, 0);
  EXPECT_EQ(number_at(q, 0, 1), 0.5F);
  EXPECT_EQ(number_at(q, 0, 2), 0);
}

TEST_F(Csv, TenMegabytesLoadWithTheRightValues) {
  std::string text = "id,whole,fraction,note\n";
  std::size_t rows = 0;
  for (; text.size() < 10'000'000; ++rows) {
    text += fmt::format("{},{},{:.4f},\"note {}\nsecond \"\"line\"\"\"\n", rows, rows % 977,
                        static_cast<double>(rows) / 16, rows % 50);
  }
  const Table table = read_text("big.csv", text);
  ASSERT_EQ(table.rows(), rows);
  EXPECT_EQ(distinct(table, 3).size(), 50);
  EXPECT_EQ(distinct(table, 1).size(), 977);
  for (std::size_t i = 0; i < rows; ++i) {
    ASSERT_EQ(number_at(table, i, 0), static_cast<float>(i));
    ASSERT_EQ(number_at(table, i, 1), static_cast<float>(i % 977));
    ASSERT_EQ(number_at(table, i, 2), static_cast<float>(i) / 16);
    ASSERT_EQ(text_at(table, i, 3), fmt::format("note {}\nsecond \"line\"", i % 50));
  }
}

TEST_F(Csv, CellsLongerThanTheBufferWork) {
  const std::string plain(1'000'000, 'x');
  std::string quoted_text = "\"";
  for (int i = 0; i < 300'000; ++i) quoted_text += "ab\"\"\n";
  const Table table = read_text("long.csv", "n,t\n1," + plain + "\n2," + quoted_text + "\"\n3,z\n");
  EXPECT_EQ(text_at(table, 0, 1), plain);
  EXPECT_EQ(text_at(table, 1, 1).size(), 300'000U * 4);
  EXPECT_EQ(text_at(table, 1, 1).substr(0, 8), "ab\"\nab\"\n");
  EXPECT_EQ(text_at(table, 2, 1), "z");
}

TEST_F(Csv, DecimalCommasOutweighCommasInNamesAndTexts) {
  const Table units = read_text("u.csv", "height, m;weight, kg;label\n-4,54;-7,50;no\n1,25;2,00;yes\n");
  EXPECT_EQ(delimiter_of(units), ';');
  EXPECT_EQ(units.names(), (std::vector<std::string>{"height, m", "weight, kg", "label"}));
  const Table people = read_text("p.csv", "Meier, Hans;0,26;5,08\nMay, Ann;1,75;2,25\nRot, Eva;3,5;4,5\n");
  EXPECT_EQ(delimiter_of(people), ';');
  EXPECT_FALSE(people.info().has_names);
  EXPECT_EQ(people.columns(), 3);
  EXPECT_EQ(delimiter_of(read_text("n.csv", "5,1;2,7\n6,1;3,7\n")), ';');
  EXPECT_EQ(delimiter_of(read_text("one.csv", "5,1;2,7\n")), ';');
  EXPECT_EQ(delimiter_of(read_text("t.csv", "a,b;c,d\nx,1;y,2\nz,3;w,4\n")), ',');
  EXPECT_EQ(delimiter_of(read_text("two.csv", "a, b;c\n1,5;2\n")), ';') << "those of names tell nothing";
  EXPECT_EQ(delimiter_of(read_text("half.csv", "a, b;c\n1,5;x\np,q;2\n")), ',');
}

TEST_F(Csv, ADelimiterStandsInHalfOfTheRecordsOrIsText) {
  const std::string some = "note\none\ntwo\na;b\nc;d\ne;f\ng;h\ni;j;k\nl;m;n\no;p;q\n";
  const Table notes = read_text("notes.csv", some);
  EXPECT_EQ(notes.columns(), 1);
  EXPECT_EQ(text_at(notes, 2, 0), "a;b");
  EXPECT_THAT(message_of([] { read_text("cut.csv", "1;2;3\n4\n"); }), HasSubstr("line 2"));
}

}  // namespace
}  // namespace coppice::test
