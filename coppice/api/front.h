#pragma once

#include "coppice/core/choices.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

// The trade-off between size and error, laid open by nets of many sizes. Pure: no files, no networks.
namespace coppice {

/// What counts of a net when nets are compared.
struct Candidate {
  double error = 0;           ///< on validation rows; not finite: the net is of no use
  double standard_error = 0;  ///< of `error`
  double tie = 0;             ///< of nets with the same error the one with less is better
  std::size_t parameters = 0;
  std::size_t bytes = 0;  ///< of its model file
};

/// What a net may need at most.
struct Budget {
  std::size_t parameters = std::numeric_limits<std::size_t>::max();
  std::size_t bytes = std::numeric_limits<std::size_t>::max();

  bool limited() const { return *this != Budget{}; }
  bool admits(const Candidate& net) const { return net.parameters <= parameters && net.bytes <= bytes; }
  bool operator==(const Budget&) const = default;
};

/// For each net whether another is at most as large and at least as good. Of nets that are equal in both the
/// first stays.
std::vector<bool> dominated(std::span<const Candidate> nets);

/// Index of the net that is wanted among those the budget admits; nothing if it admits none. Ties go by Candidate::tie,
/// then to the smaller net, then to the earlier one.
std::optional<std::size_t> pick(std::span<const Candidate> nets, Pick rule, const Budget& budget);

/// Index of the net with the fewest parameters; ties: the lower error. There must be one.
std::size_t smallest_net(std::span<const Candidate> nets);

}  // namespace coppice
