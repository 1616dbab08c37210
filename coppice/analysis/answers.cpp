#include "coppice/analysis/answers.h"

#include "coppice/model/predict.h"

#include <algorithm>

namespace coppice {

Answers ask(ThreadPool& pool, std::span<const FoldedNet> nets, const Dataset& set,
            std::span<const std::uint32_t> rows) {
  Answers answers{.scores = predict_scores(pool, nets, set, rows), .known = {}};
  for (const std::uint32_t row : rows) {
    if (!set.labels.empty()) answers.known.labels.push_back(set.labels[row]);
    if (!set.targets.empty()) answers.known.targets.push_back(set.targets[row]);
  }
  answers.known.weights = weights_of(set, rows);
  return answers;
}

Answers together(std::span<const Answers> parts) {
  std::size_t rows = 0;
  for (const Answers& part : parts) rows += part.scores.rows();
  Answers all{.scores = Matrix<float>(rows, parts.front().scores.cols()), .known = {}};
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  std::size_t at = 0;
  for (const Answers& part : parts) {
    for (std::size_t i = 0; i < part.scores.rows(); ++i, ++at)
      std::ranges::copy(part.scores.row(i), all.scores.row(at).begin());
    append(all.known.labels, part.known.labels);
    append(all.known.targets, part.known.targets);
    append(all.known.weights, part.known.weights);
  }
  return all;
}

}  // namespace coppice
