#include "coppice/data/derived.h"

#include "coppice/data/moment.h"
#include "coppice/data/orders.h"

#include "tests/data/encoding_tables.h"

#include <cmath>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using namespace coppice::testing;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Moment, DatesAndTimesAreRead) {
  const auto date = parse_moment("2024-05-01").value();
  EXPECT_TRUE(date.has_date && !date.has_time);
  EXPECT_EQ(date.days, 19844.0);
  EXPECT_EQ(date.month, 5);
  EXPECT_EQ(date.weekday, 3) << "a Wednesday";
  EXPECT_EQ(parse_moment("1969-12-31")->days, -1.0);
  EXPECT_EQ(parse_moment("1970-01-01")->weekday, 4);
  const auto both = parse_moment("2024-05-01T12:30:00Z").value();
  EXPECT_TRUE(both.has_date && both.has_time);
  EXPECT_DOUBLE_EQ(both.days, 19844.0 + 12.5 / 24);
  EXPECT_DOUBLE_EQ(both.hour, 12.5);
  EXPECT_EQ(parse_moment("2024-05-01 12:30")->days, both.days);
  EXPECT_DOUBLE_EQ(parse_moment("2024-05-01T14:30+02:00")->days, both.days);
  EXPECT_DOUBLE_EQ(parse_moment("2024-05-01T18:29+05:59")->days, both.days);
  const auto before = parse_moment("2024-05-01T00:30:00+01:00").value();
  EXPECT_DOUBLE_EQ(before.hour, 23.5);
  EXPECT_EQ(before.month, 4) << "of the day before, in UTC";
  const auto time = parse_moment("12:30").value();
  EXPECT_TRUE(!time.has_date && time.has_time);
  EXPECT_DOUBLE_EQ(time.hour, 12.5);
  EXPECT_NEAR(parse_moment("23:59:59.75")->hour, 24, 1e-4);
}

TEST(Moment, WhatIsNoDateIsNotReadAsOne) {
  for (const char* text : {"",
                           "2024",
                           "2024-5-1",
                           "2024-13-01",
                           "2023-02-29",
                           "2024-05-01x",
                           "2024-05-01T",
                           "25:00",
                           "12:60",
                           "12:3",
                           "1:30",
                           "01.05.2024",
                           "05/01/2024",
                           "2024-05-01T12",
                           "2024-05-01T12:30+",
                           "12:30:",
                           "a12:30",
                           "2024-05-01T12:30+99:00",
                           "0000-00-00",
                           "12-34-56",
                           "24:01"}) {
    EXPECT_FALSE(parse_moment(text).has_value()) << text;
  }
}

TEST(Orders, KnownWordsAreSortedFromLeastToGreatest) {
  const auto order = [](const Cells& words) { return known_order(words); };
  EXPECT_THAT(order({"High", "low", "Medium"}), ElementsAre("low", "medium", "high"));
  EXPECT_THAT(order({"very_high", "low", "high"}), ElementsAre("low", "high", "very high"));
  EXPECT_THAT(order({"3rd", "1st", "2nd", "10th"}), ElementsAre("1st", "2nd", "3rd", "10th"));
  EXPECT_THAT(order({"Sun", "Mon", "Wed"}), ElementsAre("mon", "wed", "sun"));
  EXPECT_THAT(order({"may", "january", "december"}), ElementsAre("january", "may", "december"));
  EXPECT_THAT(order({">10", "<5", "5-10"}), ElementsAre("<5", "5-10", ">10"));
  EXPECT_THAT(order({"100+", "10-99", "0-9"}), ElementsAre("0-9", "10-99", "100+"));
  EXPECT_THAT(order({"0", "1-5", "6+"}), ElementsAre("0", "1-5", "6+"));
  EXPECT_THAT(order({"XL", "S", "M"}), ElementsAre("s", "m", "xl"));
  EXPECT_THAT(order({"over 5", "5", "under 5"}), ElementsAre("under 5", "5", "over 5"));
  EXPECT_THAT(order({">1000000000", "1000000000", "<1000000000"}),
              ElementsAre("<1000000000", "1000000000", ">1000000000"));
}

