#pragma once

#include "experiments/training.h"

#include <optional>
#include <vector>

namespace coppice::experiments {

/// What there is of one data set of a page: what the page had before, and what runs of this call came to.
template <class Set>
struct SoFar {
  std::optional<Set> set = {};
  std::vector<Provenance> made = {};

  /// In place of one of the same name, which the page told of before.
  void add_run(const Provenance& run) {
    std::erase_if(made, [&](const Provenance& one) { return one.name == run.name; });
    made.push_back(run);
  }
};

}  // namespace coppice::experiments
