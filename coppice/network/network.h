#pragma once

#include "coppice/core/choices.h"
#include "coppice/core/matrix.h"
#include "coppice/core/names.h"
#include "coppice/device/activation.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace coppice {

/// One linear map with its normalisation. Row j of the weights is the fan-in of unit j; column i of the next
/// layer's weights is the fan-out of unit i.
template <class T>
struct Layer {
  Matrix<T> weights;
  std::vector<std::uint32_t> units;  ///< stable ids: a unit keeps its id while others come and go
  Matrix<T> affine = {};             ///< free variance and mean of every unit, if the layer has them
  std::vector<T> kinks = {};         ///< offset kappa of every unit's kink, if the layer has them

  bool operator==(const Layer&) const = default;
};

/// f(x) = W_L s(... s(W_1 x)), with CapNorm after every W_l. No biases, no free scales. Networks of fixed size may
/// have batch normalisation after the hidden layers instead, and then nothing after the last.
template <class T>
struct Network {
  Activation activation = Activation::relu;
  Norm norm = Norm::capnorm;  ///< of the hidden layers
  bool output_capnorm = true;
  double kinks = 0;  ///< deviation of the offsets of hidden units' kinks; 0: they have none
  /// Factor on the outputs while training, where it learns; later it is part of CapNorm's numbers (Statistics).
  T output_scale = 1;
  std::vector<Layer<T>> layers;
  std::vector<T>
      offset;  ///< classification: log of each class's frequency, added to the scores; may be empty

  std::size_t inputs() const { return layers.front().weights.cols(); }
  std::size_t outputs() const { return layers.back().weights.rows(); }
  std::vector<std::size_t> hidden_units() const;
  /// Number of weights and free parameters of normalisations.
  std::size_t parameters() const;
  bool capped(std::size_t layer) const {
    return layer + 1 < layers.size() ? norm == Norm::capnorm : output_capnorm;
  }
  bool batch_normed(std::size_t layer) const {
    return layer + 1 < layers.size() && (norm == Norm::batchnorm || norm == Norm::batchnorm_affine);
  }
  Activation activation_of(std::size_t layer) const {
    return layer + 1 < layers.size() ? activation : Activation::identity;
  }
  bool operator==(const Network&) const = default;
};

struct NetworkShape {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::vector<std::size_t> hidden;
  Activation activation = Activation::relu;
  Norm norm = Norm::capnorm;
  bool output_capnorm = true;
  double kinks = 0;
};

/// A network with all weights N(0, 1/d) for fan-ins of d weights, so that fan-ins have expected length 1.
template <class T>
Network<T> make_network(const NetworkShape& shape, std::uint64_t seed);

/// A random fan-in, written into `weights`: the stream is named by seed, purpose, layer and unit.
enum class Birth : std::uint8_t { initial, added };
template <class T>
void draw_fan_in(std::span<T> weights, Birth birth, std::uint64_t seed, std::size_t layer,
                 std::uint32_t unit);

/// No kink lies farther from the mean, in deviations.
constexpr double farthest_kink = 1000;

/// The offset kappa of a unit's kink, N(0, deviation^2), which it has from its birth on; zero if the deviation is.
double draw_kink(double deviation, std::uint64_t seed, std::size_t layer, std::uint32_t unit);

}  // namespace coppice
