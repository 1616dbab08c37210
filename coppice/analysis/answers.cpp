#include "coppice/analysis/answers.h"

#include "coppice/model/predict.h"

#include <algorithm>

namespace coppice {

bool Answers::all_alike() const {
  for (std::size_t i = 1; i < scores.rows(); ++i) {
    const bool same = scores.cols() > 1 ? best_class(scores.row(i)) == best_class(scores.row(0))
                                        : scores(i, 0) == scores(0, 0);
    if (!same) return false;
  }
  return true;
}

Answers ask(ThreadPool& pool, std::span<const FoldedNet> nets, const Dataset& set,
            std::span<const std::uint32_t> rows) {
  Answers answers{.scores = predict_scores(pool, nets, set, rows), .labels = {}, .targets = {}};
  for (const std::uint32_t row : rows) {
    if (!set.labels.empty()) answers.labels.push_back(set.labels[row]);
    if (!set.targets.empty()) answers.targets.push_back(set.targets[row]);
  }
  return answers;
}

Answers together(std::span<const Answers> parts) {
  std::size_t rows = 0;
  for (const Answers& part : parts) rows += part.scores.rows();
  Answers all{.scores = Matrix<float>(rows, parts.front().scores.cols()), .labels = {}, .targets = {}};
  std::size_t at = 0;
  for (const Answers& part : parts) {
    for (std::size_t i = 0; i < part.scores.rows(); ++i, ++at)
      std::ranges::copy(part.scores.row(i), all.scores.row(at).begin());
    all.labels.insert(all.labels.end(), part.labels.begin(), part.labels.end());
    all.targets.insert(all.targets.end(), part.targets.begin(), part.targets.end());
  }
  return all;
}

}  // namespace coppice
