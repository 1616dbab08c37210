#include "coppice/exports/unit_inputs.h"

#include "tests/exports/exported_models.h"
#include "tests/exports/interpreter.h"

#include <cmath>

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// The sizes of what a unit of the first layer sums, all together.
double sum_of_sizes(const LoweredModel& model, const Table& rows, std::size_t row, std::size_t unit) {
  const std::vector<float> all = test::Interpreter(model).inputs(rows, row);
  const LoweredNet& net = model.nets.front();
  double sum = std::fabs(net.layers.front().bias[unit]);
  for (std::size_t i = 0; i < net.inputs.size(); ++i)
    sum += std::fabs(net.layers.front().weights(unit, i) * all[net.inputs[i]]);
  return sum;
}

// Sums of large numbers that cancel have lost their last digits.
TEST(UnitInputs, ThatHardlyVaryAreNotSummedAsLargeNumbersThatCancel) {
  const Table rows = test::usual_table(5);
  const LoweredModel model = lower(Model(test::model_of_all_kinds(test::usual_table(20'000), "kind", {6})));
  float steepest = 0;
  for (const InputScale& input : model.inputs) steepest = std::max(steepest, input.factor);
  ASSERT_GT(steepest, 40);
  LoweredModel folded = model;
  fold_unit_inputs(folded);
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    for (std::size_t unit = 0; unit < 6; ++unit) {
      double weights = 0;
      for (const float weight : model.nets.front().layers.front().weights.row(unit))
        weights += std::fabs(weight);
      EXPECT_LE(sum_of_sizes(folded, rows, row, unit), 2 * (weights + sum_of_sizes(model, rows, row, unit)));
    }
  }
}

TEST(UnitInputs, BinsThatAreCountedFromOneComeFirst) {
  LoweredModel model = lower(Model(test::model_of_all_kinds(test::usual_table(20'000), "kind", {6})));
  fold_unit_inputs(model);
  std::size_t ones = 0;
  for (const Feature& feature : model.features) {
    for (std::size_t t = 0; t < feature.bins(); ++t) {
      const float offset = model.inputs[feature.first_bin() + t].offset;
      EXPECT_TRUE(offset == 0 || offset == 1);
      EXPECT_TRUE(t == 0 || offset <= model.inputs[feature.first_bin() + t - 1].offset);
      ones += offset == 1 ? 1 : 0;
    }
  }
  EXPECT_GT(ones, 0U);
}

}  // namespace
}  // namespace coppice
