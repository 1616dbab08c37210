#pragma once

#include "coppice/api/front.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

// Which nets a run trains. Pure: what comes next follows from the nets that are finished, so a resumed run plans
// the same.
namespace coppice {

using Columns = std::vector<std::uint32_t>;    ///< of the table, by their place among the inputs'; empty: all
using HiddenUnits = std::vector<std::size_t>;  ///< per hidden layer

/// A net to train. Without `warm_from` it starts small and random; with it, from what that net (an index) came to:
/// growing again where lambda is smaller, only shrinking where it is larger.
struct PlannedNet {
  double lambda = 0;
  std::uint64_t seed = 0;
  std::optional<std::size_t> warm_from;
  bool searched = false;  ///< for a budget, between two lambdas
  HiddenUnits fixed_size =
      {};                ///< of a net that fills a budget and does not grow; none: it finds its own size
  Columns columns = {};  ///< that it sees
};

/// A net that ran to its end.
struct TrainedNet {
  double lambda = 0;
  std::uint64_t seed = 0;
  bool searched = false;
  Candidate result;
  bool fixed = false;    ///< it had its size from the start
  Columns columns = {};  ///< that it sees
};

/// What nets of fixed size that fill a budget can be.
struct FixedNets {
  std::size_t layers = 0;                ///< the most hidden layers; 0: there are no such nets
  std::vector<std::size_t> widths = {};  ///< inputs of each column of the table
  std::size_t ample =
      0;  ///< parameters that nets begin with: a path whose nets all shrank says nothing about the need
  /// Parameters and bytes of a net.
  std::function<Candidate(const Columns&, const HiddenUnits&)> size_of = {};
  /// The columns that a finished net, by its index, sees: first those that matter most to it for what they cost.
  std::function<Columns(std::size_t)> ranking = {};
  /// All columns: first those that tell most of the target, each alone, for what they cost.
  std::function<Columns()> telling = {};
};

struct PlanOptions {
  std::vector<double> lambdas;  ///< of the first round
  std::uint64_t seed = 0;
  std::size_t seeds = 1;
  bool path = false;                    ///< the lambdas were chosen for the user: both ends may be extended
  std::size_t smallest_parameters = 0;  ///< of a net with one unit per layer: nothing can be smaller
  Budget budget;
  FixedNets fixed = {};
};

/// `count` lambdas from the one nearest to `largest` downwards: 1 or 3 times powers of ten.
std::vector<double> lambda_path(double largest, std::size_t count);

/// The nets that every run begins with: each lambda with each seed.
std::vector<PlannedNet> first_nets(const PlanOptions& options);

/// What is still to be trained once all these are finished; nothing when the front is complete. A path goes on at
/// the large end while its last net is clearly better than the one before, at the small end while its last net is
/// as good as the best or too large for the budget. Then come nets of fixed size for the budget (budget_plan.h), and a budget
/// that lies between two nets is searched for between their lambdas.
std::vector<PlannedNet> next_nets(const PlanOptions& options, std::span<const TrainedNet> nets);

}  // namespace coppice
