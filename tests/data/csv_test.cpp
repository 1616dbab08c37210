#include "tests/data/files.h"

#include <clocale>
#include <cmath>
#include <locale>

namespace coppice::test {
namespace {

using Csv = Files;
using Strings = std::vector<std::string>;

TEST_F(Csv, MixedTableWithHeader) {
  const auto p = profile("a.csv", "age,name,score\n31,Ann,1.5\n,Bob,-2e3\n40,?,NA\n");
  EXPECT_EQ(p.rows, 3);
  EXPECT_EQ(p.description, "csv, delimiter ',', header");
  EXPECT_FALSE(p.target);
  ASSERT_EQ(names(p), (Strings{"age", "name", "score"}));
  EXPECT_EQ(p.columns[0].present, 2);
  EXPECT_EQ(p.columns[0].numeric, 2);
  EXPECT_TRUE(p.columns[0].whole);
  EXPECT_FALSE(p.columns[0].declared);
  EXPECT_EQ(p.columns[1].numeric, 0);
  EXPECT_EQ(p.columns[1].distinct, (Strings{"Ann", "Bob"}));
  EXPECT_EQ(p.columns[1].stray_line, 2);
  EXPECT_EQ(p.columns[1].stray_value, "Ann");
  EXPECT_FALSE(p.columns[2].whole);
  EXPECT_EQ(p.columns[2].stray_line, 0);

  const Table table = load(p);
  EXPECT_EQ(table.rows, 3);
  ASSERT_EQ(table.columns.size(), 3);
  EXPECT_EQ(table.numbers.cols(), 2);
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
    const auto p = profile("d.csv", text);
    EXPECT_EQ(p.delimiter, delimiter);
    EXPECT_EQ(names(p), (Strings{"x", "y", "kind"})) << delimiter;
    const Table table = load(p);
    EXPECT_EQ(number_at(table, 1, 1), 4.5F) << delimiter;
    EXPECT_EQ(text_at(table, 1, 2), "blue") << delimiter;
  }
}

TEST_F(Csv, CommasInsideTextDoNotHideTheDelimiter) {
  const auto p = profile("d.csv", "id;text\n1;one, two\n2;\"a, b, c\"\n");
  EXPECT_EQ(p.delimiter, ';');
  EXPECT_EQ(text_at(load(p), 1, 1), "a, b, c");
  EXPECT_EQ(profile("e.csv", "1 a,2\n3 b,4\n").delimiter, ',');
  EXPECT_EQ(profile("g.csv", "1,5;2,7\n3,25;4\n").delimiter, ';');
  EXPECT_EQ(profile("h.csv", "1,5;2,7;a\n3,25;4,0;b\n").delimiter, ';');
  EXPECT_FALSE(profile("h.csv", "1,5;2,7;a\n3,25;4,0;b\n").header);
  EXPECT_EQ(profile("i.csv", "1,2;x\n3,4;y\n").delimiter, ';') << "as likely a decimal comma";
  EXPECT_EQ(profile("j.csv", "a,b\n1,2;x\n3,4;y\n").delimiter, ',');
  EXPECT_EQ(profile("f.csv", "\"a;b\",\"c;d\"\n\"1;2\",5\n").delimiter, ',');
}

TEST_F(Csv, RunsOfBlanksAreOneDelimiter) {
  const auto p = profile("d.txt", "  1.0   2 \"a b\"\n\t3.0 \t 4 c\t\n");
  EXPECT_EQ(names(p), (Strings{"column1", "column2", "column3"}));
  const Table table = load(p);
  EXPECT_EQ(number_at(table, 1, 1), 4);
  EXPECT_EQ(text_at(table, 0, 2), "a b");
}

TEST_F(Csv, TabsKeepEmptyCells) {
  const Table table = load(profile("d.tsv", "a\tb\tc\n\t\t\n1\t\t x \n\t2\t\n"));
  ASSERT_EQ(table.rows, 3);
  EXPECT_TRUE(std::isnan(number_at(table, 1, 1)));
  EXPECT_EQ(text_at(table, 1, 2), "x");
  EXPECT_EQ(text_at(table, 2, 2), "<missing>");
}

TEST_F(Csv, HeaderIsFound) {
  const auto has_header = [&](std::string_view text) { return profile("h.csv", text).header; };
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
  EXPECT_EQ(names(profile("h.csv", "1,2\n3,4\n")), (Strings{"column1", "column2"}));
  EXPECT_EQ(names(profile("h.csv", ",b\n3,4\n")), (Strings{"column1", "b"}));
}

TEST_F(Csv, QuotesFollowRfc4180) {
  const auto p =
      profile("q.csv",
              "id,text\r\n1,\"a \"\"b\"\" c\"\r\n2, \"x,y\" \r\n3,\"two\r\nlines\"\r\n4,\"\"\"\"\r\n5,5\" "
              "pipe\r\n6,\" padded \"\r\n7,\"\"\r\n");
  EXPECT_EQ(p.rows, 7);
  const Table table = load(p);
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
  const auto p = profile("q.csv", "\"a\",\"b c\"\n\"1\",\" 2.5\"\n");
  EXPECT_EQ(names(p), (Strings{"a", "b c"}));
  EXPECT_EQ(number_at(load(p), 0, 1), 2.5F);
}

TEST_F(Csv, ByteOrderMarkLineEndsAndMissingFinalNewline) {
  const auto p = profile("b.csv",
                         "\xEF\xBB\xBF"
                         "a,b\r\n\r\n1,2\r\n  \r\n3,4");
  EXPECT_EQ(names(p), (Strings{"a", "b"}));
  EXPECT_EQ(p.rows, 2);
  EXPECT_EQ(number_at(load(p), 1, 1), 4);
}

TEST_F(Csv, GzipIsUnpacked) {
  const auto p = profile_table(find_source(write_gz("z.csv.gz", "a,b\n1,x\n2,y\n")));
  EXPECT_EQ(p.rows, 2);
  EXPECT_EQ(text_at(load(p), 1, 1), "y");
}

TEST_F(Csv, HashIsNoComment) {
  EXPECT_EQ(profile("c.csv", "a,b\n#1,2\n3,4\n").rows, 2);
}

TEST_F(Csv, SkippedColumnsLeaveNoTrace) {
  const auto p = profile("s.csv", "a,b,c\n1,x,3\n4,y,6\n");
  const Table table = load_table(p, {{ColumnUse::skip, ColumnUse::text, ColumnUse::number}, {}});
  ASSERT_EQ(table.columns.size(), 2);
  EXPECT_EQ(table.columns[0].name, "b");
  EXPECT_EQ(table.columns[1].index, 0);
  EXPECT_EQ(table.numbers.cols(), 1);
  EXPECT_EQ(table.numbers(1, 0), 6);
}

TEST_F(Csv, NumbersCanBeTakenAsText) {
  const auto p = profile("s.csv", "a,b\n01,+1.0\n1,1e0\n");
  const Table table = load_table(p, {{ColumnUse::text, ColumnUse::text}, {true, true}});
  EXPECT_EQ(table.columns[0].values, (Strings{"01", "1"}));
  EXPECT_EQ(table.columns[1].values, (Strings{"+1.0", "1e0"}));
}

TEST_F(Csv, DistinctTextsAreBounded) {
  std::string text = "few,many\n";
  for (int i = 0; i < 3000; ++i) text += fmt::format("f{},m{}\n", i % 1000, i);
  const auto p = profile("d.csv", text);
  EXPECT_EQ(p.columns[0].distinct.size(), 1000);
  EXPECT_FALSE(p.columns[0].more_distinct);
  EXPECT_EQ(p.columns[1].distinct.size(), ColumnProfile::most_distinct);
  EXPECT_TRUE(p.columns[1].more_distinct);
  EXPECT_EQ(p.columns[1].distinct[999], "m999");
  EXPECT_EQ(load(p).columns[1].values.size(), 3000);
}

TEST_F(Csv, NumbersParseTheSameInEveryLocale) {
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr && std::setlocale(LC_ALL, "de_DE.utf8") == nullptr) {
    GTEST_SKIP() << "the locale de_DE is not installed";
  }
  const float value = number_at(load(profile("l.csv", "a,b\n1.25,2\n3,4\n")), 0, 0);
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(value, 1.25F);
}

