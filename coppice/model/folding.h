#pragma once

#include "coppice/network/network.h"
#include "coppice/network/workspace.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coppice {

/// A network of plain dense layers: y = w.x - mean. It has neither normalisations nor their free parameters, its divisors
/// are all 1 and its means -bias.
struct FoldedNet {
  Network<float> network;
  Statistics<float> statistics;
};

/// Folds normalisations into weights and biases: y = (w/m).x - mu/m, and a y + b where they have free parameters.
FoldedNet fold(Network<float> network, Statistics<float> statistics);

/// The same function of `all` inputs, of which the network takes these: the others get weights of 0.
void widen(Network<float>& network, std::span<const std::uint32_t> inputs, std::size_t all);

}  // namespace coppice
