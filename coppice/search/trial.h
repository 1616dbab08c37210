#pragma once

#include "coppice/run/settings.h"
#include "coppice/training/options.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

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
  std::optional<double> test_error;
  double train_loss = 0;
  std::size_t epochs = 0;
  std::string
      phase;  ///< "done"; "failed": it diverged, and the errors are those of its best state; else a limit
              ///< ended it

  bool failed() const { return phase == "failed"; }
};

/// A line of results.jsonl; numbers come back exactly. What is not finite is null.
nlohmann::ordered_json trial_json(const TrialResult& result);
/// Nothing if it is none.
std::optional<TrialResult> parse_trial(const nlohmann::json& line);

/// "186-43".
std::string size_text(const std::vector<std::size_t>& hidden);

}  // namespace coppice
