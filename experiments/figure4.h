#pragma once

#include "coppice/report/history.h"

#include "experiments/stored.h"

#include <cmath>
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

/// Everything that figure 4 shows, of one seed.
struct Figure4 {
  DataFiles data = {};
  NetWithHistory run = {};  ///< the analysed one
  std::size_t training_rows = 0;
  std::size_t validation_rows = 0;
  std::vector<double> output_lengths = {};  ///< fan-ins of its output units at the end
  std::vector<double> not_divided = {};     ///< of each layer the share of units that CapNorm does not divide
  // Nets of its final size, for comparison.
  NetWithHistory sgd = {};
  NetWithHistory rmsprop = {};
  std::vector<Provenance> tried = {};  ///< runs of RMSprop with all steps
  std::size_t epochs = 0;              ///< with units being added; then as many pass without
  std::size_t lifetime = 0;
};

/// What became of the units of a layer.
struct LifeMeasures {
  double early_born = 0;  ///< in the first fifth of the time in which units are added
  double early_stayed = 0;
  double late_born = 0;  ///< in the last fifth
  double late_stayed = 0;
  double died = 0;
  double not_soon = 0;         ///< of those that died: after three quarters of the lifetime
  double not_late = 0;         ///< before five quarters of it
  double median_lifetime = 0;  ///< of those that died
};

/// The numbers that the claims about one run are judged by. A run is repeated with several seeds; all of these are
/// stored.
struct RunMeasures {
  double seed = 0;
  double target = 0;  ///< an error that all three nets reach, and the epochs after which they do
  double reached = 0, sgd_reached = 0, rmsprop_reached = 0;
  double early_error = 0, late_error = 0;                  ///< second and last quarter of the epochs
  double rmsprop_early_error = 0, rmsprop_late_error = 0;  ///< second twentieth, last tenth
  double validation_rows = 0;
  double loss = 0, sgd_loss = 0, rmsprop_loss = 0;  ///< on training rows, in the end
  double training_rows = 0;
  double mistakes = 0, sgd_mistakes = 0, rmsprop_mistakes = 0;
  double first_death = 0;       ///< epoch
  double lost = 0, lost_2 = 0;  ///< units of both layers, soon after none are added any more
  double lost_epochs = 0;       ///< in which they were
  double fan_in = 0;            ///< median length in the first layer
  double output_low = 0, output_median = 0, output_high = 0;  ///< lengths of the output units' fan-ins
  // Not told by pages that were made before they were asked for.
  double not_divided = std::nan("");  ///< share of the second layer's units with a deviation below 1
  double faded = std::nan(""),
         straight = std::nan("");        ///< units that died; those whose length fell in a line
  LifeMeasures first = {}, second = {};  ///< layers
};
RunMeasures measures_of(const Figure4& figure);

/// The square of the correlation: 1 where y follows x in a line. NaN of fewer than three points.
double straightness(const std::vector<double>& x, const std::vector<double>& y);
/// Of the lives alone: figure 5.
RunMeasures life_measures(const NetWithHistory& run, std::size_t epochs, std::size_t lifetime);

/// As rows of the pictures' data, and back. Figure 5 has those of lives alone.
Rows measure_rows(const std::vector<RunMeasures>& runs, bool lives_alone = false);
std::vector<RunMeasures> stored_measures(const StoredEntry& stored);

std::vector<Claim> figure4_claims(const std::vector<RunMeasures>& runs, std::size_t lifetime);
/// Figure 5 is the second layer's part of panel D.
std::vector<Claim> figure5_claims(const std::vector<RunMeasures>& runs, std::size_t lifetime);

/// Epochs that a unit lived; of those that were there from the start, since epoch 0.
std::vector<double> epochs_lived(const std::vector<Life>& lives, Fate fate);

LifeMeasures measures_of(const std::vector<Life>& lives, std::size_t growing_epochs, std::size_t lifetime);

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
