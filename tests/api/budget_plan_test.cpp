#include "coppice/api/budget_plan.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

namespace coppice {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A table of columns of so many inputs each, three classes, and a path of two nets: one of 100 parameters that is bad, one
/// of 1,000 that is good.
struct Planned {
  explicit Planned(std::vector<std::size_t> widths, std::size_t budget) {
    options.lambdas = {1e-2, 1e-3};
    options.budget.parameters = budget;
    options.fixed.layers = 2;
    options.fixed.widths = std::move(widths);
    options.fixed.size_of = [this](const Columns& columns, const HiddenUnits& hidden) {
      return Candidate{
          .error = 0, .standard_error = 0, .parameters = parameters(columns, hidden), .bytes = 0};
    };
    options.fixed.ranking = [this](std::size_t net) {  // the last column matters most
      Columns all = nets[net].planned.columns;
      if (all.empty()) {
        all.resize(options.fixed.widths.size());
        std::iota(all.begin(), all.end(), 0U);
      }
      std::ranges::reverse(all);
      return all;
    };
    options.fixed.telling = [this] { return options.fixed.ranking(0); };
    add(grown(1e-2), 0.5, 100);
    add(grown(1e-3), 0.1, 1000);
  }
  Planned(const Planned&) = delete;
  Planned& operator=(const Planned&) = delete;

  static PlannedNet grown(double lambda) {
    PlannedNet net;
    net.lambda = lambda;
    return net;
  }
  std::size_t parameters(const Columns& columns, const HiddenUnits& hidden) const {
    std::size_t below = 0;
    for (std::size_t c = 0; c < options.fixed.widths.size(); ++c) {
      if (columns.empty() || std::ranges::count(columns, c) > 0) below += options.fixed.widths[c];
    }
    std::size_t count = 0;
    for (const std::size_t units : hidden) {
      count += units * (below + 2);
      below = units;
    }
    return count + 3 * below;
  }
  void add(const PlannedNet& net, double error, std::size_t size) {
    nets.push_back(
        {.planned = net, .result = {.error = error, .standard_error = 0.02, .parameters = size, .bytes = 0}});
  }
  /// They come to these errors.
  void finish(const std::vector<PlannedNet>& planned, double error) {
    for (const PlannedNet& net : planned) add(net, error, parameters(net.columns, net.fixed_size));
  }
  std::vector<PlannedNet> next() const { return next_nets(options, nets); }

