#pragma once

#include "coppice/api/front.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Which nets a run trains. Pure: what comes next follows from the nets that are finished, so a resumed run plans
// the same.
namespace coppice {

/// A net to train. Without `warm_from` it starts small and random; with it, from what that net (an index) came to:
/// growing again where lambda is smaller, only shrinking where it is larger.
struct PlannedNet {
  double lambda = 0;
  std::uint64_t seed = 0;
  std::optional<std::size_t> warm_from;
  bool searched = false;  ///< for a budget
};

/// A net that ran to its end.
struct TrainedNet {
  double lambda = 0;
  std::uint64_t seed = 0;
  bool searched = false;
  Candidate result;
};

struct PlanOptions {
  std::vector<double> lambdas;  ///< of the first round
  std::uint64_t seed = 0;
  std::size_t seeds = 1;
  bool path = false;                    ///< the lambdas were chosen for the user: both ends may be extended
  std::size_t smallest_parameters = 0;  ///< of a net with one unit per layer: nothing can be smaller
  Budget budget;
};

/// `count` lambdas from the one nearest to `largest` downwards: 1 or 3 times powers of ten.
std::vector<double> lambda_path(double largest, std::size_t count);

/// The nets that every run begins with: each lambda with each seed.
std::vector<PlannedNet> first_nets(const PlanOptions& options);

/// What is still to be trained once all these are finished; nothing when the front is complete. A path goes on at
/// the large end while its last net is clearly better than the one before, at the small end while its last net is
/// as good as the best or too large for the budget. A budget that lies between two nets is searched for between their lambdas.
std::vector<PlannedNet> next_nets(const PlanOptions& options, std::span<const TrainedNet> nets);

}  // namespace coppice
