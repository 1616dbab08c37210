#pragma once

#include "coppice/analysis/metrics.h"
#include "coppice/core/matrix.h"
#include "coppice/data/dataset.h"
#include "coppice/device/threads.h"
#include "coppice/model/folding.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// What nets say about rows, beside the right answers.
struct Answers {
  Matrix<float> scores;
  std::vector<std::uint32_t> labels;
  std::vector<float> targets;

  Metrics metrics(const ModelParts& model) const { return measure(model, scores, labels, targets); }
  /// Every row gets the same class, or the same number.
  bool all_alike() const;
};

/// The nets' scores are averaged.
Answers ask(ThreadPool& pool, std::span<const FoldedNet> nets, const Dataset& set,
            std::span<const std::uint32_t> rows);

/// The answers about all rows, one part after another. There must be one.
Answers together(std::span<const Answers> parts);

}  // namespace coppice
