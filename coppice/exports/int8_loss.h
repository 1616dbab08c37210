#pragma once

#include "coppice/exports/quantized.h"

#include <cstddef>
#include <optional>

namespace coppice {

/// What 8 bits change of a model's answers about rows.
struct Int8Loss {
  std::size_t rows = 0;
  /// Share of the rows that get another class; of numbers, the root of the mean squared change over the target's deviation.
  double changed = 0;
  // Where the rows have the target.
  std::optional<double> error_before;
  std::optional<double> error;
};

/// A model in 8 bits and what that changes.
struct CalibratedModel {
  QuantizedModel quantized;
  Int8Loss loss;
};

/// Calibrated on at most some thousands of the rows, measured on all of them. Fails on a table without rows.
CalibratedModel calibrate(const Model& model, const LoweredModel& lowered, const Table& table);

}  // namespace coppice
