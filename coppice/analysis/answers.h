#pragma once

#include "coppice/analysis/metrics.h"
#include "coppice/core/matrix.h"
#include "coppice/data/dataset.h"
#include "coppice/device/threads.h"
#include "coppice/model/folding.h"

#include <cstdint>
#include <span>

namespace coppice {

/// What nets say about rows, beside what is right.
struct Answers {
  Matrix<float> scores;
  KnownRows known;

  /// `wanted`: what decides between nets.
  Metrics metrics(const ModelParts& model, Metric wanted = Metric::error) const {
    return measure(model, scores, known, {.auc = wanted == Metric::auc});
  }
};

/// The nets' scores are averaged.
Answers ask(ThreadPool& pool, std::span<const FoldedNet> nets, const Dataset& set,
            std::span<const std::uint32_t> rows);

/// The answers about all rows, one part after another. There must be one.
Answers together(std::span<const Answers> parts);

}  // namespace coppice
