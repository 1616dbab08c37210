#pragma once

#include "coppice/model/model.h"

#include <cstddef>
#include <span>
#include <vector>

namespace coppice {

/// One layer of a drawn network: inputs, a hidden layer or the outputs. Of many units only the strongest are
/// drawn.
struct DrawnLayer {
  std::size_t units = 0;           ///< drawn or not
  std::vector<std::size_t> drawn;  ///< their indices in the layer
  std::vector<double> fan_in;      ///< length of each one drawn, as trained; empty for inputs
  std::vector<double> fan_out;     ///< the same; empty for outputs
};

/// A connection between units drawn, numbered as they are drawn.
struct DrawnLink {
  std::size_t layer = 0;  ///< that it starts in: 0 is the inputs
  std::size_t from = 0;
  std::size_t to = 0;
  double weight = 0;  ///< folded: what the unit's score changes by; for inputs, per deviation of the input
};

struct Drawing {
  static constexpr std::size_t most_units = 40;
  static constexpr std::size_t most_links = 150;  ///< between two layers

  std::vector<DrawnLayer> layers;
  std::vector<DrawnLink> links;  ///< strongest first within two layers
};

/// Inputs stand by their strengths (importance.h), hidden units by their fan-in, each largest first; outputs
/// in their own order. `deviations` are those of the network inputs.
Drawing draw(const Model& model, std::span<const double> strengths, std::span<const double> deviations);

}  // namespace coppice
