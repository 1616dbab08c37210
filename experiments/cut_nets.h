#pragma once

#include "coppice/coppice.h"
#include "coppice/network/network.h"
#include "coppice/report/lives.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// Nets made of other nets, to be trained on: cut to a size, or set back to how their units were born.
namespace coppice::experiments {

/// The units of every hidden layer that matter most stay: those with the largest products of the lengths of fan-in and
/// fan-out. A layer that is not larger than it is to be stays as it is.
Network<float> cut_to(Network<float> network, const std::vector<std::size_t>& units);

/// The net of a run that sized itself with the weights that each unit was born with. Inputs that came to a unit later
/// have the weight 0 that they came with. Which units a layer had at a birth is known to the epoch: exact where units are
/// added once per epoch, at its end.
Network<float> set_back(const Network<float>& found, const Lives& lives, std::uint64_t seed);

/// A model of these nets in place of its own.
Model with_networks(const Model& model, std::vector<Network<float>> networks);

}  // namespace coppice::experiments
