#pragma once

#include "coppice/training/cpu_population.h"
#include "coppice/training/cuda_population.h"

#include "tests/training/problems.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

// The same nets trained by both devices.
namespace coppice {

/// Nets of several lambdas and seeds, each with rows of its own.
struct Problem {
  explicit Problem(std::size_t inputs = 13, std::size_t classes = 3, std::size_t rows = 503)
      : data(random_dataset(rows, inputs, classes, 3)) {
    for (std::size_t i = 0; i < rows && classes > 0; ++i) {  // something to learn
      data.labels[i] = data.inputs(i, 0) * data.inputs(i, 1) > 0 ? 1 : data.inputs(i, 2) > 1 ? 2 : 0;
    }
    for (std::size_t id = 0; id < 5; ++id) {
      NetData net{
          .train = &data, .train_rows = {}, .validation = &data, .validation_rows = {}, .classes = classes};
      for (std::size_t i = 0; i < rows; ++i) {
        ((i + id) % 5 == 0 ? net.validation_rows : net.train_rows).push_back(static_cast<std::uint32_t>(i));
      }
      nets.push_back(net);
    }
  }
  std::vector<NetRun> start(const Trainer& trainer) const {
    std::vector<NetRun> runs;
    for (std::size_t id = 0; id < nets.size(); ++id) {
      runs.push_back(trainer.start(id, id % 2 == 0 ? 1e-3 : 2e-2, id, nets[id]));
    }
    return runs;
  }
  Dataset data;
  std::vector<NetData> nets;
};

/// Ten steps per epoch, four additions of units.
inline TrainingOptions ten_steps() {
  TrainingOptions options;
  options.batch_size = 41;
  options.start_units = 6;
  options.add_units = 1.5;
  options.additions_per_epoch = 4;
  options.patience = 4;
  options.fine_patience = 2;
  options.precision = Precision::fp32;
  return options;
}

/// Every other unit's penalised fan is so short, `shortest` at least, that some die within an epoch.
inline std::vector<NetRun> start_with_short_units(const Problem& problem, const TrainingOptions& options,
                                                  float shortest) {
  ThreadPool pool(1);
  std::vector<NetRun> runs = problem.start(Trainer(pool, options));
  for (NetRun& run : runs) {
    std::vector<Layer<float>>& layers = run.current.network.layers;
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
      for (std::size_t j = 0; j < layers[l].weights.rows(); j += 2) {
        const float factor = shortest * static_cast<float>(j + 1);
        if (options.regularizer.fan == Fan::fan_in) {
          for (float& weight : layers[l].weights.row(j)) weight *= factor;
        } else {
          for (std::size_t k = 0; k < layers[l + 1].weights.rows(); ++k)
            layers[l + 1].weights(k, j) *= factor;
        }
      }
    }
    run.kept = run.current;
  }
  return runs;
}

struct Result {
  std::vector<NetRun> runs;
  std::vector<EpochReport> reports;
};

inline Result train_on(bool gpu, const Problem& problem, const TrainingOptions& options,
                       std::vector<NetRun> from = {}) {
  ThreadPool pool(2);
  const Trainer trainer(pool, options);
  if (from.empty()) from = problem.start(trainer);
  for (NetRun& run : from) {  // goes on if max_epochs is larger now
    run.stopped = run.epoch >= options.max_epochs;
  }
  std::unique_ptr<Population> population;
  if (gpu) {
    population = make_cuda_population(pool, trainer, problem.nets, std::move(from));
  } else {
    population = std::make_unique<CpuPopulation>(pool, trainer, problem.nets, std::move(from));
  }
  Recorder recorder;
  population->train(recorder, never);
  return {population->runs(), recorder.reports};
}

