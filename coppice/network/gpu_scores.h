#pragma once

#include "coppice/data/dataset.h"
#include "coppice/network/network.h"
#include "coppice/network/workspace.h"

#include <cstdint>
#include <span>

namespace coppice {

/// Scores of a trained network, one row per row of data, computed on a GPU as exactly as in float32; base rate
/// not yet added. Fails with a sentence if there is no GPU.
Matrix<float> gpu_scores(const Network<float>& network, const Statistics<float>& statistics,
                         const Dataset& data, std::span<const std::uint32_t> rows);

}  // namespace coppice
