#include "coppice/training/cpu_population.h"

#include "tests/openmp.h"
#include "tests/training/problems.h"

#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

// Several trainings in one program know nothing of each other. Built with --sanitize=thread, this is also the proof that
// they share nothing unguarded.
namespace coppice {
namespace {

struct Task {
  OptimizerKind optimizer = OptimizerKind::adarad;
  Precision precision = Precision::fp32;
  std::size_t threads = 1;
  std::uint64_t seed = 0;
};

/// Nets that grow and shrink, each training with a pool of its own.
std::vector<NetRun> train_one(const Dataset& data, const Task& task) {
  TrainingOptions options;
  options.optimizer = task.optimizer;
  options.precision = task.precision;
  options.batch_size = 50;
  options.start_units = 4;
  options.add_units = 0.7;
  options.additions_per_epoch = 4;
  options.unit_lifetime = 3;
  options.angle = 0.05;
  options.max_epochs = 12;
  ThreadPool pool(task.threads);
  const Trainer trainer(pool, options);
  std::vector<NetData> datas;
  std::vector<NetRun> runs;
  for (std::size_t id = 0; id < 3; ++id) {
    datas.push_back(net_data(data, data, 2));
    runs.push_back(trainer.start(id, 1e-3, task.seed + id, datas.back()));
  }
  CpuPopulation population(pool, trainer, datas, std::move(runs));
  Recorder recorder;
  population.train(recorder, never);
  return population.runs();
}

void expect_undisturbed(const std::vector<NetRun>& a, const std::vector<NetRun>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(a[i].current == b[i].current) << "net " << i;
    EXPECT_TRUE(a[i].kept == b[i].kept) << "net " << i;
    EXPECT_EQ(a[i].next_unit, b[i].next_unit);
  }
}

const std::vector<Task> tasks{{OptimizerKind::adarad, Precision::fp32, 2, 1},
                              {OptimizerKind::adarad_m, Precision::fp32, 1, 5},
                              {OptimizerKind::adarad, Precision::bf16, 2, 9}};

TEST(TwoTrainingsAtOnce, GetTheBytesThatEachGetsAlone) {
  const Dataset data = xor_dataset(300, 1);
  std::vector<std::vector<NetRun>> alone;
  for (const Task& task : tasks) alone.push_back(train_one(data, task));
  EXPECT_GT(alone[0][0].next_unit, 10U) << "units are born";
  EXPECT_FALSE(alone[0][0].current == alone[2][0].current) << "the tasks differ";
  for (int round = 0; round < 2; ++round) {
    std::vector<std::vector<NetRun>> together(tasks.size());
    std::vector<std::thread> hosts;
    for (std::size_t i = 0; i < tasks.size(); ++i)
      hosts.emplace_back([&, i] { together[i] = train_one(data, tasks[i]); });
    for (std::thread& host : hosts) host.join();
    for (std::size_t i = 0; i < tasks.size(); ++i) expect_undisturbed(together[i], alone[i]);
  }
}

TEST(TwoTrainingsAtOnce, LeaveTheHostsOpenMpAsItWas) {
  const test::OpenMp openmp;
  if (!openmp.there()) GTEST_SKIP() << "products of this build do without OpenMP";
  const Dataset data = xor_dataset(300, 1);
  const int before = openmp.get();
  openmp.set(6);
  train_one(data, tasks[0]);
  EXPECT_EQ(openmp.get(), 6);
  openmp.set(before);
}

}  // namespace
}  // namespace coppice