inline double relative_difference(const Matrix<float>& x, const Matrix<float>& y, double least) {
  double worst = 0;
  if (x.rows() != y.rows() || x.cols() != y.cols()) return INFINITY;
  for (std::size_t j = 0; j < x.rows(); ++j) {
    double length = 0;
    double difference = 0;
    for (std::size_t i = 0; i < x.cols(); ++i) {
      length += static_cast<double>(x(j, i)) * x(j, i);
      difference += std::pow(static_cast<double>(x(j, i)) - y(j, i), 2);
    }
    worst = std::max(worst, std::sqrt(difference / std::max(length, least * least)));
  }
  return worst;
}

inline double relative_difference(const std::vector<double>& x, const std::vector<double>& y, double least) {
  if (x.size() != y.size()) return INFINITY;
  double worst = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    worst = std::max(worst, std::abs(x[j] - y[j]) / std::max(std::abs(x[j]), least));
  }
  return worst;
}

/// The largest difference of two nets in any unit: of fan-ins by their length, of what is remembered by its size.
/// Running means per weight shorter than `least` are rounding.
inline double relative_difference(const NetState& a, const NetState& b, double least = 1e-3) {
  double worst = 0;
  for (std::size_t l = 0; l < a.network.layers.size(); ++l) {
    const Layer<float>& x = a.network.layers[l];
    const Layer<float>& y = b.network.layers[l];
    const OptimizerState::LayerState& p = a.optimizer.layers[l];
    const OptimizerState::LayerState& q = b.optimizer.layers[l];
    worst = std::max(
        {worst, relative_difference(x.weights, y.weights, 1e-6),
         relative_difference(x.affine, y.affine, 1e-6), relative_difference(p.average, q.average, 1e-30),
         relative_difference(p.capacity, q.capacity, 1),
         relative_difference(p.mean_capacity, q.mean_capacity, 1), relative_difference(p.mean, q.mean, least),
         relative_difference(p.square, q.square, least * least),
         relative_difference(p.affine_mean, q.affine_mean, least),
         relative_difference(p.affine_square, q.affine_square, least * least)});
  }
  return worst;
}

inline void expect_same_events(const std::vector<UnitEvent>& a, const std::vector<UnitEvent>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].unit, b[i].unit);
    EXPECT_EQ(a[i].layer, b[i].layer);
  }
}

/// Compares nets after an epoch that ended with their step `steps`; how many units were born and died in all of them.
inline std::pair<std::size_t, std::size_t> expect_equal(const Result& cpu, const Result& gpu,
                                                        double tolerance, std::size_t steps = 10) {
  std::size_t births = 0;
  std::size_t deaths = 0;
  for (std::size_t i = 0; i < cpu.runs.size(); ++i) {
    const auto of_net = [&](const EpochReport& report) { return report.net == i; };
    const auto a = std::ranges::find_if(cpu.reports, of_net);
    const auto b = std::ranges::find_if(gpu.reports, of_net);
    if (a == cpu.reports.end() || b == gpu.reports.end()) {
      ADD_FAILURE() << "no report on net " << i;
      continue;
    }
    expect_same_events(a->born, b->born);
    expect_same_events(a->died, b->died);
    EXPECT_EQ(a->hidden_units, b->hidden_units);
    EXPECT_EQ(a->steps, steps);
    EXPECT_EQ(b->steps, steps);
    EXPECT_NEAR(a->train_loss, b->train_loss, 1e-4 * a->train_loss);
    births += a->born.size();
    deaths += a->died.size();
    for (std::size_t l = 0; l < cpu.runs[i].current.network.layers.size(); ++l) {
      EXPECT_EQ(cpu.runs[i].current.network.layers[l].units, gpu.runs[i].current.network.layers[l].units);
      EXPECT_EQ(cpu.runs[i].current.network.layers[l].kinks, gpu.runs[i].current.network.layers[l].kinks);
    }
    EXPECT_EQ(cpu.runs[i].next_unit, gpu.runs[i].next_unit);
    EXPECT_LT(relative_difference(cpu.runs[i].current, gpu.runs[i].current), tolerance) << "net " << i;
  }
  return {births, deaths};
}

}  // namespace coppice
