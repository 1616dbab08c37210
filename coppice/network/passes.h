#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/compute.h"
#include "coppice/network/network.h"
#include "coppice/network/workspace.h"

#include <algorithm>
#include <cstddef>

// Shared by the gradient and the evaluation of a network.
namespace coppice {

/// Calls body(first, count) for every tile of units.
template <class Body>
void for_unit_tiles(ThreadPool& pool, std::size_t units, const Body& body) {
  pool.parallel_for(tiles(units, unit_tile), [&](std::size_t tile) {
    const std::size_t first = tile * unit_tile;
    body(first, std::min(unit_tile, units - first));
  });
}

/// c = op(a) * op(b), cut into blocks of c.
template <class T>
void product_in_blocks(const Compute& compute, Op op_a, View<const T> a, Op op_b, View<const T> b, View<T> c);

/// z of a layer for all samples. `input`: samples are rows below the first layer (as data lies), columns
/// elsewhere (as layers leave them).
template <class T>
void linear(const Compute& compute, const Network<T>& network, std::size_t layer, View<const T> input,
            View<T> z);

/// Loss of the scores in the output layer's y against the workspace's labels or targets; dE/dy * scale into
/// its gradient when wanted.
template <class T>
LossSum loss_of_outputs(ThreadPool& pool, const Network<T>& network, bool with_gradient, T scale,
                        Workspace<T>& workspace);

/// Makes the buffers of all layers fit the network and a number of samples.
template <class T>
void fit_buffers(const Network<T>& network, std::size_t samples, Workspace<T>& workspace);

}  // namespace coppice
