#pragma once

#include "coppice/core/matrix.h"
#include "coppice/exports/lowered.h"

#include <cstddef>
#include <vector>

namespace coppice {

/// Of encoded rows those to calibrate on, rising: all if they are few, else about `count` of them, evenly, and those at which
/// an input or a hidden unit is at an end of its range, so that the ranges of the chosen rows are those of all.
std::vector<std::size_t> telling_rows(const LoweredModel& model, const Matrix<float>& inputs,
                                      std::size_t count);

}  // namespace coppice
