#pragma once

#include "coppice/core/choices.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coppice {

/// One net of fixed size that a search tries; all else it shares with the others.
struct Trial {
  std::vector<std::size_t> hidden;  ///< units per hidden layer
  OptimizerKind optimizer = OptimizerKind::sgd;
  double step = 0;
  Norm norm = Norm::batchnorm;
  std::uint64_t seed = 0;

  auto operator<=>(const Trial&) const = default;
};

/// What a trial came to.
struct TrialResult {
  Trial trial;
  std::size_t parameters = 0;
  double validation_error = 0;  ///< NaN: it diverged before it was ever validated
  double criterion = 0;         ///< what ranks it, by --metric: that error, or what the metric is
  std::optional<double> test_error;
  double train_loss = 0;
  std::size_t epochs = 0;
  std::string
      phase;  ///< "done"; "failed": it diverged, and the errors are those of its best state; else a limit
              ///< ended it

  bool failed() const { return phase == "failed"; }
};

}  // namespace coppice
