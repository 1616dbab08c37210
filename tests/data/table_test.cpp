#include "coppice/data/table.h"

#include "coppice/core/matrix.h"
#include "coppice/data/encoding.h"

#include "tests/data/files.h"

#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>
#include <limits>
#include <list>
#include <span>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Number>
void expect_numbers(const std::vector<Number>& values) {
  Table table;
  table.add_numbers("n", values);
  table.add_numbers("again", std::span<const Number>(values));
  table.add_numbers("list", std::list<Number>(values.begin(), values.end()));
  ASSERT_EQ(table.rows(), values.size());
  for (std::size_t column = 0; column < 3; ++column) {
    EXPECT_EQ(table.kind(column), ColumnKind::number);
    for (std::size_t row = 0; row < values.size(); ++row)
      EXPECT_EQ(number_at(table, row, column), static_cast<float>(values[row]));
  }
}

TEST(Table, TakesNumbersOfEveryType) {
  expect_numbers<float>({1, -2.5F, 0});
  expect_numbers<double>({1, -2.5, 1e30});
  expect_numbers<std::int8_t>({-128, 127});
  expect_numbers<std::uint8_t>({0, 255});
  expect_numbers<std::int16_t>({-3, 3});
  expect_numbers<std::uint16_t>({0, 65535});
  expect_numbers<std::int32_t>({-70000, 70000});
  expect_numbers<std::uint32_t>({0, 4'000'000'000});
  expect_numbers<std::int64_t>({-5'000'000'000, 5'000'000'000});
  expect_numbers<std::uint64_t>({0, 1ULL << 63U});
  expect_numbers<long long>({-1, 1});
  const bool flags[] = {true, false};
  Table table;
  table.add_numbers("b", std::span(flags));
  table.add_numbers("v", std::vector<bool>{false, true});
  EXPECT_EQ(table.text("b", 0), "1");
  EXPECT_EQ(table.text("v", 0), "0");
}

TEST(Table, NanAndMarkedCellsAreMissing) {
  Table table;
  table.add_numbers("double", std::vector<double>{1, nan, 3, 4},
                    std::vector<bool>{false, false, true, false});
  table.add_numbers("float", std::vector<float>{1, std::nanf(""), 3, 4},
                    std::vector<std::uint8_t>{0, 0, 1, 0});
  table.add_numbers("int", std::vector<int>{1, 2, 3, 4}, std::vector<bool>{false, true, true, false});
  table.add_texts("text", Strings{"a", "NA", "b", "c"}, std::vector<bool>{false, false, true, false});
  const bool marked[] = {false, true, true, false};
  table.add_texts("view", std::vector<std::string_view>{"a", "b", "c", "d"}, std::span(marked));
  for (std::size_t column = 0; column < table.columns(); ++column) {
    EXPECT_EQ(facts(table, column).present, 2U) << table.names()[column];
    ASSERT_TRUE(facts(table, column).missing);
    EXPECT_EQ(facts(table, column).missing->at.row, 1U);
    EXPECT_EQ(table.text(table.names()[column], 2), "");
    EXPECT_NE(table.text(table.names()[column], 3), "");
  }
  for (std::size_t column = 0; column < 3; ++column) EXPECT_TRUE(std::isnan(number_at(table, 1, column)));
}

TEST(Table, ManyNumbersMayHaveGaps) {
  std::vector<double> values;
  for (std::size_t row = 0; row < 3 * ColumnFacts::most_distinct; ++row)
    values.push_back(row % 7 == 3 ? nan : 0.5 * static_cast<double>(row));
  Table table;
  table.add_numbers("n", values);
  const Column& column = table.column(0);
  ASSERT_EQ(column.storage, Column::Storage::floats);
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (row % 7 == 3) {
      EXPECT_TRUE(std::isnan(number_at(table, row, 0))) << row;
    } else {
      EXPECT_EQ(number_at(table, row, 0), static_cast<float>(values[row])) << row;
    }
  }
}

TEST(Table, TextsKeepTheirSpellingsHoweverMany) {
  Strings texts;
  for (int i = 0; i < 3000; ++i) texts.push_back(fmt::format("{:05}", i));
  Table table;
  table.add_texts("zip", texts);
  EXPECT_EQ(table.kind(0), ColumnKind::text) << "numbers given as texts are texts";
  EXPECT_EQ(text_at(table, 2999, 0), "02999");
  EXPECT_EQ(TextCells(table, 0).size(), 3000U);
  table.add_texts("latin", Strings(3000, "gr\xFCn"));
  EXPECT_EQ(table.text("latin", 5), "grün");
}

TEST(Table, CodesAreTextsInTheOrderOfTheirFirstRows) {
  Table table;
  table.add_codes("size", std::vector<std::int32_t>{2, -1, 0, 2, 3}, {"small", "middle", "large", "NA"});
  EXPECT_EQ(table.kind(0), ColumnKind::text);
  EXPECT_EQ(distinct(table, 0), (Strings{"large", "small", "NA"}));
  EXPECT_EQ(text_at(table, 1, 0), "<missing>");
  EXPECT_EQ(text_at(table, 4, 0), "NA") << "a category is itself whatever it is called";
  EXPECT_EQ(facts(table, 0).present, 4U);
  EXPECT_EQ(facts(table, 0).declared_values, (Strings{"small", "middle", "large", "NA"}));
}

TEST(Table, ClassesFromCodesKeepTheOrderOfTheCategories) {
  Table table;
  table.add_numbers("x", std::vector<int>{1, 2, 3, 4});
  table.add_codes("y", std::vector<std::int32_t>{1, 0, 2, 0}, {"small", "large", "huge"});
  std::vector<std::string> said;
  const TrainingPlan plan = plan_training(table, {}, said, said);
  const std::vector<std::uint32_t> rows{0, 1, 2, 3};
  EXPECT_THAT(fit_encoding(table, plan, {}, rows, said, said).target.classes,
              ElementsAre("small", "large", "huge"));
}

TEST(Table, BorrowsAMatrix) {
  Matrix<float> values(5, 3);
  for (std::size_t r = 0; r < 5; ++r)
    for (std::size_t c = 0; c < 3; ++c) values(r, c) = static_cast<float>(10 * r + c);
  values(3, 1) = std::nanf("");
  ASSERT_NE(values.stride(), 3U);
  Table table = Table::matrix(values);
  EXPECT_EQ(table.names(), (Strings{"column1", "column2", "column3"}));
  EXPECT_EQ(table.rows(), 5U);
  EXPECT_EQ(number_at(table, 4, 2), 42);
  EXPECT_EQ(facts(table, 1).present, 4U);
  EXPECT_EQ(facts(table, 1).missing->at.row, 3U);
  EXPECT_EQ(table.text("column2", 3), "");
  EXPECT_EQ(&table.column(1).first[2 * table.column(1).stride], &values(2, 1)) << "it is not copied";
  const std::vector<std::uint8_t> labels{0, 1, 0, 1, 1};
  table.add_numbers("label", labels);
  EXPECT_EQ(table.columns(), 4U);
  EXPECT_EQ(text_at(table, 4, 2), "42");
  EXPECT_EQ(Table::matrix(values, {"a", "b", "c"}).names(), (Strings{"a", "b", "c"}));
  EXPECT_EQ(Table::matrix(View<const float>{}).columns(), 0U);
}

TEST(Table, CopiesAreIndependentOfWhatIsAddedLater) {
  Table first;
  first.add_numbers("a", std::vector<int>{1, 2});
  Table second = first;
  second.add_numbers("b", std::vector<int>{3, 4});
  first.add_numbers("c", std::vector<int>{5, 6});
  EXPECT_EQ(first.names(), (Strings{"a", "c"}));
  EXPECT_EQ(second.names(), (Strings{"a", "b"}));
  EXPECT_FALSE(first.find("b"));
  const Table third = std::move(second);
  first = Table();
  EXPECT_EQ(third.find("b"), 1U);
  EXPECT_EQ(number_at(third, 1, 0), 2);
  EXPECT_EQ(first.columns(), 0U);
}

TEST(Table, LongColumnsLieInChunks) {
  for (const std::size_t rows : {4095U, 4096U, 4097U, 10'000U}) {
    std::vector<float> values(rows);
    std::vector<int> few(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      values[i] = static_cast<float>(i);
      few[i] = static_cast<int>(i % 7);
    }
    Table table;
    table.add_numbers("f", values);
    table.add_numbers("i", few);
    std::vector<float> out(rows);
    table.column(0).numbers(0, out);
    EXPECT_EQ(out, values);
    std::vector<float> part(100);
    table.column(1).numbers(rows - 200, part);
    for (std::size_t i = 0; i < part.size(); ++i)
      ASSERT_EQ(part[i], static_cast<float>((rows - 200 + i) % 7));
  }
}

TEST(Table, FewNumbersKeepAllDigitsManyAreFloat32) {
  Table table;
  table.add_numbers("whole", std::vector<std::int64_t>{16'777'217, 16'777'216, 16'777'217});
  table.add_numbers("double", std::vector<double>{0.1, 1.0 / 3, -0.0});
  table.add_numbers("float", std::vector<float>{0.1F, 1.0F / 3, 1e20F});
  EXPECT_EQ(distinct(table, 0), (Strings{"16777217", "16777216"}));
  EXPECT_EQ(distinct(table, 1), (Strings{"0.1", "0.3333333333333333", "0"}));
  EXPECT_EQ(distinct(table, 2), (Strings{"0.1", "0.33333334", "1e+20"}));
  std::vector<double> many;
  for (int i = 0; i < 1500; ++i) many.push_back(i / 8.0);
  Table other;
  other.add_numbers("many", many, std::vector<bool>(1500));
  other.add_numbers("exact", std::vector<float>(many.begin(), many.end()));
  EXPECT_TRUE(facts(other, 0).more_distinct);
  EXPECT_EQ(number_at(other, 1499, 0), 1499 / 8.0F);
  EXPECT_EQ(other.column(0).storage, Column::Storage::floats);
  EXPECT_THAT(message_of([&] { TextCells(other, 0); }),
              AllOf(HasSubstr("\"many\""), HasSubstr("add it as texts")));
  EXPECT_EQ(TextCells(other, 1).size(), 1500U);
  EXPECT_TRUE(distinct_texts(other, 1).more);
  EXPECT_EQ(distinct_texts(other, 1).count, 1000U);
}

class TableErrors : public ::testing::Test {
 protected:
  TableErrors() {
    table_.set_name("people");
    table_.add_numbers("age", std::vector<int>{1, 2, 3});
  }
  /// What the table says; it must stay as it was.
  template <class Action>
  Error error_of(Action action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(table_.columns(), 1U);
      EXPECT_EQ(error.kind(), ErrorKind::bad_input);
      return error;
    }
    ADD_FAILURE() << "no Error was thrown";
    return Error("");
  }
  Table table_;
};

TEST_F(TableErrors, NamesAndLengths) {
  const std::vector<int> three{1, 2, 3};
  EXPECT_THAT(error_of([&] { table_.add_numbers("", three); }).what(),
              HasSubstr("people: column 2 has no name"));
  EXPECT_THAT(error_of([&] { table_.add_numbers("age", three); }).what(),
              AllOf(HasSubstr("people"), HasSubstr("\"age\" already")));
  const Error length = error_of([&] { table_.add_texts("city", Strings{"x", "y"}); });
  EXPECT_THAT(length.what(), AllOf(HasSubstr("\"city\" has 2 rows"), HasSubstr("have 3")));
  EXPECT_EQ(length.place().column, "city");
  EXPECT_THAT(error_of([&] { table_.add_numbers("b", three, std::vector<bool>{true}); }).what(),
              AllOf(HasSubstr("\"b\" has 3 rows"), HasSubstr("1 flags")));
  EXPECT_THAT(error_of([&] { table_.set_image(1, 2); }).what(), HasSubstr("1 x 2 pixels"));
  EXPECT_THAT(error_of([&] { table_.text("age", 3); }).what(), HasSubstr("no row 4"));
  const Matrix<float> values(2, 2);
  EXPECT_THAT(message_of([&] { Table::matrix(values, {"a"}); }), HasSubstr("1 names for 2 columns"));
  EXPECT_THAT(message_of([&] { Table::matrix(values, {"a", "a"}); }), HasSubstr("\"a\" already"));
}

TEST_F(TableErrors, NumbersBeyondFloat32NameTheirPlace) {
  const auto expect = [&](const Error& error, const std::string& value) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("people: row 2, column 2 (\"b\"): \"" + value + "\""),
                                    HasSubstr("infinite or too large")));
    EXPECT_EQ(error.place().column, "b");
    EXPECT_EQ(error.place().row, 1U);
  };
  expect(error_of([&] { table_.add_numbers("b", std::vector<double>{1, infinity, 3}); }), "inf");
  expect(error_of([&] { table_.add_numbers("b", std::vector<double>{1, -1e39, 3}); }), "-1e+39");
  expect(error_of([&] {
           table_.add_numbers("b", std::vector<float>{1, static_cast<float>(-infinity), 3});
         }),
         "-inf");
  std::vector<double> many;
  for (int i = 0; i < 1200; ++i) many.push_back(i);
  many.push_back(1e300);
  Table other;
  EXPECT_THAT(message_of([&] { other.add_numbers("b", many); }),
              AllOf(HasSubstr("the table: row 1201"), HasSubstr("1e+300")));
  Matrix<float> values(2, 2);
  values(1, 1) = static_cast<float>(infinity);
  EXPECT_THAT(message_of([&] { Table::matrix(values); }), HasSubstr("row 2, column 2 (\"column2\")"));
}