/// A decimal comma, for machines where no such locale is installed.
struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST_F(Csv, NumbersIgnoreTheGlobalStreamLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  const Table table = load(profile("l.csv", "a,b\n1.25,2\n3,4\n"));
  std::locale::global(before);
  EXPECT_EQ(number_at(table, 0, 0), 1.25F);
}

TEST_F(Csv, NonsenseNumbersAreText) {
  const auto p = profile("n.csv", "a,b,c,d,e,f\n0x10,1e,--1,1 2,+-3,1.2.3\n");
  for (const auto& column : p.columns) EXPECT_EQ(column.numeric, 0) << column.name;
  const auto q = profile("n.csv", "a,b,c,d\n-nan,+.5,1e-999,-0\n");
  EXPECT_EQ(q.columns[0].present, 0);
  EXPECT_EQ(number_at(load(q), 0, 1), 0.5F);
  EXPECT_EQ(number_at(load(q), 0, 2), 0);
}

TEST_F(Csv, TenMegabytesLoadWithTheRightValues) {
  std::string text = "id,whole,fraction,note\n";
  std::size_t rows = 0;
  for (; text.size() < 10'000'000; ++rows) {
    text += fmt::format("{},{},{:.4f},\"note {}\nsecond \"\"line\"\"\"\n", rows, rows % 977,
                        static_cast<double>(rows) / 16, rows % 50);
  }
  const auto p = profile("big.csv", text);
  ASSERT_EQ(p.rows, rows);
  EXPECT_EQ(p.columns[3].distinct.size(), 50);
  EXPECT_EQ(p.columns[1].distinct.size(), 977);
  const Table table = load(p);
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
  const Table table = load(profile("long.csv", "n,t\n1," + plain + "\n2," + quoted_text + "\"\n3,z\n"));
  EXPECT_EQ(text_at(table, 0, 1), plain);
  EXPECT_EQ(text_at(table, 1, 1).size(), 300'000U * 4);
  EXPECT_EQ(text_at(table, 1, 1).substr(0, 8), "ab\"\nab\"\n");
  EXPECT_EQ(text_at(table, 2, 1), "z");
}

TEST_F(Csv, DecimalCommasOutweighCommasInNamesAndTexts) {
  const auto units = profile("u.csv", "height, m;weight, kg;label\n-4,54;-7,50;no\n1,25;2,00;yes\n");
  EXPECT_EQ(units.delimiter, ';');
  EXPECT_EQ(names(units), (std::vector<std::string>{"height, m", "weight, kg", "label"}));
  const auto people = profile("p.csv", "Meier, Hans;0,26;5,08\nMay, Ann;1,75;2,25\nRot, Eva;3,5;4,5\n");
  EXPECT_EQ(people.delimiter, ';');
  EXPECT_FALSE(people.header);
  EXPECT_EQ(people.columns.size(), 3);
  EXPECT_EQ(profile("n.csv", "5,1;2,7\n6,1;3,7\n").delimiter, ';');
  EXPECT_EQ(profile("one.csv", "5,1;2,7\n").delimiter, ';');
  EXPECT_EQ(profile("t.csv", "a,b;c,d\nx,1;y,2\nz,3;w,4\n").delimiter, ',');
}

}  // namespace
}  // namespace coppice::test
