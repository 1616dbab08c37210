#include "coppice/analysis/interval_metrics.h"

#include "coppice/analysis/evaluation_json.h"
#include "coppice/model/parts.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

ModelParts parts_of(Task task) {
  ModelParts model;
  model.encoding.task = task;
  model.encoding.target.mean = 10;
  model.encoding.target.deviation = 2;
  if (task == Task::classification) model.encoding.target.classes = {"a", "b", "c"};
  return model;
}

TEST(IntervalMetrics, CountNumbersBetweenTheBounds) {
  const Intervals intervals{.lower = {9, 9, 9, 9}, .upper = {11, 12, 13, 14}, .sets = {}};
  KnownRows known;
  known.targets = {0, -0.5F, 2, -1};  // 10, 9, 14, 8
  const IntervalMetrics metrics = measure_intervals(parts_of(Task::regression), intervals, known, 0.9);
  EXPECT_DOUBLE_EQ(metrics.level, 0.9);
  EXPECT_DOUBLE_EQ(metrics.coverage, 0.5);
  EXPECT_DOUBLE_EQ(metrics.mean_size, 3.5);
}

TEST(IntervalMetrics, CountClassesInTheSetsByWeight) {
  const Intervals intervals{.lower = {}, .upper = {}, .sets = {1, 0, 0, 1, 1, 0, 1, 1, 1}};
  KnownRows known;
  known.labels = {1, 1, 3};
  EXPECT_DOUBLE_EQ(measure_intervals(parts_of(Task::classification), intervals, known, 0.9).coverage, 1.0 / 3)
      << "a class that training never saw is in no set";
  known.labels = {1, 1, 2};
  known.weights = {2, 1, 1};
  const IntervalMetrics metrics = measure_intervals(parts_of(Task::classification), intervals, known, 0.9);
  EXPECT_DOUBLE_EQ(metrics.coverage, 0.5);
  EXPECT_DOUBLE_EQ(metrics.mean_size, (2 + 2 + 3) / 4.0);
}

TEST(IntervalMetrics, AreInJsonOnlyIfAskedFor) {
  Evaluation evaluation;
  EXPECT_FALSE(metrics_json(evaluation).contains("interval"));
  evaluation.interval = IntervalMetrics{.level = 0.9, .coverage = 0.875, .mean_size = 1.5};
  EXPECT_EQ(metrics_json(evaluation)["interval"].dump(), R"({"level":0.9,"coverage":0.875,"mean_size":1.5})");
  evaluation.task = Task::regression;
  EXPECT_EQ(metrics_json(evaluation)["interval"]["mean_width"], 1.5);
}

}  // namespace
}  // namespace coppice
