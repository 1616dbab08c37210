#include "coppice/api/prepare.h"

#include "tests/api/prepared.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <set>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

double share(const Dataset& data, const Rows& rows, std::uint32_t label) {
  double count = 0;
  for (const std::uint32_t row : rows) count += data.labels[row] == label ? 1 : 0;
  return count / static_cast<double>(rows.size());
}

TEST(Prepare, FractionsAreSplitByClassAndNoRowIsUsedTwice) {
  Options options = options_for_y();
  options.test = 0.25;
  options.validation = 0.2;
  const auto [prepared, complete, variants, lessons] = prepare(table(1200), options);
  EXPECT_EQ(prepared.test_rows.size(), 300U);
  const NetData net = prepared.net_data(1);
  EXPECT_EQ(net.validation_rows.size(), 180U);
  EXPECT_EQ(net.train_rows.size(), 720U);
  EXPECT_EQ(prepared.train_count(), 720U);
  EXPECT_EQ(prepared.validation_count(), 180U);
  EXPECT_EQ(prepared.test_count(), 300U);
  std::set<std::uint32_t> seen;
  for (const auto* rows : {&prepared.test_rows, &net.validation_rows, &net.train_rows}) {
    seen.insert(rows->begin(), rows->end());
    EXPECT_NEAR(share(prepared.train, *rows, 0), 0.25, 0.003) << "stratified";
  }
  EXPECT_EQ(seen.size(), 1200U);
  EXPECT_EQ(complete.batch_size, 32U);
  EXPECT_NE(prepared.net_data(2).train_rows, net.train_rows) << "one split per seed";
  EXPECT_EQ(prepared.net_data(1).train_rows, net.train_rows);
  EXPECT_EQ(prepared.net_data(8, {.beginning = 7}).train_rows, net.train_rows) << "begun again";
  EXPECT_EQ(prepared.net_data(8, {.beginning = 7}).validation_rows, net.validation_rows);
}

