#pragma once

#include "coppice/data/encoding.h"

#include <span>
#include <vector>

namespace coppice {

/// Mean and biased variance of one network input over the training rows, before scaling.
struct Moments {
  double mean = 0;
  double variance = 0;
};

/// Fills encoding.offset and encoding.factor from the moments of its inputs, one per network input.
/// column: a number gets deviation 1; the inputs of a text column share the factor 1/sqrt(sum p(1-p)), so
/// that the column weighs as much as one number; an indicator is only centred, lest a rare one be blown up.
/// global: one offset and factor from all entries of all inputs. none: offset 0, factor 1.
void set_scaling(Encoding& encoding, std::span<const Moments> moments);

}  // namespace coppice
