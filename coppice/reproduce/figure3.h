#pragma once

#include "coppice/reproduce/comparison.h"
#include "coppice/reproduce/nonparametric.h"
#include "coppice/reproduce/page.h"
#include "coppice/reproduce/parametric.h"

#include <optional>
#include <string>
#include <vector>

namespace coppice::reproduce {

/// The nets of one lambda and the parametric nets of the same size.
struct SameSize {
  Group group;       ///< nonparametric nets
  NetResult chosen;  ///< the typical one of them
  std::vector<TrialResult> grid;
  Setting parametric;  ///< the best of the grid
};

/// What figure 3 shows of one data set.
struct Figure3Panel {
  std::string title;
  Nonparametric nonparametric;
  std::vector<SameSize> sizes;  ///< one per lambda
  std::vector<TrialResult> random;
  std::vector<Setting> larger;  ///< of the random search, the best first
  std::optional<TrainedNets>
      defaults;       ///< nets that size themselves, trained as `coppice train` does by itself
  Origin parametric;  ///< how the parametric nets came to be

  const SameSize& best() const;  ///< lowest median test error
};

std::vector<Claim> figure3_claims(const Figure3Panel& mnist, const Figure3Panel& rectangles,
                                  const Figure3Panel& convex);

}  // namespace coppice::reproduce
