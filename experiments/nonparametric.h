#pragma once

#include "experiments/training.h"

#include <vector>

// The nets that size themselves, at the paper's lambdas: several entries look at the same ones.
namespace coppice::experiments {

struct Nonparametric {
  DataFiles data;
  std::vector<double> lambdas = {};  ///< falling
  Flags flags = {};                  ///< that they were trained with
  TrainedNets nets = {};
};

Nonparametric mnist_nets(const Session& session);
Nonparametric rectangles_nets(const Session& session);
Nonparametric convex_nets(const Session& session);

/// How nets on images are trained in short: only MNIST's small part teaches enough for more than quick.
Flags short_flags(const DataFiles& data);

}  // namespace coppice::experiments
