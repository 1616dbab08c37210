#pragma once

#include "coppice/core/export.h"
#include "coppice/model/model.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

// Part of the public interface.
namespace coppice {

struct ExplainOptions {
  std::string class_name = {};  ///< whose score is explained; empty: of each row the class that is predicted
  std::vector<std::uint32_t> rows = {};  ///< of the table, from 0; empty: all
  std::size_t threads = 0;               ///< at most; 0: as many as there are
  /// Asked now and then by the calling thread; if it says true, an Error of the kind `interrupted` is thrown.
  std::function<bool()> stop = {};
};

/// What the columns of a table contribute to what a model says about its rows: for each row baseline + the sum of its
/// contributions = score. The baseline is the score of the mean input: every input of the network 0.
///
/// Scores of classes are those that softmax makes probabilities of (divided by the temperature). Scores of numbers are the
/// predicted values; with `target-transform` log, their logarithms.
struct Explanation {
  std::size_t rows = 0;
  std::vector<std::uint32_t> row_numbers;  ///< of the table, from 0
  std::vector<std::string> columns;        ///< of the table, as the model has them
  std::vector<double> contributions;       ///< rows x columns
  std::vector<double> baselines;           ///< one per row
  std::vector<double> scores;              ///< one per row
  std::vector<std::uint32_t> classes;      ///< whose scores they are, one per row; none for numbers
  bool logarithms = false;                 ///< scores are logarithms of the values
  Prediction prediction;                   ///< of all rows of the table

  std::span<const double> contributions_of(std::size_t row) const {
    return std::span(contributions).subspan(row * columns.size(), columns.size());
  }
};

/// Columns are found by their names, as predict() does. Numbers, "was missing" and bins of one column, its categories, and
/// what is made of its dates count as one.
COPPICE_API Explanation explain(const Model& model, const Table& table, const ExplainOptions& options = {});

}  // namespace coppice
