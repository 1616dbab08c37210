#include "coppice/api/combinations.h"
#include "coppice/api/prepare.h"
#include "coppice/api/train.h"
#include "coppice/data/split.h"

#include "tests/api/tables.h"
#include "tests/support.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <numeric>
#include <set>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::Contains;
using ::testing::HasSubstr;

/// Numbers, a target of numbers, and columns that rows can be split by.
Table rows_of_visits(std::size_t rows) {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<std::string> patient;
  std::vector<std::string> when;
  std::vector<int> part;
  for (std::size_t i = 0; i < rows; ++i) {
    x.push_back(std::sin(static_cast<double>(i)));
    y.push_back(3 * x[i] + std::cos(static_cast<double>(7 * i)));
    patient.push_back(fmt::format("p{}", i * i % 23));
    when.push_back(fmt::format("2024-{:02}-{:02}", 1 + i * 5 % 12, 1 + i % 28));
    part.push_back(static_cast<int>(i % 4) + 1);
  }
  Table all;
  all.add_numbers("x", x);
  all.add_texts("patient", patient);
  all.add_texts("when", when);
  all.add_numbers("part", part);
  all.add_numbers("y", y);
  return all;
}

Options for_visits() {
  Options options;
  options.target = std::string("y");
  options.ignore = {"patient", "when", "part"};
  options.ensemble = 1;
  options.distil = Distil::off;
  return options;
}

TEST(Splits, FoldsOfAnEnsembleKeepGroupsTogetherAndAreThoseOfAColumn) {
  const Table table = rows_of_visits(300);
  Options options = for_visits();
  options.ensemble.reset();
  options.group = std::string("patient");
  const PreparedData grouped = prepare(table, options).data;
  EXPECT_EQ(grouped.folds, 10U);
  std::map<std::string, std::set<std::uint32_t>> folds;
  for (std::size_t i = 0; i < 300; ++i)
    folds[table.text("patient", grouped.rows[i])].insert(grouped.fold_of[i]);
  for (const auto& [patient, of] : folds) EXPECT_EQ(of.size(), 1U) << patient;

  options.group.reset();
  options.fold = std::string("part");
  const PreparedData named = prepare(table, options).data;
  EXPECT_EQ(named.folds, 4U) << "as many as the column names";
  for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(named.fold_of[i], named.rows[i] % 4);

  options.fold.reset();
  options.time = std::string("when");
  EXPECT_EQ(prepare(table, options).data.folds, 0U) << "the last rows validate";
  options.ensemble = 3;
  EXPECT_THROW(prepare(table, options), Error);
}

TEST(Splits, AGroupIsOnOneSideOfEverySplit) {
  const Table table = rows_of_visits(300);
  Options options = for_visits();
  options.group = std::string("patient");
  options.test = 0.2;
  const PreparedData data = prepare(table, options).data;
  for (const std::uint64_t seed : {0, 1, 2}) {
    const NetData net = data.net_data(seed);
    std::map<std::string, std::set<int>> sides;
    std::size_t seen = 0;
    for (const auto& [side, rows] :
         {std::pair(0, &net.train_rows), {1, &net.validation_rows}, {2, &data.test_rows}}) {
      for (const std::uint32_t row : *rows) sides[table.text("patient", row)].insert(side);
      seen += rows->size();
      EXPECT_GE(rows->size(), 20U) << side;
    }
    EXPECT_EQ(seen, 300U);
    for (const auto& [patient, on] : sides) EXPECT_EQ(on.size(), 1U) << patient;
    EXPECT_EQ(net.validation_rows == data.net_data(0).validation_rows, seed == 0);
  }
  EXPECT_EQ(data.validation_count(), data.net_data(0).validation_rows.size());
  EXPECT_EQ(data.train_count(), data.net_data(0).train_rows.size());
}

TEST(Splits, TheLastRowsValidateAndTheLastOfAllTest) {
  const Table table = rows_of_visits(300);
  Options options = for_visits();
  options.time = std::string("when");
  options.test = 0.2;
  const PreparedData data = prepare(table, options).data;
  const NetData net = data.net_data(0);
  const auto last = [&](const std::vector<std::uint32_t>& rows) {
    std::string latest;
    for (const std::uint32_t row : rows) latest = std::max(latest, table.text("when", row));
    return latest;
  };
  const auto after = [&](const std::vector<std::uint32_t>& rows, const std::string& time) {
    return std::ranges::all_of(rows, [&](std::uint32_t row) { return table.text("when", row) > time; });
  };
  EXPECT_TRUE(after(data.test_rows, last(net.validation_rows)));
  EXPECT_TRUE(after(net.validation_rows, last(net.train_rows)));
  EXPECT_NEAR(static_cast<double>(data.test_rows.size()), 60, 6);
  EXPECT_NEAR(static_cast<double>(net.validation_rows.size()), 24, 6);
  EXPECT_EQ(data.train_count() + data.validation_count() + data.test_count(), 300U);
}

