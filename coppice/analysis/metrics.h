#pragma once

#include "coppice/core/export.h"
#include "coppice/core/matrix.h"
#include "coppice/model/model.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// How good predictions are, on rows whose answers are known.
struct COPPICE_API Metrics {
  std::size_t rows = 0;
  /// Share of wrong rows; regression: squared error over the training target's variance.
  double error = 0;
  double standard_error = 0;  ///< of `error`: by how much it would vary with other rows of the same kind
  // classification
  double log_loss = 0;            ///< with the model's temperature, over rows of known classes
  double log_loss_deviation = 0;  ///< standard error of it
  std::vector<std::vector<std::size_t>>
      confusion;  ///< [actual][predicted]; a last row for classes never seen
  // regression, in the target's own units
  double rmse = 0;
  double mae = 0;
  double r2 = 0;

  /// Rows of a class, the last one being all that training never saw, and how many of them are wrong.
  std::size_t rows_of(std::size_t actual) const;
  std::size_t wrong_of(std::size_t actual) const;
};

/// How good a model is on a table with the answers.
struct Evaluation {
  Task task = Task::classification;
  Metrics metrics;
  std::vector<std::string> class_names;
  std::size_t unseen_rows = 0;     ///< of classes that training never saw: they count as errors
  std::vector<std::string> notes;  ///< as of a Prediction
  std::vector<std::string> warnings;
};

/// The table must have the target column, with a value in every row.
COPPICE_API Evaluation evaluate(const Model& model, const Table& table, const PredictOptions& options = {});

// For the library itself.

/// Standard error of a share of wrong rows among so many. One more row of each kind is counted, so that no wrong row
/// among few does not pass for certainty.
double share_standard_error(double share, std::size_t rows);

/// Scores against labels (classification) or standardised targets (regression), one per row of scores.
Metrics measure(const ModelParts& model, const Matrix<float>& scores, std::span<const std::uint32_t> labels,
                std::span<const float> targets);

}  // namespace coppice