TEST(Prepare, TablesOfTheirOwnAreEncodedLikeTheData) {
  Table validation;  // in another order
  validation.add_texts("y", std::vector<std::string>{"usual", "rare"});
  validation.add_numbers("b", std::vector<int>{3, 1});
  validation.add_numbers("a", std::vector<int>{4, 1});
  Table test;
  test.add_numbers("a", std::vector<int>{4, 1});
  test.add_numbers("b", std::vector<int>{3, 1});
  test.add_texts("y", std::vector<std::string>{"usual", "odd"});
  Options options = options_for_y();
  options.validation = validation;
  options.test = test;
  const auto [prepared, complete, variants, lessons] = prepare(table(100), options);
  ASSERT_TRUE(prepared.validation && prepared.test);
  EXPECT_EQ(prepared.rows.size(), 100U) << "all rows train";
  EXPECT_EQ(prepared.net_data(0).train_rows.size(), 100U);
  EXPECT_EQ(prepared.net_data(0).validation_rows.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_EQ(prepared.validation->inputs(0, k), prepared.test->inputs(0, k));
  EXPECT_EQ(prepared.test->labels[1], 2U) << "a class never seen";
  EXPECT_THAT(prepared.warnings, ::testing::Contains(HasSubstr("\"odd\"")));
  EXPECT_EQ(std::get<Table>(complete.validation).rows(), 0U) << "it has served its purpose";

  Table without;
  without.add_numbers("a", std::vector<int>{1});
  without.add_numbers("b", std::vector<int>{2});
  options.validation = without;
  EXPECT_THAT(message_of([&] { prepare(table(100), options); }), HasSubstr("\"y\""));
}

TEST(Prepare, RowsToldByNumberServeThatPurposeAlone) {
  Options options = options_for_y();
  options.validation = Rows{7, 3, 90};
  options.test = Rows{0, 4};
  const PreparedData prepared = prepare(table(100), options).data;
  EXPECT_THAT(prepared.all_test_rows(), ElementsAre(0, 4));
  EXPECT_THAT(prepared.net_data(5).validation_rows, ElementsAre(7, 3, 90));
  EXPECT_EQ(prepared.net_data(5).validation_rows, prepared.net_data(6).validation_rows)
      << "whatever the seed";
  Rows rest = prepared.net_data(5).train_rows;
  std::ranges::sort(rest);
  EXPECT_EQ(rest.size(), 95U);
  for (const std::uint32_t row : {0U, 3U, 4U, 7U, 90U}) EXPECT_EQ(std::ranges::count(rest, row), 0) << row;
  EXPECT_EQ(prepared.train_count(), 95U);
  EXPECT_EQ(prepared.validation_count(), 3U);
  EXPECT_EQ(prepared.test_count(), 2U);
}

TEST(Prepare, RowsToldByNumberGoWithSharesOfTheOthers) {
  Options options = options_for_y();
  options.validation = Rows(50);
  std::iota(std::get<Rows>(options.validation).begin(), std::get<Rows>(options.validation).end(), 0U);
  options.test = 0.5;
  const PreparedData tested = prepare(table(100), options).data;
  EXPECT_EQ(tested.validation_count(), 50U);
  EXPECT_EQ(tested.test_count(), 25U) << "half of those that are left";
  for (const std::uint32_t row : tested.test_rows) EXPECT_GE(row, 50U);
  EXPECT_EQ(tested.train_count(), 25U);

  std::swap(options.validation, options.test);
  const PreparedData validated = prepare(table(100), options).data;
  EXPECT_EQ(validated.test_count(), 50U);
  EXPECT_EQ(validated.validation_count(), 25U);
  for (const std::uint32_t row : validated.net_data(0).validation_rows) EXPECT_GE(row, 50U);
}

TEST(Prepare, WrongRowsNameTheSetting) {
  struct Case {
    Rows validation;
    Rows test;
    std::string setting;
    std::string reason;
  };
  for (const auto& [validation, test, setting, reason] :
       {Case{{5, 100}, {}, "validation", "row 100 does not exist"},
        Case{{}, {4'000'000'000U}, "test", "row 4000000000 does not exist"},
        Case{{5, 6, 5}, {}, "validation", "row 5 is named twice"},
        Case{{}, {1, 1}, "test", "row 1 is named twice"},
        Case{{1, 2, 3}, {3, 4}, "validation", "test rows too"}}) {
    Options options = options_for_y();
    if (!validation.empty()) options.validation = validation;
    if (!test.empty()) options.test = test;
    try {
      prepare(table(100), options);
      ADD_FAILURE() << reason;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option);
      EXPECT_EQ(error.place().option, setting);
      EXPECT_THAT(error.what(), HasSubstr("`" + setting + "`: "));
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }
  Options none = options_for_y();
  none.validation = Rows{};
  EXPECT_THAT(message_of([&] { prepare(table(100), none); }), HasSubstr("`validation`: names no row"));
  Options all = options_for_y();
  all.validation = Rows{0, 1, 2, 3};
  EXPECT_THAT(message_of([&] { prepare(table(4), all); }), HasSubstr("0 rows left to train on"));
}

TEST(Prepare, BadFractionsNameTheSetting) {
  for (const double value : {0.0, 1.0, -0.1, 2.0, std::nan(""), HUGE_VAL}) {
    Options options = options_for_y();
    options.test = value;
    EXPECT_THAT(message_of([&] { prepare(table(20), options); }), HasSubstr("`test`")) << value;
    options.test = {};
    options.validation = value;
    EXPECT_THAT(message_of([&] { prepare(table(20), options); }), HasSubstr("`validation`")) << value;
  }
}

TEST(Prepare, TwoRowsAreEnough) {
  Table two;
  two.set_name("two rows");
  two.add_numbers("a", std::vector<int>{1, 2});
  two.add_texts("y", std::vector<std::string>{"p", "q"});
  Options options = options_for_y();
  const NetData net = prepare(two, options).data.net_data(0);
  EXPECT_EQ(net.train_rows.size(), 1U);
  EXPECT_EQ(net.validation_rows.size(), 1U);
  options.test = 0.5;
  EXPECT_THAT(message_of([&] { prepare(two, options); }),
              HasSubstr("two rows: 1 row left to train and validate on; at least 2 are needed"));
}

}  // namespace
}  // namespace coppice
