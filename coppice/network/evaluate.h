#pragma once

#include "coppice/data/dataset.h"
#include "coppice/device/compute.h"
#include "coppice/device/loss.h"
#include "coppice/network/network.h"
#include "coppice/network/workspace.h"

#include <cstdint>
#include <functional>
#include <span>

namespace coppice {

/// CapNorm's numbers over the given rows, all taken as one batch, layer by layer. Rows count by their weights.
template <class T>
Statistics<T> measure_statistics(const Compute& compute, const Network<T>& network, const Dataset& data,
                                 std::span<const std::uint32_t> rows, Workspace<T>& workspace);

/// Runs the trained network over the rows in chunks; `use` sees each chunk's scores (one row per output, base
/// rate not yet added) and its rows.
template <class T>
using UseScores = std::function<void(View<const T> scores, std::span<const std::uint32_t> rows)>;
template <class T>
void for_scores(const Compute& compute, const Network<T>& network, const Statistics<T>& statistics,
                const Dataset& data, std::span<const std::uint32_t> rows, Workspace<T>& workspace,
                const UseScores<T>& use);

/// Sum of losses and of wrong rows of the trained network, by weight. `scores`, if not null, receives a row for each of the
/// rows, base rate included.
template <class T>
LossSum evaluate(const Compute& compute, const Network<T>& network, const Statistics<T>& statistics,
                 const Dataset& data, std::span<const std::uint32_t> rows, Workspace<T>& workspace,
                 Matrix<T>* scores = nullptr);

}  // namespace coppice
