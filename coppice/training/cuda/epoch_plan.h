#pragma once

#include "coppice/training/cuda/step_table.h"
#include "coppice/training/trainer.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coppice::cuda {

/// What will happen to one net in its next epoch, as far as that is known before.
struct EpochPlan {
  struct PlannedBirth {
    std::size_t step = 0;
    NewUnit birth;
  };
  std::size_t steps = 0;
  std::size_t samples = 0;  ///< of all steps together
  std::vector<PlannedBirth> births;
  std::uint32_t next_unit = 0;  ///< after the epoch

  std::size_t births_in(std::size_t layer) const;
  std::size_t most_births_per_step() const;
};

EpochPlan plan_epoch(const NetRun& run, std::size_t rows, const TrainingOptions& options);

/// Writes the plan of a net whose order begins at `first` into the table.
void write_plan(const EpochPlan& plan, std::size_t net, std::size_t first, std::size_t rows,
                const TrainingOptions& options, StepTable& table);

}  // namespace coppice::cuda
