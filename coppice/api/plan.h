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

/// Rows of a table up to which nets are cheap, and a validation of one fold says little.
inline constexpr std::size_t few_rows = 5'000;

/// A net to train. Without `warm_from` it starts small and random; with it, from what that net (an index) came to:
/// growing again where lambda is smaller, only shrinking where it is larger.
struct PlannedNet {
  double lambda = 0;
  std::uint64_t seed = 0;
  std::size_t beginning = 0;  ///< of several on the same rows, which are those of `seed` less this
  std::optional<std::size_t> warm_from = std::nullopt;
  bool searched = false;    ///< for a budget, between two lambdas
  std::size_t variant = 0;  ///< index: see PlanOptions
  std::size_t fold = 0;     ///< that it validates on, in an ensemble
  HiddenUnits fixed_size =
      {};                ///< of a net that fills a budget and does not grow; none: it finds its own size
  Columns columns = {};  ///< that it sees

  bool refit = false;   ///< goes on as warm_from ended, with all rows (refit.h)
  bool taught = false;  ///< learns to answer as an ensemble does (teach.h)

  bool is_fixed() const { return !fixed_size.empty(); }
  std::uint64_t rows_seed() const { return seed - beginning; }
};

/// A net that ran to its end.
struct TrainedNet {
  PlannedNet planned;
  Candidate result;
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

/// A kind of net beside the usual one, which is the first.
struct PlannedVariant {
  double scale = 1;  ///< lambdas that do to its nets what a lambda of 1 does to those of the first
  std::size_t builds_on =
      0;  ///< index of one that differs less from the first: where rows are many, tried only if that one pays
};

struct PlanOptions {
  std::vector<double> lambdas;  ///< of the first round
  std::uint64_t seed = 0;
  std::size_t seeds = 1;
  bool path = false;                    ///< the lambdas were chosen for the user: both ends may be extended
  std::size_t smallest_parameters = 0;  ///< of a net with one unit per layer: nothing can be smaller
  Budget budget;
  /// The path is trained with the first variant, the others around the best lambda of it.
  std::vector<PlannedVariant> variants = {{}};
  std::size_t folds = 0;  ///< of an ensemble; else all nets have the same rows
  std::size_t rows = 0;   ///< to learn from
  FixedNets fixed = {};
};

/// `count` lambdas from the one nearest to `largest` downwards: 1 or 3 times powers of ten.
std::vector<double> lambda_path(double largest, std::size_t count);

/// The nets that every run begins with: each lambda with each seed.
std::vector<PlannedNet> first_nets(const PlanOptions& options);

/// About how many nets it will be if nothing extends the path and no budget is searched for.
std::size_t expected_nets(const PlanOptions& options);

/// The nets of an ensemble: on every fold the best that validated on it. Nothing unless all folds have one.
std::vector<std::size_t> ensemble_of(std::size_t folds, std::span<const TrainedNet> nets);

/// The nets that say how well an ensemble does: on every fold the one of the variant that is best on all others, since the
/// rows of a fold that chose among nets flatter the one that they chose. Nothing unless a variant was trained on all folds.
std::vector<std::size_t> judges_of(std::size_t folds, std::span<const TrainedNet> nets);

/// What is still to be trained once all these are finished; nothing when the front is complete. A path goes on at
/// the large end while its last net is clearly better than the one before, at the small end while its last net is
/// as good as the best or too large for the budget. Then come nets of fixed size for the budget (budget_plan.h), and a budget
/// that lies between two nets is searched for between their lambdas. Then the other variants are tried, and then the best of
/// all on the other folds; where rows are few and nets cheap, more of both.
std::vector<PlannedNet> next_nets(const PlanOptions& options, std::span<const TrainedNet> nets);

}  // namespace coppice
