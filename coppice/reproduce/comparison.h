#pragma once

#include "coppice/reproduce/page.h"
#include "coppice/reproduce/picture.h"

#include <span>
#include <string>
#include <vector>

namespace coppice::reproduce {

constexpr double nothing_learned = 0.02;  ///< so near to guessing is no better than guessing

/// Nets of one way of training, at every lambda.
struct Side {
  std::string label;  ///< "AdaRad-M"
  std::string colour;
  TrainedNets nets;
};

/// The nets of one lambda of one side, summed up.
struct Group {
  double lambda = 0;
  Spread sizes;
  Spread errors;                   ///< test errors
  std::vector<std::size_t> units;  ///< of the net nearest to the medians
  std::size_t failed = 0;          ///< nets whose loss was not finite
};

/// The net nearest to the medians of size and test error.
std::size_t representative(std::span<const NetResult> nets);

Group group_of(const TrainedNets& nets, double lambda);
std::vector<Mark> marks_of(const Side& side, const std::vector<double>& lambdas);

/// "1.36 % (1.30 % to 1.44 %)".
std::string errors_text(const Spread& errors);

/// A row per net, first the names of the columns.
std::vector<std::vector<std::string>> net_rows(const std::vector<Side>& sides);
/// Both sides at every lambda as a table.
std::string comparison_table(const std::vector<Side>& sides, const std::vector<double>& lambdas);

}  // namespace coppice::reproduce
