#pragma once

#include "coppice/training/trainer.h"

#include <cstddef>
#include <string>
#include <vector>

namespace coppice {

/// Fixed widths, inputs first and classes last, and rows of noise: times do not depend on what the numbers
/// are.
struct Workload {
  std::vector<std::size_t> widths;
  std::size_t rows = 50000;
  std::size_t validation_rows = 10000;
  std::size_t batch = 1000;

  std::size_t inputs() const { return widths.front(); }
  std::size_t classes() const { return widths.back(); }
  std::vector<std::size_t> hidden() const { return {widths.begin() + 1, widths.end() - 1}; }
  std::size_t layers() const { return widths.size() - 1; }
  std::size_t steps() const { return rows / batch; }
  std::string name() const;  ///< "784-200-40-10"
  /// Multiplications of an epoch's products.
  double multiplications() const;
};

/// The nets that the figures are about.
Workload mnist_net();
Workload poker_net();

/// Training rows first, then validation rows.
Dataset noise(const Workload& work);
NetData net_data(const Workload& work, const Dataset& data);

/// The paper's defaults: one unit per hidden layer and epoch is added.
TrainingOptions training_options(const Workload& work);

/// A net of exactly these widths before its first epoch.
NetRun start_run(const Trainer& trainer, const Workload& work, const NetData& data, std::size_t id = 0);

}  // namespace coppice