  PlanOptions options;
  std::vector<TrainedNet> nets;
};

TEST(Widest, FillsWhatThereIs) {
  const auto within = [](std::size_t most) {
    return [most](const HiddenUnits& hidden) {
      return hidden.size() == 1 ? hidden[0] * 42 <= most
                                : hidden[0] * 16 + hidden[0] * hidden[1] + hidden[1] * 26 <= most;
    };
  };
  EXPECT_THAT(widest(1, within(500)), ElementsAre(11));
  EXPECT_THAT(widest(1, within(42)), ElementsAre(1));
  EXPECT_THAT(widest(1, within(41)), IsEmpty());
  EXPECT_THAT(widest(2, within(500)), ElementsAre(10, 9)) << "9-9 leaves room for one more";
  EXPECT_THAT(widest(1, within(42'000'000)), ElementsAre(1'000'000));
}

TEST(BudgetNets, OneForEachDepthAndSeedAndAllColumnsFirst) {
  Planned plan({1, 1, 1, 1}, 90);
  plan.options.seed = 5;
  plan.options.seeds = 2;
  const std::vector<PlannedNet> nets = plan.next();
  ASSERT_THAT(nets, SizeIs(4));
  for (std::size_t i = 0; i < nets.size(); ++i) {
    EXPECT_EQ(nets[i].fixed_size.size(), 1 + i % 2);
    EXPECT_EQ(nets[i].seed, 5 + i / 2);
    EXPECT_EQ(nets[i].lambda, 0);
    EXPECT_TRUE(nets[i].columns.empty());
    EXPECT_FALSE(nets[i].warm_from);
  }
  EXPECT_THAT(nets[0].fixed_size, ElementsAre(10)) << "each costs 4 + 2 + 3";
}

TEST(BudgetNets, WithoutABudgetOrWhereTheyAreNotWantedThereAreNone) {
  Planned free({1, 1}, 90);
  free.options.budget = {};
  EXPECT_THAT(free.next(), IsEmpty());
  Planned unwanted({1, 1}, 110);
  unwanted.options.fixed.layers = 0;
  for (const PlannedNet& net : unwanted.next()) EXPECT_THAT(net.fixed_size, IsEmpty());
}

TEST(BudgetNets, AreNoLargerThanWhatThePathHasGrown) {
  Planned ample({1, 1, 1, 1}, 1'000'000);
  for (const PlannedNet& net : ample.next()) EXPECT_LE(ample.parameters(net.columns, net.fixed_size), 1000U);
  ample.nets[1].result.parameters = 40;
  ample.nets[0].result.parameters = 30;
  ample.options.fixed.ample = 200;
  const std::vector<PlannedNet> nets = ample.next();
  ASSERT_FALSE(nets.empty());
  EXPECT_GT(ample.parameters({}, nets[0].fixed_size), 180U) << "a path that shrank to nothing is no measure";
  EXPECT_LE(ample.parameters({}, nets[0].fixed_size), 200U);
}

TEST(BudgetNets, ThenComeNetsThatSeeHalfTheColumnsUntilThatCosts) {
  Planned plan({1, 1, 1, 1, 1, 1, 1, 1}, 90);
  plan.finish(plan.next(), 0.3);
  std::vector<PlannedNet> half = plan.next();
  ASSERT_THAT(half, SizeIs(2));
  EXPECT_THAT(half[0].columns, ElementsAre(4, 5, 6, 7)) << "of the best net's ranking, in their order";
  EXPECT_THAT(half[0].fixed_size, ElementsAre(10));
  plan.finish(half, 0.31);  // within a standard error
  half = plan.next();
  ASSERT_THAT(half, SizeIs(2));
  EXPECT_THAT(half[0].columns, ElementsAre(6, 7));
  plan.finish(half, 0.33);
  for (const PlannedNet& net : plan.next()) {
    EXPECT_NE(net.columns.size(), 1U);
    EXPECT_GT(net.beginning, 0U) << "nothing but what was tried before";
  }
}

TEST(BudgetNets, TheBestIsBegunAgainOnTheSameRows) {
  Planned plan({1, 1, 1, 1, 1, 1, 1, 1}, 90);
  plan.options.seed = 5;
  const std::vector<PlannedNet> first = plan.next();
  ASSERT_THAT(first, SizeIs(2));
  plan.finish({first[0]}, 0.3);
  plan.finish({first[1]}, 0.4);
  plan.finish(plan.next(), 0.5);
  const std::vector<PlannedNet> again = plan.next();
  ASSERT_THAT(again, SizeIs(14)) << "of 78 parameters each: the path's nets have 1,100";
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(again[i].fixed_size, first[0].fixed_size);
    EXPECT_THAT(again[i].columns, IsEmpty());
    EXPECT_EQ(again[i].beginning, i + 1);
    EXPECT_EQ(again[i].seed, 5 + again[i].beginning);
    EXPECT_EQ(again[i].rows_seed(), 5U);
  }
  plan.finish(again, 0.2);
  for (const PlannedNet& net : plan.next()) EXPECT_THAT(net.fixed_size, IsEmpty()) << "once is enough";
}

TEST(BudgetNets, KindsThatAreAsGoodAsTheBestTakeTurnsToBeBegunAgain) {
  Planned plan({1, 1, 1, 1, 1, 1, 1, 1}, 90);
  plan.nets[1].result.parameters = 1'000'000;
  const std::vector<PlannedNet> first = plan.next();
  plan.finish({first[0]}, 0.3);
  plan.finish({first[1]}, 0.31);  // within a standard error
  const std::vector<PlannedNet> half = plan.next();
  plan.finish(half, 0.33);
  const std::vector<PlannedNet> again = plan.next();
  ASSERT_THAT(again, SizeIs(32)) << "that is the most";
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(again[i].fixed_size, first[i % 2].fixed_size);
    EXPECT_EQ(again[i].beginning, 1 + i / 2);
  }
}

