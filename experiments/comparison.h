#pragma once

#include "experiments/page.h"
#include "experiments/picture.h"

#include <span>
#include <string>
#include <vector>

// Nets that were trained in two or more ways, side by side.
namespace coppice::experiments {

/// Nets of one way of training, at every lambda.
struct Side {
  std::string label = {};  ///< "AdaRad-M"
  std::string colour = {};
  TrainedNets nets = {};
};

/// The nets of one lambda of one side, summed up.
struct LambdaSummary {
  double lambda = 0;
  Spread sizes = {};
  Spread errors = {};                   ///< test errors
  std::vector<std::size_t> units = {};  ///< of the net nearest to the medians
  std::size_t failed = 0;               ///< nets whose loss was not finite
};
LambdaSummary summary_of(const TrainedNets& nets, double lambda);

/// The net nearest to the medians of size and test error.
std::size_t representative(std::span<const NetResult> nets);

std::vector<Mark> marks_of(const Side& side, const std::vector<double>& lambdas);

/// "1.36 % (1.30 % to 1.44 %)".
std::string errors_text(const Spread& errors);

/// A row per net, first the names of the columns.
Rows net_rows(const std::vector<Side>& sides);
/// All sides at every lambda as a table.
std::string comparison_table(const std::vector<Side>& sides, const std::vector<double>& lambdas);

/// Two ways of training at one lambda.
struct Pair {
  LambdaSummary usual;
  LambdaSummary other;
  /// How much higher the other's median test error is, as a share.
  double more() const { return other.errors.median / usual.errors.median - 1; }
};
std::vector<Pair> pairs_of(const std::vector<Side>& two, const std::vector<double>& lambdas);

/// Holds if the usual nets have lower medians at every lambda.
Claim usual_is_better(const std::string& claim, const std::vector<Pair>& pairs);
/// Holds if medians differ by less than a tenth at every lambda.
Claim both_are_alike(const std::string& claim, const std::vector<Pair>& pairs);

}  // namespace coppice::experiments
