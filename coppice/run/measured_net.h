#pragma once

#include "coppice/device/threads.h"
#include "coppice/model/model.h"
#include "coppice/run/prepare.h"
#include "coppice/training/trainer.h"

#include <optional>

namespace coppice {

/// A net as a model, and how good that model is on rows that it did not learn from.
struct MeasuredNet {
  Model model;
  double validation_error = 0;
  double standard_error = 0;  ///< of the validation error
  std::optional<double> test_error;
};

/// A state of a run with CapNorm's numbers and, for classes, the temperature fitted on its validation rows. The errors are
/// those of the model as it is written.
MeasuredNet measure_net(ThreadPool& pool, const Trainer& trainer, const NetRun& run, const NetState& state,
                        const PreparedData& data);

}  // namespace coppice