TEST(Orders, OtherWordsHaveNone) {
  for (const Cells& words :
       {Cells{"low", "high"}, Cells{"red", "green", "blue"}, Cells{"low", "medium", "blue"},
        Cells{"mon", "monday", "tue"}, Cells{"a-b", "b-c", "c-d"}, Cells{"1st", "2nd", "last"},
        Cells{"1", "2", "3"}, Cells{"5-10", "7", "9"}, Cells{"10-5", "5-3", "3-1"}, Cells{}}) {
    EXPECT_THAT(known_order(words), IsEmpty()) << ::testing::PrintToString(words);
  }
}

/// A table of 120 rows with the given column, a number and two classes.
Written file_with(const std::function<std::string(std::size_t)>& make) {
  return {{{"c", cells(120, make)},
           {"z", cells(120, [](auto i) { return std::to_string(i % 7); })},
           {"y", cells(120, [](auto i) { return i % 2 == 0 ? "p" : "q"; })}}};
}

TEST(Derived, DatesBecomeNumbersInsteadOfBeingTakenForIds) {
  const Trained t(file_with([](auto i) { return fmt::format("2024-0{}-{:02}", 1 + i / 28, 1 + i % 28); }));
  EXPECT_THAT(t.encoding.input_names(), ElementsAre("z", "c day", "c month", "c weekday"));
  EXPECT_THAT(t.warnings, IsEmpty());
  EXPECT_THAT(t.notes, Contains(AllOf(HasSubstr("\"c\" holds dates"), HasSubstr("day, month, weekday"),
                                      HasSubstr("`categorical` c"))));
  EXPECT_LT(t.data.inputs(0, 1), t.data.inputs(1, 1));
  const Table table = with_derived(t.table, t.encoding.derived);
  EXPECT_EQ(table.text("c day", 0), "0");
  EXPECT_EQ(table.text("c day", 28), "31") << "February";
  EXPECT_EQ(table.text("c month", 28), "2");
  EncodingOptions options;
  options.ignore = {"c"};
  EXPECT_THAT(Trained(file_with([](auto) { return "2024-01-01"; }), options).encoding.derived, IsEmpty());
}

TEST(Derived, TimesBecomeHoursAndMissingOnesAreMarked) {
  const Trained t(file_with([](auto i) { return i == 5 ? "" : fmt::format("{:02}:30", i % 24); }));
  EXPECT_THAT(t.encoding.input_names(), ElementsAre("z", "c hour", "c hour missing"));
  EXPECT_GT(t.data.inputs(5, 2), 0.5F);
  EXPECT_THAT(t.notes, Contains(HasSubstr("holds times")));
}

TEST(Derived, ManyMomentsAreKeptAndCountedFromTheFirstDay) {
  const std::size_t rows = 3000;
  const auto moment = [](std::size_t i) {
    return fmt::format("2024-01-{:02}T{:02}:{:02}:00Z", 1 + i / 1440 % 28, i / 60 % 24, i % 60);
  };
  const Written file{
      {{"c", cells(rows, moment)}, {"y", cells(rows, [](auto i) { return i % 2 ? "p" : "q"; })}}};
  const Trained t(file);
  ASSERT_EQ(t.encoding.derived.size(), 1U);
  EXPECT_EQ(t.encoding.derived[0].kind, DerivedKind::moment);
  EXPECT_EQ(t.encoding.derived[0].origin, 19723.0);
  EXPECT_THAT(t.encoding.input_names(), ElementsAre("c day", "c weekday", "c hour"))
      << "one month says nothing";
}

TEST(Derived, NewFilesAreReadAsTheTrainingFileWas) {
  const Encoding encoding = Trained(file_with([](auto i) {
                              return fmt::format("2024-0{}-{:02}", 1 + i / 28, 1 + i % 28);
                            })).encoding;
  const auto loaded = [&](const Written& file) {
    std::vector<std::string> warnings;
    Dataset data = encode(file.table(hints_for(encoding, false)), encoding, false, warnings);
    EXPECT_THAT(warnings, IsEmpty());
    return data;
  };
  const Dataset data = loaded({{{"c", {"2024-01-01", "", "2030-12-24"}}, {"z", {"1", "2", "3"}}}});
  EXPECT_GT(data.inputs(2, 1), 10.0F - 7.0F) << "squashed, but far out";
  EXPECT_THAT(
      message_of([&] {
        loaded({{{"c", {"2024-01-01", "soon"}}, {"z", {"1", "2"}}}});
      }),
      AllOf(HasSubstr("row 2, column 1 (\"c\")"), HasSubstr("\"soon\" is no date"), HasSubstr("2024-05-01")));
  EXPECT_THAT(message_of([&] { loaded({{{"z", {"1", "2"}}}}); }), HasSubstr("needs the column \"c\""));
}

