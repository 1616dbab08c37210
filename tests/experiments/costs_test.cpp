#include "experiments/costs.h"

// The optimizers' own sources, compiled once more for a number that counts what is done with it.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wsubobject-linkage"  // they are no headers
#endif
#include "coppice/device/cpu/loops.cpp"
#include "coppice/device/cpu/row_dots.cpp"
#include "coppice/device/cpu/rows.cpp"
#include "coppice/device/cpu/weight_rows.cpp"
#include "coppice/training/adam.cpp"
#include "coppice/training/adarad.cpp"
#include "coppice/training/adarad_m.cpp"
#include "coppice/training/momentum.cpp"
#include "coppice/training/sgd.cpp"
#include "coppice/training/shrink.cpp"
#pragma GCC diagnostic pop

#include <algorithm>
#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A weight. Its products with whatever else is a number are counted, in double too: sums are taken in double.
struct Counted {
  double value = 0;
  Counted() = default;
  Counted(double v) : value(v) {}            // NOLINT(google-explicit-constructor)
  operator double() const { return value; }  // NOLINT(google-explicit-constructor)

  static inline Operations done;

  Counted& operator+=(Counted other) { return *this = value + other.value; }
  Counted& operator-=(Counted other) { return *this = value - other.value; }
  Counted& operator*=(Counted other) { return *this = *this * other; }
  friend Counted operator+(Counted a, Counted b) { return a.value + b.value; }
  friend Counted operator-(Counted a, Counted b) { return a.value - b.value; }
  friend Counted operator-(double a, Counted b) { return a - b.value; }
  friend Counted operator*(Counted a, Counted b) {
    ++done.multiplications;
    return a.value * b.value;
  }
  friend Counted operator*(double a, Counted b) { return Counted(a) * b; }
  friend Counted operator/(Counted a, Counted b) {
    ++done.divisions;
    return a.value / b.value;
  }
  friend Counted sqrt(Counted a) {
    ++done.roots;
    return std::sqrt(a.value);
  }
};

std::unique_ptr<Optimizer<Counted>> optimizer_of(const Method& method) {
  constexpr double rate = 0.1;
  constexpr double epsilon = 1e-8;
  switch (method.kind) {
    case OptimizerKind::adarad:
      return std::make_unique<AdaRad<Counted>>(rate, epsilon);
    case OptimizerKind::adarad_m:
      return std::make_unique<AdaRadM<Counted>>(rate, rate, epsilon);
    case OptimizerKind::momentum:
      return std::make_unique<Momentum<Counted>>(rate, false);
    case OptimizerKind::nesterov:
      return std::make_unique<Momentum<Counted>>(rate, true);
    case OptimizerKind::rmsprop:
      return std::make_unique<RmsProp<Counted>>(rate, epsilon);
    case OptimizerKind::adam:
      return std::make_unique<Adam<Counted>>(rate, rate, epsilon);
    case OptimizerKind::sgd:
      break;
  }
  return std::make_unique<Sgd<Counted>>();
}

/// Two layers of weights and gradients that are all different.
void fill(Network<Counted>& network, Workspace<Counted>& workspace) {
  for (const auto& [rows, cols] : {std::pair(5, 19), std::pair(3, 5)}) {
    Matrix<Counted>& weights = network.layers.emplace_back().weights;
    Matrix<Counted>& gradient = workspace.layers.emplace_back().weight_gradient;
    weights = Matrix<Counted>(rows, cols);
    gradient = Matrix<Counted>(rows, cols);
    double at = 0;
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      for (std::size_t i = 0; i < weights.cols(); ++i) {
        weights(j, i) = std::sin(++at);
        gradient(j, i) = 0.1 * std::cos(at * at);
      }
    }
  }
}

/// What a step of the method does to every weight, counted while it is done.
Operations operations_of(const Method& method) {
  ThreadPool pool(1);
  Network<Counted> network;
  Workspace<Counted> workspace;
  fill(network, workspace);
  const auto optimizer = optimizer_of(method);
  OptimizerStateOf<Counted> state = optimizer->start(network);
  DeadUnits dead;
  const StepSizes sizes{
      .angular = 0.1, .radial = 0.01, .shrinkage = method.shrinks ? 1e-3 : 0, .by_angle = true};
  Counted::done = {};
  EXPECT_TRUE(optimizer->step(pool, network, workspace, sizes, state, dead));
  constexpr std::size_t weights = 5 * 19 + 3 * 5;
  const auto per_weight = [&](std::size_t count) {
    EXPECT_EQ(count % weights, 0U) << method.name << ": a weight of some units costs more than others";
    return count / weights;
  };
  return {per_weight(Counted::done.multiplications), per_weight(Counted::done.divisions),
          per_weight(Counted::done.roots)};
}

const Method& method(const std::vector<Method>& all, const std::string& name) {
  return *std::ranges::find(all, name, &Method::name);
}

