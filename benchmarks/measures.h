#pragma once

#include "benchmarks/figures.h"

#include <cstddef>
#include <vector>

namespace coppice {

/// What all measurements need to know.
struct Plan {
  std::size_t threads = 2;
  std::size_t rounds = 9;  ///< turns of each contestant
};

/// A whole epoch over its bare products, with all threads and with one; AdaRad over plain SGD; the share of
/// validation.
std::vector<Figure> epoch_figures(const Plan& plan);
Figure poker_figure(const Plan& plan);
/// Two nets side by side on all threads against one after the other on one.
Figure population_figure(const Plan& plan);
/// Adding and removing units, of the time of a growing run.
Figure resize_figure(const Plan& plan);

/// An epoch in every precision that the processor has.
Series precision_series(const Plan& plan);

/// Time per weight and step of the update alone, beside the multiplications that the paper counts.
Series cost_series(const Plan& plan);
Series rows_series(const Plan& plan);
Series width_series(const Plan& plan);
Series nets_series(const Plan& plan);

}  // namespace coppice
