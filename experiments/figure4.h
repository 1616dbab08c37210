#pragma once

#include "coppice/report/history.h"

#include "experiments/page.h"

#include <cstddef>
#include <string>
#include <vector>

// The run that the paper takes apart in its figures 4 and 5.
namespace coppice::experiments {

/// A net that was trained by itself, and what its journal tells.
struct NetWithHistory {
  std::string label = {};
  std::string colour = {};
  TrainedNets nets = {};
  NetHistory history = {};
  std::size_t mistakes = 0;  ///< wrong training rows

  const NetResult& net() const { return nets.summary.nets.front(); }
};

/// Everything that figure 4 shows.
struct Figure4 {
  DataFiles data = {};
  NetWithHistory run = {};  ///< the analysed one
  std::size_t training_rows = 0;
  std::vector<double> output_lengths = {};  ///< fan-ins of its output units at the end
  // Nets of its final size, for comparison.
  NetWithHistory sgd = {};
  NetWithHistory rmsprop = {};
  std::vector<Provenance> tried = {};  ///< runs of RMSprop with all steps
  std::size_t epochs = 0;              ///< with units being added; then as many pass without
  std::size_t lifetime = 0;
};

std::vector<Claim> figure4_claims(const Figure4& figure);
/// Figure 5 is the second layer's part of panel D.
std::vector<Claim> figure5_claims(const Figure4& figure);

/// Epochs that a unit lived; of those that were there from the start, since epoch 0.
std::vector<double> epochs_lived(const std::vector<Life>& lives, Fate fate);

/// What becomes of units born in the first and in the last part of the time in which units are added.
struct Survival {
  double early = 0;  ///< share of the units born in the first fifth that were there at the end
  double late = 0;   ///< the same of the last fifth
};
Survival survival_of(const std::vector<Life>& lives, std::size_t growing_epochs);

/// A picture and its numbers, as rows "panel, series, x, y".
inline const Rows curve_names{{"panel", "series", "x", "y"}};
struct Drawn {
  Svg picture;
  Rows rows = curve_names;
};
/// Panels A to F.
Drawn draw_figure4(const Figure4& figure);
/// A bar per unit of the second layer.
Drawn draw_figure5(const Figure4& figure);

}  // namespace coppice::experiments