TEST(Derived, WordsThatHaveAnOrderGetARankBesideTheirCategories) {
  const std::vector<std::string> words{"low", "medium", "high"};
  const Trained t(file_with([&](auto i) { return words[i % 3]; }));
  EXPECT_THAT(t.encoding.input_names(), ElementsAre("c=high", "c=low", "c=medium", "c other", "z", "c rank"));
  EXPECT_LT(t.data.inputs(0, 5), t.data.inputs(1, 5));
  EXPECT_LT(t.data.inputs(1, 5), t.data.inputs(2, 5));
  EXPECT_THAT(t.notes, Contains(HasSubstr("low < medium < high")));
  EncodingOptions options;
  options.categorical = {"c"};
  EXPECT_THAT(Trained(file_with([&](auto i) { return words[i % 3]; }), options).encoding.derived, IsEmpty());
  std::vector<std::string> warnings;
  const Written fresh{{{"c", {"unheard"}}, {"z", {"1"}}}};
  const Dataset data = encode(fresh.table(hints_for(t.encoding, false)), t.encoding, false, warnings);
  EXPECT_NEAR(data.inputs(0, 5), 0, 1e-5) << "the mean";
}

TEST(ManyTexts, FrequentOnesAreKeptAndItIsSaid) {
  const std::size_t rows = 10'000;
  const Written file{{{"c", cells(rows, [](auto i) { return i % 2 == 0 ? "often" : fmt::format("t{}", i); })},
                      {"y", cells(rows, [](auto i) { return i % 3 == 0 ? "p" : "q"; })}}};
  const Trained t(file);
  EXPECT_THAT(t.encoding.columns[0].categories, ElementsAre("often"));
  EXPECT_THAT(t.notes, Contains(AllOf(HasSubstr("share one input"),
                                      HasSubstr("c (1 of 5001 texts kept, 50 % of the rows)"))));
  EXPECT_THAT(t.warnings, IsEmpty());
}

TEST(ManyTexts, ThoseThatDifferInNearlyEveryRowAreStillLeftOut) {
  const Written file = file_with([](auto i) { return fmt::format("t{}", i); });
  const Trained t(file);
  EXPECT_THAT(t.warnings, ElementsAre(HasSubstr("identifier")));
  EXPECT_THAT(t.encoding.input_names(), ElementsAre("z"));
}

TEST(RowNumbers, AreLeftOutWhereTheyAreIdsAndSaidWhereTheyMayNotBe) {
  const Trained first(file_with([](auto i) { return std::to_string(i + 1); }));
  EXPECT_THAT(first.encoding.input_names(), ElementsAre("z"));
  EXPECT_THAT(first.warnings, ElementsAre(AllOf(HasSubstr("\"c\" counts the rows"), HasSubstr("`id` c"))));
  Written second = file_with([](auto i) { return std::to_string(i % 5); });
  second.columns.insert(second.columns.begin() + 1,
                        {"t", cells(120, [](auto i) { return std::to_string(i); })});
  const Trained time(second);
  EXPECT_THAT(time.encoding.input_names(), ElementsAre("c", "t", "z"));
  EXPECT_THAT(time.notes, Contains(AllOf(HasSubstr("\"t\" counts the rows"), HasSubstr("`ignore` t"))));
  second.columns[1].first = "row_id";
  EXPECT_THAT(Trained(second).encoding.input_names(), ElementsAre("c", "z"));
  second.columns[1].second[7] = "8";
  EXPECT_THAT(Trained(second).encoding.input_names(), ElementsAre("c", "row_id", "z"));
}