TEST_F(TableErrors, CodesWithoutACategory) {
  const std::vector<std::int32_t> codes{0, 1, 2};
  const Error beyond = error_of([&] { table_.add_codes("c", codes, {"a", "b"}); });
  EXPECT_THAT(beyond.what(), AllOf(HasSubstr("people: row 3, column 2 (\"c\")"), HasSubstr("code 2")));
  EXPECT_EQ(beyond.place().row, 2U);
  EXPECT_THAT(error_of([&] {
                table_.add_codes("c", codes, {"a", "b", "a"});
              }).what(),
              HasSubstr("\"a\" twice"));
}

TEST(Table, RowsAreNamedInsteadOfLines) {
  Table table;
  table.add_numbers("x", std::vector<int>{1, 2, 3, 4});
  table.add_texts("y", Strings{"a", "b", "?", "a"});
  std::vector<std::string> said;
  EXPECT_THAT(message_of([&] { plan_training(table, {}, said, said); }),
              HasSubstr("the table: row 3, column 2 (\"y\"): the target is missing"));
  EncodingOptions options;
  options.target = "z";
  try {
    plan_training(table, options, said, said);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_EQ(error.place().option, "target");
    EXPECT_THAT(error.what(), HasSubstr("the table: `target` names the column \"z\""));
  }
}

