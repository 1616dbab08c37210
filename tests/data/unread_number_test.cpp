#include "coppice/data/unread_number.h"

#include "coppice/data/encoding.h"

#include "tests/data/files.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(UnreadNumber, IsToldFromOtherTexts) {
  for (const char* text : {"1,5", "-0,25", "+3,0", " 2,75 ", "1,5e-3", "1.234,56", "1.234.567,8", "1'234,5",
                           ",283", "30,", "1234,567"})
    EXPECT_EQ(unread_format(text), "a decimal comma") << text;
  for (const char* text : {"49,655,541", "297,006.42", "29.517.160", "6'610", "-1\u2019234.5"})
    EXPECT_EQ(unread_format(text), "separated thousands") << text;
  for (const char* text : {"972,000", "-1,234"})
    EXPECT_EQ(unread_format(text), "a decimal comma or separated thousands") << text;
  for (const char* text : {"3,91 \u20AC", "8,17%", "\u20AC5,88", "-$1,234.50", "$-5", "12 %", "3,91 \x80"})
    EXPECT_EQ(unread_format(text), "a currency or percent sign") << text;
  for (const char* text : {"\u22125", "\u22121,5"})
    EXPECT_EQ(unread_format(text), "a minus sign that is not -") << text;
}

TEST(UnreadNumber, OtherTextsAndNumbersAreNone) {
  for (const char* text :
       {"",         ",",          ".",           "-",         "%",     "$",     "\u2212", "1.5",
        "15",       "1.234",      "-1e5",        "1,2,3",     "a,5",   "1,b",   "1, 5",   "Smith, J",
        "1,23,456", "12.05.2020", "192.168.1.1", "0.123.456", "1.2.3", "6'2",   "1,5e",   "$x",
        "5%%",      "2020-01-01", "12:30",       "1e5,5",     "--1,5", "A-1,5", "$nan"})
    EXPECT_EQ(unread_format(text), "") << text;
}

TEST(UnreadNumber, SignsOfUnitsAreNoDigits) {
  EXPECT_EQ(unread_digits("25%"), "");
  EXPECT_EQ(unread_digits("-1,5"), "a decimal comma");
  EXPECT_EQ(unread_digits("1.234"), "");
}

class UnreadNumbers : public ::testing::Test {
 protected:
  static TrainingPlan plan(std::string_view text, const EncodingOptions& options) {
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
    return plan_training(read_text("d.csv", text, hints_for(options)), options, notes, warnings);
  }
  static std::string refusal(std::string_view text, const EncodingOptions& options) {
    return message_of([&] { plan(text, options); });
  }
  static EncodingOptions target(const std::string& name) {
    EncodingOptions options;
    options.target = name;
    return options;
  }

  const std::string table = "x;z;k\n1;0,5;a\n2;7;b\n3;0,25;a\n4;0,75;b\n";
};

TEST_F(UnreadNumbers, OfAnInputAreRefusedAndNamed) {
  EXPECT_THAT(
      refusal(table, target("k")),
      AllOf(HasSubstr("d.csv: line 2, column 2 (\"z\")"), HasSubstr("\"0,5\""), HasSubstr("decimal comma"),
            HasSubstr("3 of the 4 values"), HasSubstr("`categorical` z")));
  EXPECT_THAT(refusal("x;z;k\n1;1;a\n2;7;b\n3;0,25;a\n4;5;b\n", target("k")), HasSubstr("decimal comma"));
  EXPECT_THAT(refusal("x,z,k\n1,\"1,5\",a\n2,\"2,5\",b\n", target("k")), HasSubstr("line 2, column 2"));
}

TEST_F(UnreadNumbers, AreCategoriesIfTheUserSaysSo) {
  EncodingOptions options = target("k");
  options.categorical = {"z"};
  EXPECT_EQ(plan(table, options).uses[1], ColumnUse::text);
  options = target("k");
  options.ignore = {"z"};
  EXPECT_EQ(plan(table, options).uses[1], ColumnUse::skip);
}

