#pragma once

#include "coppice/training/cpu_population.h"

#include "tests/network/fixture.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace coppice {

/// All rows of `train` for training, all of `validation` for validation.
inline NetData net_data(const Dataset& train, const Dataset& validation, std::size_t classes) {
  return {.train = &train,
          .train_rows = all_rows(train),
          .validation = &validation,
          .validation_rows = all_rows(validation),
          .classes = classes};
}

/// Inputs that say nothing: every gradient of a weight is zero.
inline Dataset blank_dataset(std::size_t rows, std::size_t inputs) {
  Dataset data = random_dataset(rows, inputs, 2, 1);
  for (std::size_t i = 0; i < rows; ++i) std::ranges::fill(data.inputs.row(i), 0.0F);
  return data;
}

/// Two noisy classes in the plane: the sign of the product of the two inputs.
inline Dataset xor_dataset(std::size_t rows, std::uint64_t seed) {
  Dataset data = random_dataset(rows, 2, 2, seed);
  for (std::size_t i = 0; i < rows; ++i) data.labels[i] = data.inputs(i, 0) * data.inputs(i, 1) > 0 ? 1 : 0;
  return data;
}

/// Labels that a small net can learn, so that some units live while others die.
inline Dataset learnable_dataset() {
  Dataset data = random_dataset(300, 5, 3, 1);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const std::span<const float> x = std::as_const(data.inputs).row(i);
    data.labels[i] = (x[0] > 0 ? 1U : 0U) + (x[1] * x[2] > 0 ? 1U : 0U);
  }
  return data;
}

inline bool never() {
  return false;
}

/// One epoch that nobody interrupts.
inline EpochReport train_epoch(const Trainer& trainer, NetRun& run, const NetData& data) {
  Workspace<float> workspace;
  return trainer.train_epoch(run, data, workspace, never).value();
}

/// Remembers every report.
class Recorder final : public NetObserver {
 public:
  void on_epoch(const NetRun& run, const EpochReport& report) override {
    reports.push_back(report);
    last = run;
  }
  std::vector<EpochReport> reports;
  std::optional<NetRun> last;
};

}  // namespace coppice
