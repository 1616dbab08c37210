#pragma once

#include "coppice/network/network.h"
#include "coppice/network/workspace.h"

namespace coppice {

/// A network of plain dense layers: y = w.x - mean. It has neither normalisations nor their free parameters, its divisors
/// are all 1 and its means -bias.
struct FoldedNet {
  Network<float> network;
  Statistics<float> statistics;
};

/// Folds normalisations into weights and biases: y = (w/m).x - mu/m, and a y + b where they have free parameters.
FoldedNet fold(Network<float> network, Statistics<float> statistics);

}  // namespace coppice
