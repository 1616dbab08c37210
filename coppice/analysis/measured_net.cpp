#include "coppice/analysis/measured_net.h"

#include "coppice/analysis/metrics.h"
#include "coppice/analysis/temperature.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include <utility>
#include <vector>

namespace coppice {

namespace {

/// What a net says about rows, beside the answers.
struct Answers {
  Matrix<float> scores;
  std::vector<std::uint32_t> labels;
  std::vector<float> targets;

  Metrics metrics(const ModelParts& model) const { return measure(model, scores, labels, targets); }
};

Answers ask(ThreadPool& pool, const FoldedNet& net, const Dataset& set, std::span<const std::uint32_t> rows) {
  Answers answers{.scores = predict_scores(pool, net, set, rows), .labels = {}, .targets = {}};
  for (const std::uint32_t row : rows) {
    if (!set.labels.empty()) answers.labels.push_back(set.labels[row]);
    if (!set.targets.empty()) answers.targets.push_back(set.targets[row]);
  }
  return answers;
}

bool gives_one_answer(const Answers& answers) {
  const Matrix<float>& scores = answers.scores;
  for (std::size_t i = 1; i < scores.rows(); ++i) {
    const bool same = scores.cols() > 1 ? best_class(scores.row(i)) == best_class(scores.row(0))
                                        : scores(i, 0) == scores(0, 0);
    if (!same) return false;
  }
  return true;
}

}  // namespace

MeasuredNet measure_net(ThreadPool& pool, const Trainer& trainer, const NetRun& run, const NetState& state,
                        const MeasuringData& data) {
  const NetData& net = *data.net;
  Workspace<float> workspace;
  ModelParts parts;
  parts.encoding = *data.encoding;
  parts.network = state.network;
  parts.statistics = trainer.statistics(state.network, net, workspace);
  const FoldedNet folded = fold(parts.network, parts.statistics);
  const Answers answers = ask(pool, folded, *net.validation, net.validation_rows);
  if (net.classes > 0) parts.temperature = fit_temperature(answers.scores, answers.labels);
  const Metrics metrics = answers.metrics(parts);
  std::optional<double> test_error;
  if (data.test != nullptr) {
    test_error = ask(pool, folded, *data.test, data.test_rows).metrics(parts).error;
  }
  parts.origin = {.version = data.version,
                  .optimizer = name_of(trainer.options().optimizer),
                  .lambda = run.lambda,
                  .seed = run.seed,
                  .epochs = run.epoch,
                  .phase = name_of(run.protocol.phase()),
                  .train_rows = net.train_rows.size(),
                  .validation_rows = net.validation_rows.size(),
                  .train_loss = state.train_loss,
                  .validation_error = metrics.error,
                  .test_error = test_error};
  return {.model = Model(std::move(parts)),
          .validation_error = metrics.error,
          .standard_error = metrics.standard_error,
          .log_loss = net.classes > 0 ? std::optional(metrics.log_loss) : std::nullopt,
          .log_loss_deviation = metrics.log_loss_deviation,
          .test_error = test_error,
          .one_answer = gives_one_answer(answers)};
}

}  // namespace coppice
