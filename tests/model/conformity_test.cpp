#include "coppice/model/conformity.h"

#include "tests/model/models.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>

#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// All scores of so many rows that are kept, the score of a row being its rank.
Conformity ranks_as_scores(std::size_t rows) {
  Conformity conformity;
  conformity.rows = rows;
  for (const std::size_t rank : kept_ranks(rows)) conformity.scores.push_back(static_cast<double>(rank));
  return conformity;
}

TEST(Conformity, FewRowsAreKeptAlmostAllAndManyByTheirLevels) {
  EXPECT_THAT(kept_ranks(0), ElementsAre());
  EXPECT_THAT(kept_ranks(1), ElementsAre(1));
  EXPECT_THAT(kept_ranks(4), ElementsAre(1, 2, 3, 4));
  const std::vector<std::size_t> many = kept_ranks(99'999);
  EXPECT_LT(many.size(), 75U);
  for (const std::size_t rank : {5'000U, 50'000U, 90'000U, 95'000U, 99'000U, 99'500U, 99'900U, 99'999U})
    EXPECT_THAT(many, ::testing::Contains(rank));
}

RC_GTEST_PROP(Conformity, KeptRanksRiseToTheLast, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 5000);
  const std::vector<std::size_t> ranks = kept_ranks(rows);
  RC_ASSERT(ranks.back() == rows);
  RC_ASSERT(ranks.front() >= 1U);
  for (std::size_t i = 1; i < ranks.size(); ++i) RC_ASSERT(ranks[i] > ranks[i - 1]);
}

RC_GTEST_PROP(Conformity, ALevelTakesTheScoreThatItNeedsOrALittleMore, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 5000);
  const auto thousandths = *rc::gen::inRange(1, 1000);
  const Conformity conformity = ranks_as_scores(rows);
  const double level = thousandths / 1000.0;
  const std::size_t rank = conformity.rank_of(level);
  // The finite-sample correction: rank / (rows + 1) of new rows score no more.
  RC_ASSERT(static_cast<double>(rank) >= level * static_cast<double>(rows + 1) - 1e-5);
  RC_ASSERT(static_cast<double>(rank) < level * static_cast<double>(rows + 1) + 1);
  RC_PRE(rank <= rows);
  RC_ASSERT(conformity.score_at(rank) >= static_cast<double>(rank));
  if (thousandths % 10 == 0 && thousandths >= 500)
    RC_ASSERT(conformity.score_at(rank) == static_cast<double>(rank));
}

TEST(Conformity, TheHighestLevelIsTheLastThatHasARank) {
  const Conformity conformity = ranks_as_scores(50);
  EXPECT_EQ(conformity.rank_of(conformity.highest_level()), 50U);
  EXPECT_GT(conformity.rank_of(conformity.highest_level() + 1e-6), 50U);
  EXPECT_EQ(Conformity().highest_level(), 0.0);
}

TEST(Conformity, RoundingOfALevelAsksForNoFurtherRow) {
  // 0.07 * 100 is a little more than 7 for a computer.
  EXPECT_EQ(ranks_as_scores(99).rank_of(0.07), 7U);
}

TEST(Conformity, SpreadIsLinearBetweenAnswersAndConstantBeyond) {
  Conformity conformity;
  EXPECT_EQ(conformity.spread(3), 1.0);
  conformity.answers = {0, 1, 3};
  conformity.errors = {2, 4, 1};
  EXPECT_EQ(conformity.spread(-5), 2.0);
  EXPECT_EQ(conformity.spread(0), 2.0);
  EXPECT_EQ(conformity.spread(0.5), 3.0);
  EXPECT_EQ(conformity.spread(1), 4.0);
  EXPECT_EQ(conformity.spread(2), 2.5);
  EXPECT_EQ(conformity.spread(3), 1.0);
  EXPECT_EQ(conformity.spread(9), 1.0);
}

TEST(Conformity, SurpriseIsTheLogarithmAndNeverInfinite) {
  EXPECT_EQ(surprise(1), 0.0);
  EXPECT_EQ(surprise(1 + 1e-15), 0.0);
  EXPECT_DOUBLE_EQ(surprise(0.25), std::log(4));
  EXPECT_EQ(surprise(0), 1000.0);
}

ModelParts model_that_knows(std::size_t rows) {
  ModelParts model = small_model();
  model.conformity = ranks_as_scores(rows);
  return model;
}

TEST(Conformity, IsTakenBackFromTheModelFileThatOlderProgramsRead) {
  ModelParts model = model_that_knows(400);
  model.conformity.answers = {-1, 0.25};
  model.conformity.errors = {0.125, 2};
  const std::string bytes = model_bytes(model);
  EXPECT_EQ(bytes[8], 1) << "it is but a field of the header";
  const ModelParts again = parse_model(bytes, "m");
  EXPECT_EQ(again.conformity, model.conformity);
  EXPECT_EQ(model_bytes(again), bytes);
  model.conformity = {};
  const ModelParts without = parse_model(model_bytes(model), "m");
  EXPECT_EQ(without.conformity.rows, 0U);
  EXPECT_LT(bytes.size() - model_bytes(model).size(), 600U);
}

TEST(Conformity, ThatDoesNotFitTogetherIsRefused) {
  const auto refused = [](const std::function<void(Conformity&)>& change) {
    ModelParts model = model_that_knows(40);
    model.conformity.answers = {-1, 0.25};
    model.conformity.errors = {0.125, 2};
    EXPECT_NO_THROW(parse_model(model_bytes(model), "m"));
    change(model.conformity);
    EXPECT_THAT(message_of([&] { parse_model(model_bytes(model), "m"); }),
                HasSubstr("does not fit together"));
  };
  refused([](Conformity& conformity) { conformity.rows = 4000; });
  refused([](Conformity& conformity) { conformity.scores.pop_back(); });
  refused([](Conformity& conformity) { std::swap(conformity.scores[0], conformity.scores[5]); });
  refused([](Conformity& conformity) { conformity.scores[0] = -0.5; });
  refused([](Conformity& conformity) { conformity.answers[1] = -1; });
  refused([](Conformity& conformity) { conformity.answers.push_back(5); });
  refused([](Conformity& conformity) { conformity.errors[0] = 0; });
}

}  // namespace
}  // namespace coppice
