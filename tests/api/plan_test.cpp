#include "coppice/api/plan.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using ::testing::ElementsAre;

TEST(LambdaPath, OneAndThreeTimesPowersOfTen) {
  EXPECT_THAT(lambda_path(0.0034, 5), ElementsAre(3e-3, 1e-3, 3e-4, 1e-4, 3e-5));
  EXPECT_THAT(lambda_path(0.9, 3), ElementsAre(1, 0.3, 0.1));
  EXPECT_THAT(lambda_path(40, 3), ElementsAre(30, 10, 3));
}

TEST(FirstNets, EachLambdaWithEachSeed) {
  PlanOptions options;
  options.lambdas = {1e-2, 1e-3};
  options.seed = 5;
  options.seeds = 2;
  const std::vector<PlannedNet> nets = first_nets(options);
  ASSERT_EQ(nets.size(), 4U);
  EXPECT_EQ(nets[1].lambda, 1e-2);
  EXPECT_EQ(nets[1].seed, 6U);
  EXPECT_EQ(nets[2].lambda, 1e-3);
  EXPECT_EQ(nets[2].seed, 5U);
}

/// A path whose nets have these errors, from the largest lambda to the smallest, and 100, 200, ... parameters.
struct Path {
  explicit Path(const std::vector<double>& errors) {
    options.path = true;
    options.lambdas = lambda_path(1e-2, errors.size());
    options.smallest_parameters = 10;
    for (std::size_t i = 0; i < errors.size(); ++i) add(options.lambdas[i], errors[i], 100 * (i + 1));
  }
  void add(double lambda, double error, std::size_t parameters, bool searched = false) {
    nets.push_back({.planned = {.lambda = lambda, .seed = options.seed, .searched = searched},
                    .result = {.error = error,
                               .standard_error = 0.01,
                               .parameters = parameters,
                               .bytes = 1000 + 4 * parameters}});
  }
  std::vector<PlannedNet> next() const { return next_nets(options, nets); }

  PlanOptions options;
  std::vector<TrainedNet> nets;
};

TEST(NextNets, AFrontThatFallsAndFlattensIsComplete) {
  EXPECT_TRUE(Path({0.5, 0.2, 0.1, 0.095}).next().empty());
}

TEST(NextNets, APathThatStillFallsGoesOn) {
  Path path({0.5, 0.2, 0.1, 0.05});
  const std::vector<PlannedNet> more = path.next();
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more[0].lambda, 1e-4);
  EXPECT_EQ(more[0].warm_from, 3U);
  path.add(1e-4, 0.049, 500);
  EXPECT_TRUE(path.next().empty());
}

TEST(NextNets, APathWhoseSmallestNetIsGoodEnoughGoesOnToSmallerOnes) {
  Path path({0.105, 0.1, 0.101});
  const std::vector<PlannedNet> more = path.next();
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more[0].lambda, 3e-2);
  EXPECT_EQ(more[0].warm_from, 0U);
  path.nets[0].result.parameters = path.options.smallest_parameters;
  EXPECT_TRUE(path.next().empty()) << "one unit per layer: nothing can be smaller";
}

TEST(NextNets, AnErrorJustAsFarAsAStandardErrorFromTheBestIsGoodEnough) {
  Path path({0.375, 0.25, 0.375});
  for (TrainedNet& net : path.nets) net.result.standard_error = 0.125;
  const std::vector<PlannedNet> more = path.next();
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more[0].lambda, 3e-2);
  path.nets[0].result.error = 0.3751;
  EXPECT_TRUE(path.next().empty());
}

TEST(NextNets, ExtensionsEnd) {
  Path path({0.9, 0.8});
  std::size_t rounds = 0;
  for (std::vector<PlannedNet> more = path.next(); !more.empty(); more = path.next(), ++rounds) {
    ASSERT_LT(rounds, 20U);
    path.add(more[0].lambda, 0.7 - 0.05 * static_cast<double>(rounds), 1000 + 100 * rounds);
  }
  EXPECT_EQ(rounds, 4U);
}

TEST(NextNets, LambdasOfTheUserAreNotExtended) {
  Path path({0.5, 0.2, 0.1});
  path.options.path = false;
  EXPECT_TRUE(path.next().empty());
}

TEST(NextNets, NetsThatFailedExtendNothing) {
  EXPECT_TRUE(Path({std::nan(""), std::nan("")}).next().empty());
}

TEST(NextNets, ABudgetBetweenTwoNetsIsSearchedForFromTheLargerOne) {
  Path path({0.5, 0.2, 0.1, 0.095});
  path.options.budget.parameters = 260;
  std::vector<PlannedNet> more = path.next();
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more[0].warm_from, 2U) << "300 parameters, the smallest that is better and too large";
  EXPECT_NEAR(more[0].lambda, std::sqrt(3e-3 * 1e-3), 1e-12);
  path.add(more[0].lambda, 0.12, 280, true);
  more = path.next();
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more[0].warm_from, 4U) << "from the nearer one";
  path.add(more[0].lambda, 0.13, 255, true);
  EXPECT_TRUE(path.next().empty()) << "255 of 260 is near enough";
}