TEST(BudgetNets, ColumnsThatTellMuchByThemselvesAreTriedToo) {
  Planned plan({1, 1, 1, 1, 1, 1, 1, 1}, 90);
  plan.options.fixed.telling = [] { return Columns{7, 0, 1, 2, 3, 4, 5, 6}; };
  plan.finish(plan.next(), 0.3);
  const std::vector<PlannedNet> half = plan.next();
  ASSERT_THAT(half, SizeIs(4));
  EXPECT_THAT(half[0].columns, ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(half[2].columns, ElementsAre(0, 1, 2, 7));
  plan.finish({half[0], half[1]}, 0.3);
  plan.finish({half[2], half[3]}, 0.25);
  const std::vector<PlannedNet> quarter = plan.next();
  ASSERT_THAT(quarter, SizeIs(4));
  EXPECT_THAT(quarter[0].columns, ElementsAre(2, 7)) << "of the better ones";
  EXPECT_THAT(quarter[2].columns, ElementsAre(0, 7));
}

TEST(BudgetNets, ABudgetThatTheBestNetFitsDropsNoColumn) {
  Planned plan({1, 1, 1, 1}, 2000);
  plan.finish(plan.next(), 0.3);
  EXPECT_THAT(plan.next(), IsEmpty());
}

TEST(BudgetNets, WhereAllColumnsAreTooManySomeUnitsFitAtOnce) {
  Planned plan(std::vector<std::size_t>(20'000, 1), 500);
  plan.nets[0].result.parameters = 20'007;
  const std::vector<PlannedNet> nets = plan.next();
  ASSERT_FALSE(nets.empty());
  EXPECT_EQ(nets[0].columns.size(), 78U) << "20,000 halved eight times";
  EXPECT_EQ(nets[0].columns.back(), 19'999U);
  EXPECT_THAT(nets[0].fixed_size, ElementsAre(6));
}

TEST(BudgetNets, OneUnitIsBetterThanNothing) {
  Planned plan({30, 30, 2, 40}, 9);
  plan.nets[0].result.parameters = 200;
  std::vector<PlannedNet> nets = plan.next();
  ASSERT_THAT(nets, SizeIs(1));
  EXPECT_THAT(nets[0].columns, ElementsAre(2)) << "the narrowest";
  EXPECT_THAT(nets[0].fixed_size, ElementsAre(1));
  EXPECT_EQ(plan.parameters(nets[0].columns, nets[0].fixed_size), 7U);

  Planned none({30, 30, 2, 40}, 5);
  none.nets[0].result.parameters = 200;
  nets = none.next();
  ASSERT_THAT(nets, SizeIs(1)) << "the least there can be, so that it can be told";
  EXPECT_THAT(nets[0].columns, ElementsAre(2));
  none.finish(nets, 0.9);
  EXPECT_THAT(none.next(), IsEmpty());
}

TEST(BudgetNets, AllFitAndThereIsAnEnd) {
  for (const std::size_t columns : {1U, 3U, 17U, 400U}) {
    for (const std::size_t budget : {20U, 77U, 300U, 5000U}) {
      Planned plan(std::vector<std::size_t>(columns, 1 + columns % 3), budget);
      plan.nets[0].result.parameters = 6000;
      plan.nets[1].result.parameters = 9000;
      std::size_t rounds = 0;
      for (std::vector<PlannedNet> more = plan.next(); !more.empty(); more = plan.next()) {
        ASSERT_LT(++rounds, 20U);
        for (const PlannedNet& net : more)
          EXPECT_LE(plan.parameters(net.columns, net.fixed_size), budget) << columns;
        plan.finish(more, 0.3);
      }
    }
  }
}

TEST(BudgetNets, AreNoPointsOfThePath) {
  Planned plan({1, 1, 1, 1}, 90);
  plan.options.path = true;
  plan.add(Planned::grown(3e-4), 0.095, 2000);  // the path has flattened
  const std::vector<PlannedNet> nets = plan.next();
  ASSERT_FALSE(nets.empty());
  EXPECT_FALSE(nets[0].fixed_size.empty()) << "that no net fits extends no path where others will";
  plan.finish(nets, 0.01);
  for (const PlannedNet& net : plan.next()) EXPECT_FALSE(net.fixed_size.empty());
}

TEST(BudgetNets, AnErrorThatIsNoNumberPlansNothing) {
  Planned plan({1, 1, 1, 1}, 90);
  plan.finish(plan.next(), std::nan(""));
  for (TrainedNet& net : plan.nets) net.result.error = std::nan("");
  EXPECT_THAT(plan.next(), IsEmpty());
}

}  // namespace
}  // namespace coppice
