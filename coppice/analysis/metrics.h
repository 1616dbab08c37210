#pragma once

#include "coppice/core/export.h"
#include "coppice/core/matrix.h"
#include "coppice/model/model.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// How good the answers about one class are, by weight; NaN where there is nothing to divide by.
struct ClassMetrics {
  double precision = 0;  ///< share of the rows that were given the class which are of it
  double recall = 0;     ///< share of its rows that were given it
  double f1 = 0;         ///< harmonic mean of both
};

/// How good predictions are, on rows whose answers are known. Where rows have weights, all but counts of rows go by them.
struct COPPICE_API Metrics {
  std::size_t rows = 0;
  double effective_rows =
      0;  ///< rows without weights that would tell as much: (sum of weights)^2 / sum of squares
  /// Share of wrong rows; regression: squared error over the variance of these rows, 1 - R2 (where they do not vary,
  /// over the training target's variance).
  double error = 0;
  double standard_error = 0;  ///< of `error`: by how much it would vary with other rows of the same kind
  // classification
  double log_loss = 0;            ///< with the model's temperature, over rows of known classes
  double log_loss_deviation = 0;  ///< standard error of it
  /// Area under the ROC curve: the chance that a row of the second class has a higher probability of it than one of the first
  /// has, ties counting half. More classes: each against the rest, weighted by their shares. NaN with rows of one class.
  double auc = std::numeric_limits<double>::quiet_NaN();
  double balanced_error = 0;  ///< mean over the classes that occur of the share of their rows that are wrong
  double f1 = 0;              ///< of the second class; of more than two classes their mean
  std::vector<ClassMetrics> classes;
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

/// What comes of answering a class where its probability is at least a threshold, and another one elsewhere.
struct CurvePoint {
  double threshold = 0;
  double recall = 0;               ///< share of its rows that get it: the ROC curve's true positives
  double false_positive_rate = 0;  ///< share of the other rows that do
  double precision = 0;            ///< share of the rows that get it which are of it
};

/// The ROC and the precision-recall curve of a class, from high thresholds to low.
struct ClassCurve {
  std::size_t of = 0;  ///< index of the class
  double auc = 0;
  std::vector<CurvePoint> points;
};

/// A threshold for the probability of the second of two classes that is best on the rows it was found on.
struct BestThreshold {
  double threshold = 0;
  double value = 0;  ///< what it is best for, with it
};

/// How good prediction intervals, or sets of classes, are.
struct IntervalMetrics {
  double level = 0;      ///< that was asked for
  double coverage = 0;   ///< share of the rows whose target lies in them, by weight
  double mean_size = 0;  ///< width in the target's own units, or number of classes
};

/// How good a model is on a table with the answers.
struct Evaluation {
  Task task = Task::classification;
  Metrics metrics;
  std::vector<std::string> class_names;
  std::vector<ClassCurve> curves;  ///< of the second of two classes, or of each; none of more than 50
  // Of two classes; none if only one of them occurs.
  std::optional<BestThreshold> best_f1;
  std::optional<BestThreshold> best_balanced_error;
  std::optional<IntervalMetrics> interval;  ///< if PredictOptions::interval asks for it
  bool one_answer = false;                  ///< every row got the same class, or the same number
  std::size_t unseen_rows = 0;              ///< of classes that training never saw: they count as errors
  std::vector<std::string> notes;           ///< as of a Prediction
  std::vector<std::string> warnings;
};

/// The table must have the target column, with a value in every row. `weight`: a column that says how much each row counts;
/// empty: all count the same.
COPPICE_API Evaluation evaluate(const Model& model, const Table& table, const PredictOptions& options = {},
                                const std::string& weight = {});

// For the library itself.

/// Standard error of a share of wrong rows among so many. One more row of each kind is counted, so that no wrong row
/// among few does not pass for certainty.
double share_standard_error(double share, double rows);

/// What is right for rows: labels (classification) or standardised targets (regression), and weights (empty: all count
/// the same).
struct KnownRows {
  std::vector<std::uint32_t> labels = {};
  std::vector<float> targets = {};
  std::vector<float> weights = {};
};

struct MeasureOptions {
  std::span<const std::uint32_t> answers =
      {};            ///< the class that each row gets; empty: that of the highest score
  bool auc = false;  ///< which needs sorting, once for each class
};

/// One row of scores each.
Metrics measure(const ModelParts& model, const Matrix<float>& scores, const KnownRows& known,
                const MeasureOptions& options = {});

/// The same of rows that all count the same.
inline Metrics measure(const ModelParts& model, const Matrix<float>& scores,
                       std::span<const std::uint32_t> labels, std::span<const float> targets) {
  return measure(
      model, scores,
      KnownRows{.labels = {labels.begin(), labels.end()}, .targets = {targets.begin(), targets.end()}});
}

/// A metric as nets are compared by it: less is better. Numbers in their own units.
struct Criterion {
  double value = 0;
  double deviation = 0;  ///< standard error of it, estimated
};
Criterion criterion_of(const Metrics& metrics, Metric metric, Task task);

/// Whether all rows of scores give the same class, or the same number.
bool gives_one_answer(const Matrix<float>& scores, std::span<const std::uint32_t> answers = {});

}  // namespace coppice
