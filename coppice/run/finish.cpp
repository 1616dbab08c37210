#include "coppice/core/file.h"
#include "coppice/model/metrics.h"
#include "coppice/model/names.h"
#include "coppice/model/predict.h"
#include "coppice/run/run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

namespace coppice {

namespace {

bool better(const NetResult& a, const NetResult& b) {
  const auto rank = [](const NetResult& net) {
    const double error = std::isfinite(net.validation_error) ? net.validation_error : HUGE_VAL;
    return std::tuple(error, net.parameters, net.id);
  };
  return rank(a) < rank(b);
}

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

double error_of(const Model& model, const Answers& answers) {
  return measure(model, answers.scores, answers.labels, answers.targets).error;
}

double test_error(ThreadPool& pool, const Model& model, const PreparedData& data) {
  std::vector<std::uint32_t> rows = data.test_rows;
  if (data.test) {
    rows.resize(data.test->rows());
    std::iota(rows.begin(), rows.end(), 0U);
  }
  return error_of(model, ask(pool, model, data.test_set(), rows));
}

/// The net with CapNorm's numbers and, for classes, the temperature fitted on its validation rows. Sets the
/// error on those rows, which is that of the model as it is written.
Model make_model(ThreadPool& pool, const Trainer& trainer, const NetState& state, const PreparedData& data,
                 const NetData& net_data, double& validation_error) {
  Workspace<float> workspace;
  Model model;
  model.encoding = data.encoding;
  model.network = state.network;
  model.statistics = trainer.statistics(state.network, net_data, workspace);
  const Answers answers = ask(pool, model, *net_data.validation, net_data.validation_rows);
  if (data.classes() > 0) model.temperature = fit_temperature(answers.scores, answers.labels);
  validation_error = error_of(model, answers);
  return model;
}

NetResult result_of(const NetRun& run, const NetState& state) {
  return {.id = run.id,
          .lambda = run.lambda,
          .seed = run.seed,
          .hidden_units = state.network.hidden_units(),
          .parameters = state.network.parameters(),
          .train_loss = state.train_loss,
          .validation_error = state.validation_error,
          .test_error = std::nullopt,
          .epochs = run.epoch,
          .phase = std::string(phase_name(run.protocol.phase())),
          .model = fmt::format("net-{}.coppice", run.id)};
}

Origin origin_of(const NetResult& result, const RunOptions& options, const NetData& data) {
  return {.version = version(),
          .optimizer = options.training.optimizer,
          .lambda = result.lambda,
          .seed = result.seed,
          .epochs = result.epochs,
          .phase = result.phase,
          .train_rows = data.train_rows.size(),
          .validation_rows = data.validation_rows.size(),
          .train_loss = result.train_loss,
          .validation_error = result.validation_error,
          .test_error = result.test_error};
}

}  // namespace

Summary Run::finish() const {
  ThreadPool pool(thread_count(options_));
  const Trainer trainer(pool, training_options());
  Summary summary;
  summary.seconds = seconds_;
  summary.threads = pool.threads();
  summary.device = device_.device;
  summary.task = data_.encoding.task;
  for (const NetRun& run : runs_) {
    const NetState& state = options_.training.keep == Keep::last ? run.current : run.kept;
    const NetData net_data = data_.net_data(run.seed);
    NetResult result = result_of(run, state);
    Model model = make_model(pool, trainer, state, data_, net_data, result.validation_error);
    if (data_.has_test()) result.test_error = test_error(pool, model, data_);
    model.origin = origin_of(result, options_, net_data);
    write_file(path(result.model), model_bytes(model));
    summary.nets.push_back(std::move(result));
  }
  const auto best = std::ranges::min_element(summary.nets, better);
  summary.best = static_cast<std::size_t>(best - summary.nets.begin());
  write_file(path("model.coppice"), read_file(path(best->model)));
  write_file(path("summary.json"), summary_json(summary).dump(2) + "\n");
  return summary;
}

}  // namespace coppice
