#include "coppice/run/measured_net.h"

#include "coppice/model/metrics.h"
#include "coppice/model/names.h"
#include "coppice/model/predict.h"
#include "coppice/model/temperature.h"
#include "coppice/run/run.h"

#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace coppice {

namespace {

/// What a model says about rows, beside the answers.
struct Answers {
  Matrix<float> scores;
  std::vector<std::uint32_t> labels;
  std::vector<float> targets;
};

Answers ask(ThreadPool& pool, const Model& model, const Dataset& set, std::span<const std::uint32_t> rows) {
  Answers answers{.scores = predict_scores(pool, model, set, rows), .labels = {}, .targets = {}};
  for (const std::uint32_t row : rows) {
    if (!set.labels.empty()) answers.labels.push_back(set.labels[row]);
    if (!set.targets.empty()) answers.targets.push_back(set.targets[row]);
  }
  return answers;
}

Metrics metrics_of(const Model& model, const Answers& answers) {
  return measure(model, answers.scores, answers.labels, answers.targets);
}

double test_error(ThreadPool& pool, const Model& model, const PreparedData& data) {
  std::vector<std::uint32_t> rows = data.test_rows;
  if (data.test) {
    rows.resize(data.test->rows());
    std::iota(rows.begin(), rows.end(), 0U);
  }
  return metrics_of(model, ask(pool, model, data.test_set(), rows)).error;
}

Origin origin_of(const Trainer& trainer, const NetRun& run, const NetState& state, const NetData& data,
                 const MeasuredNet& net) {
  return {.version = version(),
          .optimizer = name_of(trainer.options().optimizer),
          .lambda = run.lambda,
          .seed = run.seed,
          .epochs = run.epoch,
          .phase = std::string(phase_name(run.protocol.phase())),
          .train_rows = data.train_rows.size(),
          .validation_rows = data.validation_rows.size(),
          .train_loss = state.train_loss,
          .validation_error = net.validation_error,
          .test_error = net.test_error};
}

}  // namespace

MeasuredNet measure_net(ThreadPool& pool, const Trainer& trainer, const NetRun& run, const NetState& state,
                        const PreparedData& data) {
  const NetData net_data = data.net_data(run.seed);
  Workspace<float> workspace;
  MeasuredNet net;
  net.model.encoding = data.encoding;
  net.model.network = state.network;
  net.model.statistics = trainer.statistics(state.network, net_data, workspace);
  const Answers answers = ask(pool, net.model, *net_data.validation, net_data.validation_rows);
  if (data.classes() > 0) net.model.temperature = fit_temperature(answers.scores, answers.labels);
  const Metrics metrics = metrics_of(net.model, answers);
  net.validation_error = metrics.error;
  net.standard_error = metrics.standard_error;
  if (data.has_test()) net.test_error = test_error(pool, net.model, data);
  net.model.origin = origin_of(trainer, run, state, net_data, net);
  return net;
}

}  // namespace coppice