TEST(Costs, OperationsAreCountedInTheFormula) {
  EXPECT_EQ(count_operations("w = w - step*g"), (Operations{1, 0, 0}));
  EXPECT_EQ(count_operations("s = a*s + b*g*g; w = w - c*g/(sqrt(s) + eps)"), (Operations{4, 1, 1}));
  EXPECT_EQ(operations_text({4, 1, 1}), "4 multiplications, 1 division, 1 square root");
  EXPECT_EQ(operations_text({1, 0, 0}), "1 multiplication");
}

/// The column "computed here" is what the optimizers do.
TEST(Costs, EveryOptimizerDoesWhatThePageSaysItComputes) {
  for (const Method& one : all_methods()) {
    if (!one.runs) continue;
    EXPECT_EQ(operations_text(operations_of(one)), operations_text(count_operations(one.as_computed)))
        << one.name;
  }
}

/// The program multiplies a little more than the paper counts, as the page explains, but has no more divisions and roots.
TEST(Costs, WhatIsDoneIsNearToThePapersTable1) {
  std::size_t compared = 0;
  for (const Method& one : all_methods()) {
    if (!one.paper || !one.runs) continue;
    ++compared;
    const Operations done = operations_of(one);
    EXPECT_GE(done.multiplications, one.paper->multiplications) << one.name;
    EXPECT_LE(done.multiplications, one.paper->multiplications + 2) << one.name;
    EXPECT_EQ(done.divisions, one.paper->divisions) << one.name;
    EXPECT_EQ(done.roots, one.paper->roots) << one.name;
  }
  EXPECT_EQ(compared, 5U);
}

TEST(Costs, ShrinkageCostsAdaradNothing) {
  const std::vector<Method> all = all_methods();
  EXPECT_EQ(operations_of(method(all, "AdaRad")), operations_of(method(all, "AdaRad with shrinkage")));
  EXPECT_NE(operations_of(method(all, "SGD")), operations_of(method(all, "SGD with shrinkage")));
}

TEST(Costs, EveryStepThatThisProgramHasCanBeMeasured) {
  for (const Method& one : all_methods()) {
    if (!one.runs) continue;
    const double seconds = measure_step(one, 0.002);
    EXPECT_GT(seconds, 1e-12) << one.name;
    EXPECT_LT(seconds, 1e-6) << one.name;
  }
}

/// Costs of the three methods that the claims are about, in nanoseconds per weight.
std::vector<Claim> claims(double sgd, double adarad, double adarad_shrinking, double rmsprop) {
  std::vector<Cost> costs;
  for (const Method& one : all_methods()) costs.push_back({.method = one});
  const auto set = [&](const char* name, double nanoseconds) {
    std::ranges::find(costs, name, [](const Cost& cost) { return cost.method.name; })->seconds =
        1e-9 * nanoseconds;
  };
  set("SGD", sgd);
  set("AdaRad", adarad);
  set("AdaRad with shrinkage", adarad_shrinking);
  set("RMSprop", rmsprop);
  return table1_claims(costs);
}

TEST(Table1Claims, AdaradStandsBetweenSgdAndRmsprop) {
  EXPECT_EQ(claims(0.1, 0.2, 0.2, 0.3)[1].judged.verdict, Verdict::holds);
  EXPECT_EQ(claims(0.2, 0.2, 0.2, 0.3)[1].judged.verdict, Verdict::fails);
  EXPECT_EQ(claims(0.1, 0.2, 0.3, 0.3)[1].judged.verdict, Verdict::fails);
  EXPECT_EQ(claims(0.1, 0.2, 0.2, 0.3)[1].measured, "ns per weight: SGD 0.100, AdaRad 0.200, RMSprop 0.300");
}

TEST(Table1Claims, ShrinkageIsFreeWithinATenth) {
  EXPECT_EQ(claims(0.1, 0.2, 0.219, 0.3)[2].judged.verdict, Verdict::holds);
  EXPECT_EQ(claims(0.1, 0.2, 0.181, 0.3)[2].judged.verdict, Verdict::holds);
  EXPECT_EQ(claims(0.1, 0.2, 0.221, 0.3)[2].judged.verdict, Verdict::fails);
}

TEST(Table1Claims, FormulasThatNeedMoreThanThePaperSaysAreNamed) {
  std::vector<Cost> costs;
  for (const Method& one : all_methods()) costs.push_back({.method = one, .seconds = 1e-9});
  EXPECT_EQ(table1_claims(costs)[0].judged.verdict, Verdict::holds);
  EXPECT_THAT(table1_claims(costs)[0].measured, HasSubstr("all 6 the same"));
  costs[2].method.formula += "; w = k*w";
  EXPECT_EQ(table1_claims(costs)[0].judged.verdict, Verdict::fails);
  EXPECT_THAT(table1_claims(costs)[0].measured, AllOf(HasSubstr("AdaRad: 5 mult"), Not(HasSubstr("SGD"))));
}

}  // namespace
}  // namespace coppice::experiments