TEST(NextNets, LambdasThatHardlyDifferAreNotBisected) {
  Path path({0.5, 0.2, 0.1, 0.095});
  path.options.budget.parameters = 260;
  path.add(2.8e-3, 0.12, 280, true);  // 7 % below that of the net that fits
  EXPECT_TRUE(path.next().empty());
  path.nets.back().planned.lambda = 2.6e-3;
  EXPECT_EQ(path.next().size(), 1U);
}

TEST(NextNets, ASearchedNetIsNoEndOfThePath) {
  Path path({0.5, 0.2, 0.1, 0.095});
  path.options.budget.parameters = 100;
  path.add(1e-5, 0.01, 900, true);  // better by far than the path's last
  path.options.budget.parameters = 1000;
  EXPECT_TRUE(path.next().empty()) << "the path itself has flattened";
}

TEST(NextNets, ASearchDoesNotRepeatItself) {
  Path path({0.5, 0.2, 0.1, 0.05});
  path.options.path = false;
  path.options.budget.parameters = 260;
  std::vector<double> lambdas;
  for (std::vector<PlannedNet> more = path.next(); !more.empty(); more = path.next()) {
    EXPECT_FALSE(std::ranges::count(lambdas, more[0].lambda)) << "error as of the one that fits";
    lambdas.push_back(more[0].lambda);
    path.add(more[0].lambda, 0.2, 290, true);
  }
  EXPECT_GT(lambdas.size(), 1U);
}

TEST(NextNets, ASearchGivesUp) {
  Path path({0.5, 0.2, 0.1, 0.095});
  path.options.budget.bytes = 1000 + 4 * 250;
  std::size_t rounds = 0;
  for (std::vector<PlannedNet> more = path.next(); !more.empty(); more = path.next(), ++rounds) {
    ASSERT_LT(rounds, 20U);
    path.add(more[0].lambda, 0.15, 290, true);
  }
  EXPECT_EQ(rounds, 4U);
}

TEST(NextNets, NoSearchWhereNothingBetterIsTooLargeOrNothingFits) {
  Path path({0.5, 0.1, 0.11});
  path.options.budget.parameters = 250;
  EXPECT_TRUE(path.next().empty()) << "the best fits";
  path.options.path = false;
  path.options.budget.parameters = 50;
  EXPECT_TRUE(path.next().empty()) << "nothing fits";
}

TEST(NextNets, APathGoesOnToSmallerNetsWhereNoneFits) {
  Path path({0.5, 0.1, 0.11});
  path.options.budget.parameters = 50;
  const std::vector<PlannedNet> more = path.next();
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more[0].lambda, 3e-2);
}

/// A complete path and three variants; the first is best at lambda 1e-3.
Path compared() {
  Path path({0.5, 0.2, 0.1, 0.095});
  path.options.variants = {{}, {.scale = 10}, {.scale = 0.1}};
  path.options.rows = 10'000;
  path.nets[2].result.error = 0.09;
  return path;
}

void add_all(Path& path, const std::vector<double>& errors) {
  const std::vector<PlannedNet> planned = path.next();
  ASSERT_EQ(planned.size(), errors.size());
  for (std::size_t i = 0; i < errors.size(); ++i)
    path.nets.push_back({.planned = planned[i], .result = {.error = errors[i], .standard_error = 0.01}});
}

TEST(NextNets, OtherVariantsAreTriedWhereTheFirstWasBest) {
  Path path = compared();
  std::vector<PlannedNet> planned = path.next();
  ASSERT_EQ(planned.size(), 2U);
  for (std::size_t v : {1, 2}) {
    EXPECT_EQ(planned[v - 1].variant, v);
    EXPECT_EQ(planned[v - 1].fold, 0U);
    EXPECT_FALSE(planned[v - 1].warm_from);
    EXPECT_EQ(planned[v - 1].lambda, v == 1 ? 1e-2 : 1e-4) << "as strong as 1e-3 is for the first";
  }
  path.options.rows = 1000;
  planned = path.next();
  ASSERT_EQ(planned.size(), 6U) << "few rows: nets are cheap";
  EXPECT_EQ(planned[0].lambda, 3e-2);
  EXPECT_EQ(planned[2].lambda, 3e-3);
  path.options.rows = 10'000;
  add_all(path, {0.2, 0.3});
  EXPECT_TRUE(path.next().empty()) << "one fold: that is all";
}

