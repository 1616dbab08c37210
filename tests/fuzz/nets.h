#pragma once

#include "coppice/training/trainer.h"

#include <cstddef>
#include <numeric>
#include <vector>

namespace coppice::fuzz {

/// Small nets of several optimizers, as they start and after some epochs: what checkpoints are made of.
class StartedNets {
 public:
  StartedNets() {
    dataset_.inputs = Matrix<float>(24, 2);
    for (std::size_t i = 0; i < 24; ++i) {
      dataset_.inputs(i, 0) = static_cast<float>(i % 7) / 3 - 1;
      dataset_.inputs(i, 1) = static_cast<float>(i % 5) / 2 - 1;
      dataset_.labels.push_back(i % 3 == 0 ? 1 : 0);
    }
    data_.train = data_.validation = &dataset_;
    data_.train_rows.resize(18);
    std::iota(data_.train_rows.begin(), data_.train_rows.end(), 0U);
    data_.validation_rows.resize(6);
    std::iota(data_.validation_rows.begin(), data_.validation_rows.end(), 18U);
    data_.classes = 2;
    TrainingOptions options;
    options.hidden_layers = 1;  // the smaller a file, the more of them can be tried
    options.start_units = 2;
    options.batch_size = 9;
    options.unit_lifetime = 2;
    options.patience = 3;
    add(options);
    options.optimizer = OptimizerKind::adarad_m;
    add(options);
    options.optimizer = OptimizerKind::adam;
    options.norm = Norm::batchnorm_affine;
    add(options);
  }

  std::size_t size() const { return started_.size(); }
  const NetRun& run(std::size_t which) const { return started_[which % started_.size()]; }
  NetRun trained(std::size_t which, int epochs) const {
    NetRun run = started_[which];
    Workspace<float> workspace;
    for (int i = 0; i < epochs; ++i) trainers_[which].train_epoch(run, data_, workspace, {});
    return run;
  }

 private:
  void add(const TrainingOptions& options) {
    trainers_.emplace_back(pool_, options);
    started_.push_back(trainers_.back().start(3, 1e-2, 9, data_));
  }

  Dataset dataset_;
  NetData data_;
  ThreadPool pool_{1};
  std::vector<Trainer> trainers_;
  std::vector<NetRun> started_;
};

}  // namespace coppice::fuzz
