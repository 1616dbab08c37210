#pragma once

#include "coppice/exports/lowered.h"

#include <vector>

namespace coppice {

/// Which inputs are made of something between 0 and 1: categories, "was missing" and bins.
std::vector<bool> unit_inputs(const LoweredModel& model);

/// Inputs with these other scales, and first layers that undo the difference: input = old(raw) as before.
/// A factor of the new scales may be 0 only where that of the old ones is.
void rescale_inputs(LoweredModel& model, const std::vector<InputScale>& scales);

/// The same model, whose unit inputs are not scaled: what that did is part of the first layers.
void fold_unit_inputs(LoweredModel& model);

}  // namespace coppice
