#pragma once

#include "coppice/exports/lowered.h"

#include <vector>

namespace coppice {

/// Which inputs are made of something between 0 and 1: categories, "was missing" and bins.
std::vector<bool> unit_inputs(const LoweredModel& model);

/// Inputs with these other scales, and first layers that undo the difference: input = old(raw) as before.
/// A factor of the new scales may be 0 only where that of the old ones is.
void rescale_inputs(LoweredModel& model, const std::vector<InputScale>& scales);

/// The same model, whose unit inputs are not scaled but counted from 0 or from 1, whichever is nearer to their mean: the rest is
/// part of the first layers. What is nearly always 1 has a large factor, and a bias could take off that much of it only as far as
/// a float has digits.
void fold_unit_inputs(LoweredModel& model);

}  // namespace coppice