TEST(Splits, EachFoldValidatesInTurn) {
  const Table table = rows_of_visits(100);
  Options options = for_visits();
  options.fold = std::string("part");
  options.seed = 7;
  const Prepared prepared = prepare(table, options);
  for (std::uint64_t turn = 0; turn < 5; ++turn) {
    const NetData net = prepared.data.net_data(7 + turn);
    EXPECT_EQ(net.validation_rows.size(), 25U);
    EXPECT_EQ(net.train_rows.size(), 75U);
    for (const std::uint32_t row : net.validation_rows) EXPECT_EQ(row % 4, turn % 4);
  }
  EXPECT_EQ(prepared.data.train_count(), 75U);
  EXPECT_EQ(prepared.data.validation_count(), 25U);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(prepared.options.validation))
      << "options can be given again";
  EXPECT_NO_THROW(refuse_combinations(prepared.options));
}

TEST(Splits, ColumnsThatSplitAreNoInputs) {
  const Table table = rows_of_visits(60);
  Options options = for_visits();
  options.ignore.clear();
  options.categorical = {"part"};
  for (const auto& [column, field] :
       {std::pair("patient", &Options::group), {"when", &Options::time}, {"part", &Options::fold}}) {
    Options with = options;
    with.*field = column;
    const PreparedData data = prepare(table, with).data;
    for (const InputColumn& input : data.encoding.columns)
      EXPECT_FALSE(input.name.starts_with(column)) << input.name;
    EXPECT_THAT(data.encoding.unused, Contains(column)) << "tables to predict may have it";
    EXPECT_THAT(data.notes,
                Contains(HasSubstr(fmt::format("column \"{}\" says how rows are split", column))));
    with.ids = {column};
    EXPECT_THAT(prepare(table, with).data.encoding.ids, Contains(column)) << "it may be passed through";
  }
}

TEST(Splits, NumbersAreSplitByQuantileAndThePapersRowsAsEver) {
  const Table table = rows_of_visits(300);
  Options options = for_visits();
  options.test = 0.2;
  const PreparedData alike = prepare(table, options).data;
  const auto mean = [&](const PreparedData& data, const std::vector<std::uint32_t>& rows) {
    double sum = 0;
    for (const std::uint32_t row : rows) sum += data.train.targets[row];
    return sum / static_cast<double>(rows.size());
  };
  const NetData net = alike.net_data(0);
  EXPECT_NEAR(mean(alike, net.validation_rows), mean(alike, net.train_rows), 0.03);
  EXPECT_NEAR(mean(alike, alike.test_rows), mean(alike, net.train_rows), 0.03);

  options.effort = Effort::paper;
  const PreparedData paper = prepare(table, options).data;
  std::vector<std::uint32_t> all(300);
  std::iota(all.begin(), all.end(), 0U);
  const Split test = split_rows(all, {}, 0.2, 0, 0);
  EXPECT_EQ(paper.test_rows, test.held_out);
  EXPECT_EQ(paper.net_data(3).validation_rows, split_rows(test.kept, {}, 1.0 / 6, 3, 1).held_out);
}

TEST(Splits, WhatDoesNotGoTogetherIsRefused) {
  const auto refusal = [](auto&& change) {
    Options options = for_visits();
    change(options);
    return message_of([&] { prepare(rows_of_visits(60), options); });
  };
  EXPECT_THAT(refusal([](Options& o) { o.time = "when", o.group = "patient"; }),
              HasSubstr("`time` and `group` both"));
  EXPECT_THAT(refusal([](Options& o) { o.time = "when", o.fold = "part"; }),
              HasSubstr("`time` and `fold` both"));
  EXPECT_THAT(refusal([](Options& o) { o.fold = "part", o.validation = 0.2; }),
              HasSubstr("`fold` says which rows"));
  EXPECT_THAT(refusal([](Options& o) {
                o.group = "patient", o.validation = Rows{1, 2};
              }),
              HasSubstr("`group`: `validation` tells the rows"));
  EXPECT_THAT(refusal([](Options& o) {
                o.time = "when", o.validation = Rows{1, 2};
              }),
              HasSubstr("`time`: `validation` tells the rows"));
  EXPECT_THAT(refusal([](Options& o) { o.group = "nobody"; }),
              HasSubstr("`group` names the column \"nobody\""));
}

TEST(Splits, AGroupMayStillHoldOutTestRowsWhereValidationRowsAreTold) {
  Options options = for_visits();
  options.group = std::string("patient");
  options.validation = Rows{1, 2};
  options.test = 0.5;
  EXPECT_NEAR(static_cast<double>(prepare(rows_of_visits(60), options).data.test_count()), 29, 4);
}

TEST(Splits, ATrainingValidatesEachSeedOnItsFold) {
  Options options = for_visits();
  options.fold = std::string("part");
  options.effort = Effort::quick;
  options.lambdas = {1e-3};
  options.max_epochs = 3;
  options.seeds = 4;
  options.threads = 1;
  const Result result = train(rows_of_visits(101), options);
  ASSERT_EQ(result.models.size(), 4U);
  EXPECT_EQ(result.models[0].origin().validation_rows, 26U);
  EXPECT_EQ(result.models[1].origin().validation_rows, 25U);
  EXPECT_EQ(result.models[1].origin().train_rows, 76U);
}

}  // namespace
}  // namespace coppice
