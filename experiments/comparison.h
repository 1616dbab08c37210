#pragma once

#include "experiments/page.h"
#include "experiments/picture.h"
#include "experiments/stored.h"

#include <span>
#include <string>
#include <utility>
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
  Spread validation = {};               ///< validation errors: by them one chooses
  std::vector<std::size_t> units = {};  ///< of the net nearest to the medians
  std::size_t failed = 0;               ///< nets whose loss was not finite
  // Of every net, for tests. One without a test error is wrong in every row.
  std::vector<double> test_errors = {};
  std::vector<double> parameters = {};
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

/// The lambdas of some nets, in their order.
std::vector<double> lambdas_of(const TrainedNets& nets);

/// "10 seeds each"; "10 seeds each (3 on poker)" where a set has others than the first. `sets`: title and seeds.
std::string seeds_of_sets(const std::vector<std::pair<std::string, std::size_t>>& sets,
                          const std::string& each);

/// The net that a row of outcome_cells, units, lambda and seed tells of.
NetResult stored_net(const StoredEntry& stored, std::size_t row);
/// The sides that net_rows wrote, in their order; `colours` of them.
std::vector<Side> stored_sides(const StoredEntry& stored, const std::vector<std::string>& colours);

/// Two ways of training at one lambda.
struct Pair {
  LambdaSummary usual;
  LambdaSummary other;
};
std::vector<Pair> pairs_of(const std::vector<Side>& two, const std::vector<double>& lambdas);

/// That the usual nets have lower test errors at every lambda.
Claim usual_is_better(const std::string& text, const std::vector<Pair>& pairs);
/// That test errors and parameters lie within a tenth of each other at every lambda.
Claim both_are_alike(const std::string& text, const std::vector<Pair>& pairs);

}  // namespace coppice::experiments
