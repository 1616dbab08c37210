#include "coppice/exports/c_parts.h"

#include <algorithm>
#include <numeric>

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

std::size_t multiplications_of(const LoweredModel& model) {
  return std::accumulate(model.nets.begin(), model.nets.end(), std::size_t{0},
                         [](std::size_t sum, const LoweredNet& net) { return sum + net.multiplications(); });
}

Activation hidden_activation(const LoweredModel& model) {
  for (const LoweredNet& net : model.nets) {
    if (net.layers.size() > 1) return net.layers.front().activation;
  }
  return Activation::identity;
}

bool has_zeros(Activation activation) {
  return activation == Activation::leaky_relu || activation == Activation::identity;
}

std::size_t net_constant_bytes(const LoweredModel& model, CInput input) {
  const bool real = input == CInput::real;
  const Activation activation = hidden_activation(model);
  std::size_t bytes = (real ? sizeof(float) : 1) * multiplications_of(model);
  if (!real && widest_layer(model) > 0 && activation == Activation::tanh) bytes += tanh_places;
  for (const LoweredNet& net : model.nets) {
    if (!takes_all(model, net)) bytes += sizeof(std::uint16_t) * net.inputs.size();
    for (const DenseLayer& layer : net.layers) {
      const bool zeros = &layer != &net.layers.back() && has_zeros(activation);
      // a bias; in 8 bits a scale or multiplier too
      bytes += layer.units() * (real ? sizeof(float) : 2 * sizeof(std::int32_t) + (zeros ? 1 : 0));
    }
  }
  return bytes;
}

std::size_t stack_bytes(const LoweredModel& model, CInput input) {
  const bool real = input == CInput::real;
  const std::size_t inputs = c_input_bytes(input) * (model.inputs.size() + most_picked(model));
  const std::size_t layers = (real ? sizeof(float) : 1) * 2 * widest_layer(model);
  return inputs + layers + (real ? sizeof(float) * model.outputs() : 0);
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
