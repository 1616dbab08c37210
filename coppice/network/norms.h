#pragma once

#include "coppice/device/batchnorm.h"
#include "coppice/device/capnorm.h"
#include "coppice/network/network.h"

#include <cstddef>
#include <span>

// The normalisation that a layer of a network has, applied to a tile of its units: rows [first, first + count).
namespace coppice {

/// A tile of the layer's free means and variances; an empty view if it has none.
template <class T>
View<const T> affine_tile(const Layer<T>& layer, std::size_t first, std::size_t count) {
  return layer.affine.empty() ? View<const T>{} : layer.affine.view().block(first, count);
}

/// A tile of the offsets of the layer's kinks; `deviations` as capnorm_forward leaves them, or empty.
template <class T>
Kinks<T> kinks_tile(const Layer<T>& layer, std::size_t first, std::size_t count, std::span<T> deviations) {
  if (layer.kinks.empty()) return {};
  return Kinks<T>{layer.kinks, deviations}.block(first, count);
}

/// z becomes y, with the numbers measured over its samples, which may have weights, and over those of the memory, if there is one.
template <class T>
void normalise(const Network<T>& network, std::size_t layer, View<T> z, View<T> x, std::size_t first,
               std::size_t count, std::span<T> mean, std::span<T> divisor, std::span<const float> weights,
               std::span<T> deviations = {}, const Memory& memory = {}) {
  const Activation activation = network.activation_of(layer);
  if (network.batch_normed(layer)) {
    batchnorm_forward(z.block(first, count), affine_tile(network.layers[layer], first, count), activation,
                      x.block(first, count), mean.subspan(first, count), divisor.subspan(first, count),
                      weights);
  } else {
    capnorm_forward(z.block(first, count), network.capped(layer), activation, x.block(first, count),
                    mean.subspan(first, count), divisor.subspan(first, count), weights,
                    kinks_tile(network.layers[layer], first, count, deviations), memory.block(first, count));
  }
}

/// The same with numbers of a trained network.
template <class T>
void normalise_as_trained(const Network<T>& network, std::size_t layer, View<T> z, View<T> x,
                          std::size_t first, std::size_t count, std::span<const T> mean,
                          std::span<const T> divisor) {
  const Activation activation = network.activation_of(layer);
  if (network.layers[layer].affine.empty()) {
    capnorm_apply(z.block(first, count), activation, x.block(first, count), mean.subspan(first, count),
                  divisor.subspan(first, count));
  } else {
    batchnorm_apply(z.block(first, count), affine_tile(network.layers[layer], first, count), activation,
                    x.block(first, count), mean.subspan(first, count), divisor.subspan(first, count));
  }
}

}  // namespace coppice
