#include "tests/data/files.h"

#include <cmath>

namespace coppice::test {
namespace {

TEST(Arff, DenseRows) {
  const Table table = read_text(
      "a.arff",
      "% a comment\r\n@RELATION 'my data'\r\n\r\n@attribute width REAL\r\n@Attribute 'the colour' {red, "
      "'light blue',\"it's\"}\r\n@attribute note string\n@attribute n integer\n@data\n"
      "% another\n1.5,red,'a, \\'b\\'',3\n?, 'light blue' ,plain text,?\n2, \"it's\",'',-1");
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(table.names(), (Strings{"width", "the colour", "note", "n"}));
  EXPECT_EQ(table.info().target, "n");
  EXPECT_EQ(facts(table, 0).declared, ColumnKind::number);
  EXPECT_EQ(facts(table, 1).declared, ColumnKind::text);
  EXPECT_EQ(facts(table, 1).declared_values, (Strings{"red", "light blue", "it's"}));
  EXPECT_EQ(facts(table, 2).declared, ColumnKind::text);
  EXPECT_EQ(facts(table, 0).present, 2);
  EXPECT_EQ(number_at(table, 0, 0), 1.5F);
  EXPECT_TRUE(std::isnan(number_at(table, 1, 0)));
  EXPECT_EQ(text_at(table, 1, 1), "light blue");
  EXPECT_EQ(text_at(table, 2, 1), "it's");
  EXPECT_EQ(text_at(table, 0, 2), "a, 'b'");
  EXPECT_EQ(text_at(table, 1, 2), "plain text");
  EXPECT_EQ(text_at(table, 2, 2), "<missing>");
  EXPECT_EQ(number_at(table, 2, 3), -1);
}

TEST(Arff, ClassIsTheTarget) {
  EXPECT_EQ(read_text("a.arff", "@relation r\n@attribute Class {a,b}\n@attribute x real\n@data\na,1\n")
                .info()
                .target,
            "Class");
}

TEST(Arff, SparseRows) {
  const Table table =
      read_text("s.arff",
                "@relation r\n@attribute a numeric\n@attribute k {no,yes}\n@attribute b numeric\n"
                "@attribute t string\n@data\n{0 1.5, 1 yes}\n{ }\n{2 4 ,3 'x y'}\n{1 ?}\n7,yes,8,z\n");
  EXPECT_EQ(table.rows(), 5);
  EXPECT_EQ(distinct(table, 0), (Strings{"1.5", "0", "7"}));
  EXPECT_EQ(distinct(table, 1), (Strings{"yes", "no"}));
  EXPECT_EQ(facts(table, 1).present, 4);
  EXPECT_EQ(facts(table, 3).present, 2);
  EXPECT_EQ(number_at(table, 0, 0), 1.5F);
  EXPECT_EQ(number_at(table, 1, 0), 0);
  EXPECT_EQ(text_at(table, 0, 1), "yes");
  EXPECT_EQ(text_at(table, 1, 1), "no");
  EXPECT_EQ(text_at(table, 3, 1), "<missing>");
  EXPECT_EQ(number_at(table, 2, 2), 4);
  EXPECT_EQ(text_at(table, 2, 3), "x y");
  EXPECT_EQ(text_at(table, 1, 3), "<missing>");
  EXPECT_EQ(number_at(table, 4, 2), 8);
}

TEST(Arff, AbsentNominalTakenAsNumberIsItsFirstValue) {
  const Table table =
      read_text("s.arff", "@relation r\n@attribute k {3,5}\n@attribute b numeric\n@data\n{1 1}\n{0 5}\n");
  EXPECT_EQ(number_at(table, 0, 0), 3);
  EXPECT_EQ(number_at(table, 1, 0), 5);
}

TEST(Arff, DeclaredValuesMayLookMissing) {
  const Table table = read_text("n.arff", "@relation r\n@attribute k {NA,EU}\n@data\nNA\nEU\n?\n");
  EXPECT_EQ(facts(table, 0).present, 2);
  EXPECT_EQ(text_at(table, 0, 0), "NA");
  EXPECT_EQ(text_at(table, 2, 0), "<missing>");
}

TEST(Arff, TextsMayLookLikeHugeNumbers) {
  const Table table =
      read_text("t.arff", "@relation r\n@attribute id string\n@attribute x real\n@data\n12e456,1\n");
  EXPECT_EQ(text_at(table, 0, 0), "12e456");
}

TEST(Arff, BadFilesAreNamed) {
  const auto message = [&](const std::string& text) {
    return message_of(
        [&] { read_text("bad.arff", "@relation r\n@attribute x real\n@attribute k {a,b}\n" + text); });
  };
  expect_parts(message("@data\n1,a\n2,c\n"),
               {"bad.arff", "line 6", "column 2", "\"k\"", "\"c\"", "declared", "a, b"});
  expect_parts(message("@data\nten,a\n"), {"line 5", "column 1", "\"x\"", "\"ten\"", "not a number"});
  expect_parts(message("@data\n1,a\n1\n"),
               {"line 6", "expected 2", "found 1", "each attribute", "commas between"});
  expect_parts(message("@data\n1;a\n"), {"line 5", "expected 2", "found 1", "commas between"});
  expect_parts(message("@data\n0,5,a\n"), {"line 5", "expected 2", "found 3", "decimal point"});
  expect_parts(message("@data\n'0,5',a\n"), {"line 5", "column 1", "\"0,5\"", "decimal comma"});
  expect_parts(message("@data\n1,a,b,c\n"), {"line 5", "expected 2", "found 4"});
  expect_parts(message("@data\n{2 1}\n"), {"line 5", "\"2\"", "index"});
  expect_parts(message("@data\n{x 1}\n"), {"line 5", "\"x\"", "index"});
  expect_parts(message("@data\n{0x 1}\n"), {"line 5", "\"0x\"", "index"});
  expect_parts(message("@data\n{1 a, 0 1}\n"), {"line 5", "ascending"});
  expect_parts(message("@data\n{0}\n"), {"line 5", "without a value"});
  expect_parts(message("@data\n{0 1\n"), {"line 5: the sparse row does not end with '}'"});
  expect_parts(message("@data\n1,'a\n"), {"line 5", "never closed"});
  expect_parts(message("@data\n1,'a'b\n"), {"line 5, character 6", "after the closing quote"});
  expect_parts(message("@data\n1e999,a\n"), {"line 5", "column 1", "1e999", "infinite"});
  expect_parts(message("@attribute d date 'yyyy'\n@data\n"), {"line 4", "\"d\"", "date"});
  expect_parts(message("@attribute d blob\n@data\n"), {"line 4", "\"d\"", "blob"});
  expect_parts(message("@attribute x real\n@data\n"), {"line 4", "\"x\"", "already"});
  expect_parts(message("@attribute d {a,b\n@data\n"), {"line 4", "\"d\"", "'}'"});
  expect_parts(message("@data\n"), {"bad.arff", "no row of data"});
  expect_parts(message(""), {"bad.arff", "without @data"});
  expect_parts(message("1,a\n"), {"line 4", "\"1,a\"", "@data"});
}

}  // namespace
}  // namespace coppice::test
