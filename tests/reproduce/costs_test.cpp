#include "coppice/reproduce/costs.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace coppice::reproduce {
namespace {

const Method& method(const std::vector<Method>& all, const std::string& name) {
  return *std::ranges::find(all, name, &Method::name);
}

TEST(Costs, OperationsAreCountedInTheFormula) {
  EXPECT_EQ(count_operations("w = w - step*g"), (Operations{1, 0, 0}));
  EXPECT_EQ(count_operations("s = a*s + b*g*g; w = w - c*g/(sqrt(s) + eps)"), (Operations{4, 1, 1}));
  EXPECT_EQ(operations_text({4, 1, 1}), "4 multiplications, 1 division, 1 square root");
  EXPECT_EQ(operations_text({1, 0, 0}), "1 multiplication");
}

TEST(Costs, TheCountsAreThoseOfThePapersTable1) {
  for (const Method& one : all_methods()) {
    if (one.paper) {
      EXPECT_EQ(count_operations(one.formula), *one.paper) << one.name;
    }
    if (!one.runs) continue;
    EXPECT_GE(count_operations(one.as_computed).multiplications,
              count_operations(one.formula).multiplications)
        << one.name;
  }
}

TEST(Costs, AdaradNeedsLessThanRmspropAndNothingMoreForShrinkage) {
  const std::vector<Method> all = all_methods();
  const Operations adarad = count_operations(method(all, "AdaRad with shrinkage").formula);
  const Operations rmsprop = count_operations(method(all, "RMSprop").formula);
  EXPECT_EQ(adarad, count_operations(method(all, "AdaRad").formula));
  EXPECT_LE(adarad.multiplications, rmsprop.multiplications);
  EXPECT_LT(adarad.divisions + adarad.roots, rmsprop.divisions + rmsprop.roots);
}

TEST(Costs, EveryStepThatThisProgramHasCanBeMeasured) {
  for (const Method& one : all_methods()) {
    if (!one.runs) continue;
    const double seconds = measure_step(one, 0.002);
    EXPECT_GT(seconds, 1e-12) << one.name;
    EXPECT_LT(seconds, 1e-6) << one.name;
  }
}

}  // namespace
}  // namespace coppice::reproduce
