#include "coppice/network/network.h"

#include "coppice/core/random.h"

#include <cmath>
#include <numeric>

namespace coppice {

template <class T>
std::vector<std::size_t> Network<T>::hidden_units() const {
  std::vector<std::size_t> units;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) units.push_back(layers[l].weights.rows());
  return units;
}

template <class T>
std::size_t Network<T>::parameters() const {
  std::size_t count = 0;
  for (const Layer<T>& layer : layers) {
    count += layer.weights.rows() * layer.weights.cols() + layer.affine.rows() * layer.affine.cols();
  }
  return count;
}

template <class T>
void draw_fan_in(std::span<T> weights, Birth birth, std::uint64_t seed, std::size_t layer,
                 std::uint32_t unit) {
  const Purpose purpose = birth == Birth::initial ? Purpose::initial_weights : Purpose::new_unit;
  Random random(seed, purpose, static_cast<std::uint32_t>(layer), unit);
  const double deviation = 1.0 / std::sqrt(static_cast<double>(weights.size()));
  for (T& weight : weights) weight = static_cast<T>(deviation * random.normal());
}

double draw_kink(double deviation, std::uint64_t seed, std::size_t layer, std::uint32_t unit) {
  if (deviation == 0) return 0;
  return deviation * Random(seed, Purpose::kink, static_cast<std::uint32_t>(layer), unit).normal();
}

template <class T>
Network<T> make_network(const NetworkShape& shape, std::uint64_t seed) {
  Network<T> network;
  network.activation = shape.activation;
  network.norm = shape.norm;
  network.output_capnorm = shape.output_capnorm;
  network.kinks = shape.kinks;
  std::size_t below = shape.inputs;
  for (std::size_t l = 0; l <= shape.hidden.size(); ++l) {
    const std::size_t width = l < shape.hidden.size() ? shape.hidden[l] : shape.outputs;
    Layer<T> layer{Matrix<T>(width, below), std::vector<std::uint32_t>(width)};
    std::iota(layer.units.begin(), layer.units.end(), 0U);
    for (std::size_t j = 0; j < width; ++j) {
      draw_fan_in(layer.weights.row(j), Birth::initial, seed, l, layer.units[j]);
    }
    if (shape.norm == Norm::batchnorm_affine && l < shape.hidden.size()) {
      layer.affine = Matrix<T>(width, 2);
      for (std::size_t j = 0; j < width; ++j) layer.affine(j, 0) = 1;
    }
    for (std::size_t j = 0; shape.kinks > 0 && l < shape.hidden.size() && j < width; ++j)
      layer.kinks.push_back(static_cast<T>(draw_kink(shape.kinks, seed, l, layer.units[j])));
    network.layers.push_back(std::move(layer));
    below = width;
  }
  return network;
}

template struct Network<float>;
template struct Network<double>;
template void draw_fan_in(std::span<float>, Birth, std::uint64_t, std::size_t, std::uint32_t);
template void draw_fan_in(std::span<double>, Birth, std::uint64_t, std::size_t, std::uint32_t);
template Network<float> make_network(const NetworkShape&, std::uint64_t);
template Network<double> make_network(const NetworkShape&, std::uint64_t);

}  // namespace coppice
