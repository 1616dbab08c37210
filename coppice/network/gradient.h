#pragma once

#include "coppice/data/dataset.h"
#include "coppice/data/row_reader.h"
#include "coppice/device/compute.h"
#include "coppice/device/loss.h"
#include "coppice/network/network.h"
#include "coppice/network/workspace.h"

#include <cstdint>
#include <span>

namespace coppice {

/// Copies the given rows of the data set into the workspace.
template <class T>
void gather_batch(ThreadPool& pool, const Dataset& data, std::span<const std::uint32_t> rows,
                  Workspace<T>& workspace);
/// The same of `count` rows from `first` on of those that come one after another.
template <class T>
void gather_batch(ThreadPool& pool, RowReader& reader, std::size_t first, std::size_t count,
                  Workspace<T>& workspace);

/// Forward and backward over the gathered batch: the sum of losses, and in
/// workspace.layers[l].weight_gradient the gradient of scale * that sum.
template <class T>
LossSum compute_gradient(const Compute& compute, const Network<T>& network, T scale, Workspace<T>& workspace);

/// The forward half alone, with CapNorm's numbers taken from the batch.
template <class T>
LossSum compute_loss(const Compute& compute, const Network<T>& network, Workspace<T>& workspace);

}  // namespace coppice