TEST(NextNets, VariantsWithinAStandardErrorOfTheBestGoToTheOtherFolds) {
  Path path = compared();
  path.options.folds = 3;
  path.options.seed = 40;
  add_all(path, {0.08, 0.2});
  const std::vector<PlannedNet> planned = path.next();
  ASSERT_EQ(planned.size(), 4U) << "two variants on two folds";
  for (const PlannedNet& net : planned) {
    EXPECT_TRUE(net.fold == 1 || net.fold == 2);
    EXPECT_EQ(net.seed, 40 + net.fold);
    EXPECT_EQ(net.lambda, net.variant == 1 ? 1e-2 : 1e-3);
    EXPECT_NE(net.variant, 2U);
  }
  add_all(path, {0.3, 0.2, 0.1, 0.2});
  EXPECT_TRUE(path.next().empty());
  EXPECT_THAT(ensemble_of(3, path.nets), ElementsAre(4, 7, 8)) << "the best of every fold";
  path.nets[8].result.error = NAN;
  EXPECT_THAT(ensemble_of(3, path.nets), ElementsAre(4, 7, 9));
  path.nets[9].result.error = INFINITY;
  EXPECT_TRUE(ensemble_of(3, path.nets).empty()) << "a fold has none";
}

TEST(NextNets, AVariantThatBuildsOnAnotherIsTriedWhereThatOnePays) {
  Path path = compared();
  path.options.variants.push_back({.scale = 1, .builds_on = 1});
  EXPECT_EQ(path.next().size(), 2U) << "first the two simple ones";
  Path pays = path;
  add_all(pays, {0.099, 0.3});
  ASSERT_EQ(pays.next().size(), 1U) << "within a standard error of 0.09";
  EXPECT_EQ(pays.next()[0].variant, 3U);
  EXPECT_EQ(pays.next()[0].fold, 0U);
  add_all(pays, {0.2});
  EXPECT_TRUE(pays.next().empty());
  add_all(path, {0.11, 0.08});
  EXPECT_TRUE(path.next().empty());
  path = compared();
  path.options.variants.push_back({.scale = 1, .builds_on = 1});
  path.options.rows = 1000;
  EXPECT_EQ(path.next().size(), 9U) << "few rows: all at once";
}

TEST(NextNets, WhereRowsAreFewTheBestVariantsGoToTheOtherFolds) {
  Path path = compared();
  path.options.folds = 2;
  path.options.rows = 1000;
  add_all(path, {0.3, 0.2, 0.4, 0.5, 0.6, 0.7});
  const std::vector<PlannedNet> planned = path.next();
  ASSERT_EQ(planned.size(), 3U);
  EXPECT_EQ(planned[1].lambda, 1e-2) << "the best of its three";
  path.nets.push_back({.planned = {.lambda = 1, .variant = 3}, .result = {.error = 0.3}});
  path.nets.push_back({.planned = {.lambda = 1, .variant = 4}, .result = {.error = 0.4}});
  path.options.variants.resize(5);
  const std::vector<PlannedNet> best = path.next();
  ASSERT_EQ(best.size(), 4U);
  EXPECT_EQ(best[0].variant, 0U);
  EXPECT_EQ(best[3].variant, 4U) << "0.4; the third came to 0.5 at best";
}

TEST(NextNets, OthersAreNotBegunAtTheLambdaOfANetThatWasShrunk) {
  Path path = compared();
  path.nets[0].result.error = 0.08;
  path.nets[0].planned.warm_from = 1;
  path.nets[0].result.parameters = path.options.smallest_parameters;  // so that the path is complete
  EXPECT_EQ(path.next()[0].lambda, 1e-2) << "ten times 1e-3, where the best of the others is";
  path.nets[0].result.error = 0.5;
  path.nets[3].result.error = 0.085;
  path.nets[3].planned.warm_from = 2;
  EXPECT_EQ(path.next()[0].lambda, 3e-3) << "one that went on growing is like others";
}

TEST(NextNets, AnEnsembleWithoutVariantsTrainsTheBestLambdaOnTheOtherFolds) {
  Path path({0.5, 0.2, 0.1, 0.095});
  path.options.folds = 4;
  const std::vector<PlannedNet> planned = path.next();
  ASSERT_EQ(planned.size(), 3U);
  for (const PlannedNet& net : planned) EXPECT_EQ(net.lambda, path.nets[3].planned.lambda);
  EXPECT_EQ(expected_nets(path.options), 4U + 3U);
}

TEST(Judges, OnEveryFoldTheVariantThatIsBestOnTheOthers) {
  std::vector<TrainedNet> nets;
  const auto add = [&](std::size_t variant, std::size_t fold, double error) {
    nets.push_back({.planned = {.lambda = 1, .variant = variant, .fold = fold}, .result = {.error = error}});
  };
  for (const auto& [variant, errors] :
       {std::pair(0U, std::vector{0.1, 0.5, 0.5}), std::pair(1U, std::vector{0.6, 0.3, 0.2})})
    for (std::size_t fold = 0; fold < 3; ++fold) add(variant, fold, errors[fold]);
  add(0, 0, 0.9);  // another lambda, worse
  add(2, 0, 0.01);
  EXPECT_THAT(ensemble_of(3, nets), ElementsAre(7, 4, 5)) << "the best of every fold";
  EXPECT_THAT(judges_of(3, nets), ElementsAre(3, 1, 2))
      << "0.5 in all against 1; 0.6 against 0.8; 0.6 against 0.9";
  EXPECT_TRUE(judges_of(4, nets).empty()) << "no variant was trained on all folds";
}

}  // namespace
}  // namespace coppice