TEST(Table, TextsAndNumbersStayWhatTheyWereGivenAs) {
  Table table;
  table.add_texts("digits", Strings{"1", "2", "1", "2", "1", "2"});
  table.add_texts("slips", Strings{"1", "2", "3", "4", "5", "oops"});
  table.add_texts("y", Strings{"1.5", "2.5", "1.5", "2.5", "3.5", "2.5"});
  std::vector<std::string> said;
  const TrainingPlan plan = plan_training(table, {}, said, said);
  EXPECT_THAT(plan.uses, ElementsAre(ColumnUse::text, ColumnUse::text, ColumnUse::text));
  EXPECT_EQ(plan.task, Task::classification);
  EncodingOptions options;
  options.task = Task::regression;
  EXPECT_EQ(plan_training(table, options, said, said).uses[2], ColumnUse::number);
}

TEST(Table, ImagesAreScaledAlike) {
  Matrix<float> pixels(6, 4);
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t c = 1; c < 4; ++c) pixels(r, c) = static_cast<float>(r * c % 5);
  EXPECT_TRUE(Table::matrix(pixels, {"a", "b", "c", "d"}).info().has_names);
  Table table = Table::matrix(pixels);
  EXPECT_FALSE(table.info().has_names);
  table.set_image(2, 2);
  ASSERT_TRUE(table.info().image.has_value());
  EXPECT_EQ(table.info().image->rows, 2U);
  EXPECT_EQ(table.info().image->cols, 2U);
  table.add_numbers("label", std::vector<int>{0, 10, 20, 30, 0, 10});
  std::vector<std::string> said;
  const TrainingPlan plan = plan_training(table, {}, said, said);
  EXPECT_EQ(plan.task, Task::classification) << "labels of images are classes";
  const std::vector<std::uint32_t> rows{0, 1, 2, 3, 4, 5};
  const Encoding encoding = fit_encoding(table, plan, {}, rows, said, said);
  EXPECT_EQ(encoding.format, Format::idx);
  EXPECT_EQ(encoding.scaling, Scaling::global);
  EXPECT_EQ(encoding.columns.size(), 4U) << "the dark corner stays";
}

}  // namespace
}  // namespace coppice::test
