#pragma once

#include "coppice/analysis/answers.h"
#include "coppice/data/encoding.h"
#include "coppice/device/threads.h"
#include "coppice/model/model.h"
#include "coppice/training/trainer.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace coppice {

/// A net as a model, and how good that model is on rows that it did not learn from.
struct MeasuredNet {
  Model model;
  double validation_error = 0;
  double standard_error = 0;       ///< of the validation error
  std::optional<double> log_loss;  ///< of classes, on the validation rows
  double log_loss_deviation = 0;   ///< standard error of it
  double criterion = 0;            ///< what decides: see Metric
  double criterion_deviation = 0;  ///< standard error of it
  std::optional<double> test_error;
  bool one_answer = false;  ///< every validation row gets the same class, or the same number
};

/// A model with what its answers about validation rows came to, `metric` deciding between models.
MeasuredNet measured(const Model& model, const Answers& answers, const Metrics& metrics, Metric metric);

/// The data that a net was trained on and is measured on.
struct MeasuringData {
  const Encoding* encoding = nullptr;
  const NetData* net = nullptr;
  const Dataset* test = nullptr;             ///< null: there are no test rows
  std::span<const std::uint32_t> test_rows;  ///< of that data set
  std::string version;                       ///< of the library, to stand in the model
};

/// A state of a run with CapNorm's numbers and, for classes, the temperature fitted on its validation rows. The errors are
/// those of the model as it is written.
MeasuredNet measure_net(ThreadPool& pool, const Trainer& trainer, const NetRun& run, const NetState& state,
                        const MeasuringData& data);

}  // namespace coppice
