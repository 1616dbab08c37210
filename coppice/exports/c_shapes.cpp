#include "coppice/exports/c_parts.h"

#include <algorithm>

namespace coppice {

std::size_t widest_layer(const LoweredModel& model) {
  std::size_t most = 0;
  for (const LoweredNet& net : model.nets) {
    for (std::size_t l = 0; l + 1 < net.layers.size(); ++l) most = std::max(most, net.layers[l].units());
  }
  return most;
}

bool takes_all(const LoweredModel& model, const LoweredNet& net) {
  return net.inputs.size() == model.inputs.size();
}

std::size_t most_picked(const LoweredModel& model) {
  std::size_t most = 0;
  for (const LoweredNet& net : model.nets)
    most = std::max(most, takes_all(model, net) ? 0 : net.inputs.size());
  return most;
}

void write_picked(CWriter& out, const LoweredModel& model) {
  for (std::size_t n = 0; n < model.nets.size(); ++n) {
    const LoweredNet& net = model.nets[n];
    if (takes_all(model, net)) continue;
    const std::vector<std::uint16_t> picked(net.inputs.begin(), net.inputs.end());
    out.whole_numbers<std::uint16_t>("uint16_t", fmt::format("picked_{}", n + 1), picked);
  }
}

}  // namespace coppice