TEST(MissingCells, AreCountedInANote) {
  const Trained t(file_with([](auto i) { return i % 10 == 0 ? "" : std::to_string(i % 6); }));
  EXPECT_THAT(t.notes, Contains(AllOf(HasSubstr("of 120 rows: c 12;"), HasSubstr("mean"))));
  EXPECT_THAT(Trained(file_with([](auto i) { return std::to_string(i % 6); })).notes,
              Not(Contains(HasSubstr("missing"))));
}

TEST(BadColumns, AreAllNamedAtOnce) {
  Written file = file_with([](auto i) { return i == 3 ? "oops" : std::to_string(i % 6); });
  file.columns[1].second[9] = "1,5";
  EXPECT_THAT(message_of([&] { Trained{file}; }),
              AllOf(HasSubstr("data.csv: 2 columns"), HasSubstr("\"oops\" in line 5, column 1 (\"c\")"),
                    HasSubstr("\"1,5\" in line 11, column 2 (\"z\")"), HasSubstr("`categorical` c,z")));
}

TEST(BadColumns, AreAllNamedAtOnceInNewFilesToo) {
  const Encoding encoding = Trained(file_with([](auto i) { return std::to_string(i % 6); })).encoding;
  std::vector<std::string> warnings;
  const Written fresh{{{"c", {"1", "oops", "3"}}, {"z", {"1", "2", "1,5"}}}};
  EXPECT_THAT(
      message_of([&] { encode(fresh.table(hints_for(encoding, false)), encoding, false, warnings); }),
      AllOf(HasSubstr("line 3, column 1 (\"c\")"), HasSubstr("\"oops\""), HasSubstr("the columns z too")));
}

/// Numbers above 0 of which few lie far above the others.
Written heavy_tail() {
  return {{{"x", cells(200, [](auto i) { return std::to_string(i % 19); })},
           {"y", cells(200, [](auto i) {
              return fmt::format("{}", std::exp(std::pow(static_cast<double>(i % 97) / 24, 1.3)));
            })}}};
}

TEST(TargetTransform, LogarithmsAreLearnedWhereFewNumbersLieFarAboveTheOthers) {
  const Trained t(heavy_tail());
  EXPECT_EQ(t.encoding.target.transform, TargetTransform::log);
  EXPECT_THAT(t.notes, Contains(AllOf(HasSubstr("logarithm"), HasSubstr("`target-transform` none"))));
  double mean = 0;
  for (std::size_t r = 0; r < 200; ++r) {
    mean += t.data.targets[r] / 200;
    const double value = t.table.column(1).number(r);
    EXPECT_NEAR(t.encoding.target.value(t.data.targets[r]), value, 1e-4 * value);
  }
  EXPECT_NEAR(mean, 0, 1e-5);
  EncodingOptions options;
  options.transform = TargetTransform::none;
  EXPECT_EQ(Trained(heavy_tail(), options).encoding.target.transform, TargetTransform::none);
  EXPECT_TRUE(std::isfinite(t.encoding.target.value(1e30)));
  EXPECT_TRUE(std::isfinite(t.encoding.target.value(-1e30)));
}

TEST(TargetTransform, OtherTargetsStayAsTheyAreAndLogNeedsNumbersAboveZero) {
  Written even{
      {{"x", cells(200, [](auto i) { return std::to_string(i % 19); })},
       {"y", cells(200, [](auto i) { return fmt::format("{}", 1.5 + static_cast<double>(i % 97)); })}}};
  EXPECT_EQ(Trained(even).encoding.target.transform, TargetTransform::none);
  EncodingOptions options;
  options.transform = TargetTransform::log;
  const Trained asked(even, options);
  EXPECT_EQ(asked.encoding.target.transform, TargetTransform::log);
  EXPECT_THAT(asked.notes, Contains(HasSubstr("as asked")));
  Written below = heavy_tail();
  below.columns[1].second[4] = "-1";
  EXPECT_EQ(Trained(below).encoding.target.transform, TargetTransform::none);
  EXPECT_THAT(message_of([&] { Trained(below, options); }),
              AllOf(HasSubstr("`target-transform` log"), HasSubstr("-1")));
  std::vector<std::string> warnings;
  EXPECT_THAT(message_of([&] {
                encode(below.table(hints_for(asked.encoding, true)), asked.encoding, true, warnings);
              }),
              AllOf(HasSubstr("row 5"), HasSubstr("above 0")));
}

}  // namespace
}  // namespace coppice
