#include "coppice/analysis/measured_net.h"

#include "coppice/analysis/held_out.h"
#include "coppice/analysis/temperature.h"
#include "coppice/model/parts.h"

#include <utility>
#include <vector>

namespace coppice {

MeasuredNet measured(const Model& model, const Answers& answers, const Metrics& metrics, Metric metric) {
  const Criterion criterion = criterion_of(metrics, metric, model.task());
  const bool classes = model.task() == Task::classification;
  return {.model = model,
          .validation_error = metrics.error,
          .standard_error = metrics.standard_error,
          .log_loss = classes ? std::optional(metrics.log_loss) : std::nullopt,
          .log_loss_deviation = metrics.log_loss_deviation,
          .criterion = criterion.value,
          .criterion_deviation = criterion.deviation,
          .test_error = model.origin().test_error,
          .one_answer = gives_one_answer(answers.scores)};
}

MeasuredNet measure_net(ThreadPool& pool, const Trainer& trainer, const NetRun& run, const NetState& state,
                        const MeasuringData& data) {
  const NetData& net = *data.net;
  Workspace<float> workspace;
  ModelParts parts;
  parts.encoding = *data.encoding;
  parts.network = state.network;
  parts.statistics = trainer.statistics(state.network, net, workspace);
  std::vector<FoldedNet> folded{fold(parts.network, parts.statistics)};
  const Answers answers = ask(pool, folded, *net.validation, net.validation_rows);
  if (net.classes > 0)
    parts.temperature = fit_temperature(answers.scores, answers.known.labels, answers.known.weights);
  parts.conformity = conformity_of(answers, parts);
  const Metrics metrics = answers.metrics(parts, trainer.options().metric);
  std::optional<double> test_error;
  if (data.test != nullptr) {
    test_error = ask(pool, folded, *data.test, data.test_rows).metrics(parts, Metric::error).error;
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
  return measured(Model(std::move(parts), std::move(folded)), answers, metrics, trainer.options().metric);
}

}  // namespace coppice
