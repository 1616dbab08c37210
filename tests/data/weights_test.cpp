#include "coppice/data/weights.h"

#include "tests/data/encoding_tables.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Table with_weights(const Cells& weights) {
  return Written{{{"x", coppice::testing::cells(weights.size(), [](auto i) { return std::to_string(i); })},
                  {"w", weights}}}
      .table();
}

std::string refusal(const Cells& weights) {
  return message_of([&] { read_weights(with_weights(weights), "w"); });
}

TEST(ReadWeights, WholeOnesStayAndOthersGetAMeanOfOne) {
  EXPECT_THAT(read_weights(with_weights({"3", "0", "1e2"}), "w"), ElementsAre(3, 0, 100));
  EXPECT_THAT(read_weights(with_weights({"0.5", "0", "1.5"}), "w"), ElementsAre(0.5F, 0, 1.5F));
  EXPECT_THAT(read_weights(with_weights({"0.05", "0", "0.15"}), "w"),
              ElementsAre(::testing::FloatEq(0.5F), 0, ::testing::FloatEq(1.5F)));
}

TEST(ReadWeights, RefusalsNameFileRowAndColumn) {
  EXPECT_THAT(refusal({"1", "", "2"}),
              AllOf(HasSubstr("data.csv: line 3, column 2 (\"w\")"), HasSubstr("missing")));
  EXPECT_THAT(refusal({"1", "NaN", "2"}), AllOf(HasSubstr("line 3, column 2 (\"w\")"), HasSubstr("missing")));
  EXPECT_THAT(refusal({"1", "2", "-0.5"}),
              AllOf(HasSubstr("data.csv: row 3, column 2 (\"w\")"), HasSubstr("-0.5")));
  EXPECT_THAT(refusal({"1", "many", "2"}), AllOf(HasSubstr("column 2 (\"w\")"), HasSubstr("\"many\"")));
  EXPECT_THAT(refusal({"1", "inf", "2"}), HasSubstr("column 2 (\"w\")"));
  EXPECT_THAT(refusal({"0", "0"}), AllOf(HasSubstr("data.csv"), HasSubstr("\"w\"")));
  EXPECT_THAT(message_of([] {
                read_weights(with_weights({"1", "2"}), "v");
              }),
              AllOf(HasSubstr("`weight`"), HasSubstr("\"v\"")));
}

TEST(ReadWeights, RowsOfNoWeightAreTakenOut) {
  std::vector<std::uint32_t> rows{0, 1, 2, 3};
  drop_weightless(std::vector<float>{1, 0, 2, 0}, rows);
  EXPECT_THAT(rows, ElementsAre(0, 2));
  drop_weightless({}, rows);
  EXPECT_THAT(rows, ElementsAre(0, 2)) << "without weights all count";
}

/// Columns of every kind; row i counts i % 3 + 1 times.
Written mixed(bool repeat) {
  Written file{{{"number", {}}, {"gaps", {}}, {"text", {}}, {"w", {}}, {"y", {}}}};
  for (std::size_t i = 0; i < 300; ++i) {
    const std::size_t copies = i % 3 + 1;
    for (std::size_t k = 0; k < (repeat ? copies : 1); ++k) {
      file.columns[0].second.push_back(fmt::format("{}", std::pow(static_cast<double>(i * 37 % 101), 2)));
      file.columns[1].second.push_back(i % 7 == 0 ? "" : fmt::format("{}", i * 13 % 29));
      file.columns[2].second.emplace_back(i % 5 == 0 ? "" : i % 4 == 0 ? "a" : "b");
      file.columns[3].second.push_back(repeat ? "1" : std::to_string(copies));
      file.columns[4].second.push_back(
          fmt::format("{:.5f}", std::exp(static_cast<double>(i * 17 % 97) / 30)));
    }
  }
  return file;
}

Encoding fitted(bool repeat, Encode encode, Scaling scaling, TargetTransform transform) {
  const Table table = mixed(repeat).table();
  EncodingOptions options;
  options.target = "y";
  options.weight = "w";
  options.encode = encode;
  options.scaling = scaling;
  options.transform = transform;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  const TrainingPlan plan = plan_training(table, options, notes, warnings);
  const std::vector<float> weights = repeat ? std::vector<float>() : read_weights(table, "w");
  return fit_encoding(table, plan, options, all_rows(table.rows()), notes, warnings, weights);
}

TEST(WeightedEncoding, OfWholeWeightsIsThatOfRowsThatStandThereSoOften) {
  for (const Encode encode : {Encode::plain, Encode::bins}) {
    for (const Scaling scaling : {Scaling::column, Scaling::standard}) {
      for (const TargetTransform transform : {TargetTransform::none, TargetTransform::log}) {
        const Encoding own = fitted(false, encode, scaling, transform);
        const Encoding theirs = fitted(true, encode, scaling, transform);
        EXPECT_THAT(own.unused, ElementsAre("w")) << "weights are no input";
        EXPECT_EQ(own.input_names(), theirs.input_names());
        EXPECT_NEAR(own.target.mean, theirs.target.mean, 1e-9);
        EXPECT_NEAR(own.target.deviation, theirs.target.deviation, 1e-9);
        EXPECT_NEAR(own.target.spread, theirs.target.spread, 1e-9);
        ASSERT_EQ(own.inputs(), theirs.inputs());
        for (std::size_t i = 0; i < own.inputs(); ++i) {
          EXPECT_NEAR(own.offset[i], theirs.offset[i], 1e-4 * (1 + std::abs(theirs.offset[i]))) << i;
          EXPECT_NEAR(own.factor[i], theirs.factor[i], 1e-5 * std::abs(theirs.factor[i])) << i;
        }
        for (std::size_t c = 0; c < own.columns.size(); ++c) {
          EXPECT_EQ(own.columns[c].edges, theirs.columns[c].edges);
          EXPECT_EQ(own.columns[c].squash.median, theirs.columns[c].squash.median);
          EXPECT_EQ(own.columns[c].squash.factor, theirs.columns[c].squash.factor);
          EXPECT_NEAR(own.columns[c].fill, theirs.columns[c].fill, 1e-4 * (1 + theirs.columns[c].fill));
        }
      }
    }
  }
}

TEST(WeightedEncoding, WeightsMakeADifference) {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  const Table table = mixed(false).table();
  EncodingOptions options;
  options.target = "y";
  options.weight = "w";
  const TrainingPlan plan = plan_training(table, options, notes, warnings);
  const Encoding plain = fit_encoding(table, plan, options, all_rows(table.rows()), notes, warnings);
  EXPECT_GT(std::abs(plain.target.mean -
                     fitted(false, Encode::plain, Scaling::column, TargetTransform::none).target.mean),
            1e-6);
}

TEST(WeightedEncoding, TheTargetIsNoWeight) {
  std::vector<std::string> notes;
  EncodingOptions options;
  options.target = "y";
  options.weight = "y";
  EXPECT_THAT(message_of([&] { plan_training(mixed(false).table(), options, notes, notes); }),
              AllOf(HasSubstr("`weight`"), HasSubstr("target")));
}

TEST(WeightedEncoding, AnIgnoredColumnIsReadIfItHoldsWeights) {
  EncodingOptions options;
  options.weight = "w";
  options.ignore = {"w", "x"};
  const ReadHints hints = hints_for(options);
  EXPECT_THAT(hints.skip, ElementsAre("x"));
  EXPECT_THAT(hints.numbers, ElementsAre("w"));
}

}  // namespace
}  // namespace coppice