TEST_F(UnreadNumbers, OfATargetAreRefusedUnlessClassesAreAskedFor) {
  EXPECT_THAT(refusal(table, target("z")), AllOf(HasSubstr("column 2 (\"z\")"), HasSubstr("decimal comma")));
  EncodingOptions options = target("z");
  options.task = Task::regression;
  EXPECT_THAT(refusal(table, options), AllOf(HasSubstr("decimal comma"), Not(HasSubstr("`categorical`"))));
  options.task = Task::classification;
  EXPECT_EQ(plan(table, options).task, Task::classification);
}

TEST_F(UnreadNumbers, EvenASingleOneOfATargetIsRefused) {
  EXPECT_THAT(refusal("x;z\n1;1\n2;2\n3;0,5\n4;1\n", target("z")),
              AllOf(HasSubstr("line 4, column 2 (\"z\")"), HasSubstr("1 of the 4 values")));
}

TEST_F(UnreadNumbers, AmongOtherTextsAreTexts) {
  EXPECT_EQ(plan("x;z;k\n1;0,5;a\n2;red;b\n3;blue;a\n", target("k")).uses[1], ColumnUse::text);
}

TEST_F(UnreadNumbers, AreSeenBesideAStrayText) {
  std::string rows = "a;b;label\n";
  for (int i = 0; i < 200; ++i) {
    const std::string text = i == 5 ? "-" : fmt::format("{},5", i);
    rows += fmt::format("{};{};{}\n", i % 7, text, i == 17 ? "k.A." : fmt::format("-{},39", i));
  }
  EXPECT_THAT(refusal(rows, target("label")),
              AllOf(HasSubstr("line 2, column 3 (\"label\"): \"-0,39\""), HasSubstr("decimal comma"),
                    HasSubstr("199 of the 200 values"), HasSubstr("\"k.A.\" in line 19")));
  EncodingOptions options = target("label");
  options.task = Task::regression;
  EXPECT_THAT(refusal(rows, options),
              AllOf(HasSubstr("decimal comma"), HasSubstr("k.A."), Not(HasSubstr("classification"))));
  options.task = Task::classification;
  EXPECT_THAT(refusal(rows, options), AllOf(HasSubstr("column 2 (\"b\"): \"0,5\""),
                                            HasSubstr("\"-\" in line 7"), HasSubstr("`categorical` b")));
}

TEST_F(UnreadNumbers, OfAnyFormatAreRefused) {
  for (const char* cell : {"\"49,655,541\"", "\"297,006.42\"", "\"972,000\"", "29.517.160", "\",283\"",
                           "\"30,\"", "6'610", "\"3,91 \u20AC\"", "8.17%", "\u22125"}) {
    const std::string rows = fmt::format("x,z,k\n1,{},a\n2,7,b\n3,{},a\n4,9,b\n", cell, cell);
    EXPECT_THAT(refusal(rows, target("k")),
                AllOf(HasSubstr("line 2, column 2 (\"z\")"), HasSubstr("looks like a number with"),
                      HasSubstr("2 of the 4 values"), HasSubstr("write numbers like -1234.5"),
                      HasSubstr("`categorical` z")))
        << cell;
    EXPECT_THAT(refusal(rows, target("z")), HasSubstr("`task` classification")) << cell;
  }
}

TEST_F(UnreadNumbers, PercentagesMayNameColumns) {
  const Table read = read_text("p.csv", "k,25%,75%\na,1,2\nb,3,4\n");
  EXPECT_TRUE(read.info().has_names);
  EXPECT_EQ(read.names()[1], "25%");
}

TEST_F(UnreadNumbers, InAFileForAModelAreNamed) {
  EXPECT_THAT(number_error(read_text("d.csv", table), {0, 1}),
              AllOf(HasSubstr("d.csv: line 2, column 2 (\"z\")"), HasSubstr("decimal comma")));
}

}  // namespace
}  // namespace coppice::test
