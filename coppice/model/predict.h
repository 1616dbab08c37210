#pragma once

#include "coppice/core/matrix.h"
#include "coppice/data/dataset.h"
#include "coppice/device/threads.h"
#include "coppice/model/folding.h"
#include "coppice/model/model.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// Scores of the given rows of encoded data, one row each: class scores with the base rate added, or the
/// standardised value. Throws an Error of the kind `interrupted` when `stop`, asked between chunks of rows, says so.
Matrix<float> predict_scores(ThreadPool& pool, const FoldedNet& net, const Dataset& data,
                             std::span<const std::uint32_t> rows, Device device = Device::cpu,
                             const std::function<bool()>& stop = {});

/// The scores of several nets, averaged.
Matrix<float> predict_scores(ThreadPool& pool, std::span<const FoldedNet> nets, const Dataset& data,
                             std::span<const std::uint32_t> rows, Device device = Device::cpu,
                             const std::function<bool()>& stop = {});

/// The same for all rows.
Matrix<float> predict_scores(ThreadPool& pool, std::span<const FoldedNet> nets, const Dataset& data,
                             Device device = Device::cpu, const std::function<bool()>& stop = {});

/// Scores of each of the rows by one of the nets: `net_of` tells its index for every row of the data. Empty: by all of them.
Matrix<float> predict_scores_by(ThreadPool& pool, std::span<const FoldedNet> nets, const Dataset& data,
                                std::span<const std::uint32_t> rows, std::span<const std::uint32_t> net_of);

/// Scores of all rows, computed where and by as many threads as the options say. The device, if it is a GPU, is noted;
/// that its memory does not suffice is a warning.
Matrix<float> predict_scores(std::span<const FoldedNet> nets, const Dataset& data,
                             const PredictOptions& options, std::vector<std::string>& notes,
                             std::vector<std::string>& warnings);

/// What nets say about all rows. Intervals need it from each of them.
struct NetScores {
  Matrix<float> averaged;
  std::vector<Matrix<float>> one_by_one;  ///< none if the options ask for no interval
};

/// The same, with those of each net.
NetScores predict_nets(std::span<const FoldedNet> nets, const Dataset& data, const PredictOptions& options,
                       std::vector<std::string>& notes, std::vector<std::string>& warnings);

/// Index of the largest score; ties go to the class that comes first.
std::size_t best_class(std::span<const float> scores);

/// softmax(scores / temperature).
std::vector<double> probabilities(std::span<const float> scores, double temperature);
/// The same into memory that is there.
void probabilities(std::span<const float> scores, double temperature, std::span<double> into);

}  // namespace coppice
