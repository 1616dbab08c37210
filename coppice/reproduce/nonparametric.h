#pragma once

#include "coppice/reproduce/training.h"

#include <vector>

// The nets that size themselves, at the paper's lambdas: several entries look at the same ones.
namespace coppice::reproduce {

struct Nonparametric {
  DataFiles data;
  std::vector<double> lambdas;  ///< falling
  Flags flags;                  ///< that they were trained with
  TrainedNets nets;
};

Nonparametric mnist_nets(const Session& session);
Nonparametric rectangles_nets(const Session& session);
Nonparametric convex_nets(const Session& session);

}  // namespace coppice::reproduce
