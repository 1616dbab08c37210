#pragma once

#include "experiments/comparison.h"
#include "experiments/stored.h"

#include <string>
#include <vector>

// Step 1 of the paper's protocol: a net at every lambda and every angular step.
namespace coppice::experiments {

struct GridCell {
  double alpha = 0;  ///< alpha_phi
  NetResult net = {};

  double validation_error() const;  ///< 1 of a net that failed
};

struct GridSet {
  std::string title = {};
  std::size_t validation_rows = 0;
  std::vector<GridCell> cells = {};

  /// Rising alphas, falling lambdas.
  std::vector<double> alphas() const;
  std::vector<double> lambdas() const;
  const GridCell* find(double alpha, double lambda) const;
  /// The cell of that alpha with the lowest validation error.
  const GridCell& best_of(double alpha) const;
  /// Validation errors of that alpha at all lambdas.
  std::vector<double> errors_of(double alpha) const;
};

/// What the paper chose on a set by its grid.
struct GridChoice {
  double alpha = 0;
  std::vector<double> lambdas = {};
};
GridChoice chosen_in_paper(const std::string& title);

/// Of the paper's cells that are on this grid the one of the lowest validation error; nullptr if none is.
const GridCell* reported_cell(const GridSet& set);
/// Whether it is not shown to have more errors on validation rows than the reported one.
bool as_good_as_reported(const GridSet& set, const GridCell& cell);

std::vector<Claim> grid_claims(const std::vector<GridSet>& sets);
std::string grid_details(const std::vector<GridSet>& sets);
Rows grid_rows(const std::vector<GridSet>& sets);
std::vector<GridSet> stored_grid(const StoredEntry& stored);
Svg draw_grid(const std::vector<GridSet>& sets);

}  // namespace coppice::experiments
