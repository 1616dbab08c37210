#pragma once

#include "coppice/device/threads.h"
#include "coppice/model/model.h"
#include "coppice/run/prepare.h"
#include "coppice/training/trainer.h"

#include <optional>

namespace coppice {

/// A net as a model, and how good that model is on rows that it did not learn from.
struct MeasuredNet {
  Model model;  ///< its origin is left to the caller
  double validation_error = 0;
  double standard_error = 0;  ///< of the validation error
  std::optional<double> test_error;
};

/// The net with CapNorm's numbers and, for classes, the temperature fitted on its validation rows. The errors are those
/// of the model as it is written.
MeasuredNet measure_net(ThreadPool& pool, const Trainer& trainer, const NetState& state,
                        const PreparedData& data, const NetData& net_data);

}  // namespace coppice
