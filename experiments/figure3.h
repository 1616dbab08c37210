#pragma once

#include "coppice/report/svg.h"

#include "experiments/comparison.h"
#include "experiments/nonparametric.h"
#include "experiments/page.h"
#include "experiments/parametric.h"

#include <optional>
#include <string>
#include <vector>

namespace coppice::experiments {

/// Radians per iteration that alpha_phi 30 comes to on MNIST, after three epochs.
constexpr double mnist_angle = 0.1;

/// The nets of one lambda and the parametric nets of the same size.
struct SameSize {
  LambdaSummary summary = {};  ///< nonparametric nets
  NetResult chosen = {};       ///< the typical one of them
  std::vector<TrialResult> grid = {};
  TriedSetting parametric = {};  ///< the best of the grid
};

/// What figure 3 shows of one data set.
struct Figure3Panel {
  std::string title = {};
  Nonparametric nonparametric = {};
  std::vector<SameSize> sizes = {};  ///< one per lambda
  std::vector<TrialResult> random = {};
  std::vector<TriedSetting> larger = {};  ///< of the random search, the best first
  // Nets that size themselves in ways that are not the paper's.
  std::optional<TrainedNets> by_angle = {};  ///< alpha_phi gives way to the angle that it comes to on MNIST
  std::optional<TrainedNets> defaults = {};  ///< as `coppice train` does by itself
  Provenance parametric = {};                ///< how the parametric nets came to be

  std::vector<Side> own_series() const;  ///< the last two, if they were trained
  const SameSize& best() const;          ///< lowest median validation error: test rows choose nothing
};

std::vector<Claim> figure3_claims(const Figure3Panel& mnist, const Figure3Panel& rectangles,
                                  const Figure3Panel& convex);

/// The panels that figure3_rows wrote.
std::vector<Figure3Panel> stored_panels(const StoredEntry& stored);

std::string figure3_details(const std::vector<Figure3Panel>& panels);
Rows figure3_rows(const std::vector<Figure3Panel>& panels);
Svg draw_figure3(const std::vector<Figure3Panel>& panels);

}  // namespace coppice::experiments
