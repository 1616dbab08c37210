#include "coppice/core/file.h"
#include "coppice/model/metrics.h"
#include "coppice/model/names.h"
#include "coppice/model/predict.h"
#include "coppice/run/analysis.h"
#include "coppice/run/run.h"

#include <filesystem>
#include <numeric>

#include <fmt/format.h>

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

/// The net with CapNorm's numbers and, for classes, the temperature fitted on its validation rows. Sets the
/// error on those rows, which is that of the model as it is written, in `result`.
Model make_model(ThreadPool& pool, const Trainer& trainer, const NetState& state, const PreparedData& data,
                 const NetData& net_data, NetResult& result) {
  Workspace<float> workspace;
  Model model;
  model.encoding = data.encoding;
  model.network = state.network;
  model.statistics = trainer.statistics(state.network, net_data, workspace);
  const Answers answers = ask(pool, model, *net_data.validation, net_data.validation_rows);
  if (data.classes() > 0) model.temperature = fit_temperature(answers.scores, answers.labels);
  const Metrics metrics = metrics_of(model, answers);
  result.validation_error = metrics.error;
  result.standard_error = metrics.standard_error;
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
          .standard_error = 0,
          .test_error = std::nullopt,
          .epochs = run.epoch,
          .phase = std::string(phase_name(run.protocol.phase())),
          .warm_from = std::nullopt,
          .dominated = false,
          .bytes = 0,
          .model = fmt::format("net-{}.coppice", run.id)};
}

Origin origin_of(const NetResult& result, const RunOptions& options, const NetData& data) {
  return {.version = version(),
          .optimizer = name_of(options.training.optimizer),
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

/// Marks the front and the net that is wanted of it.
void choose(Summary& summary) {
  std::vector<Candidate> nets;
  for (const NetResult& net : summary.nets) nets.push_back(candidate_of(net));
  mark_dominated(summary);
  summary.best = *pick(nets, Pick::best, {});
  summary.chosen = pick(nets, summary.pick, summary.budget);
}

}  // namespace

void Run::write_analysis(ThreadPool& pool, std::size_t net) const {
  const Model model = load_model(path(fmt::format("net-{}.coppice", net)));
  write_file(path("analysis.json"), analysis_json(pool, model, net, data_, options_.data).dump() + "\n");
}

Summary Run::finish() const {
  ThreadPool pool(thread_count(options_));
  const Trainer trainer(pool, training_options());
  Summary summary;
  summary.pick = options_.pick;
  summary.budget = options_.budget;
  summary.seconds = seconds_;
  summary.threads = pool.threads();
  summary.device = device_.device;
  summary.task = data_.encoding.task;
  for (const NetRun& run : runs_) {
    const NetState& state = kept_state(run);
    const NetData net_data = data_.net_data(run.seed);
    NetResult result = result_of(run, state);
    result.warm_from = planned_[run.id].warm_from;
    Model model = make_model(pool, trainer, state, data_, net_data, result);
    if (data_.has_test()) result.test_error = test_error(pool, model, data_);
    model.origin = origin_of(result, options_, net_data);
    const std::string bytes = model_bytes(model);
    result.bytes = bytes.size();
    write_file(path(result.model), bytes);
    summary.nets.push_back(std::move(result));
  }
  choose(summary);
  if (summary.chosen) {
    write_file(path("model.coppice"), read_file(path(summary.nets[*summary.chosen].model)));
  } else {
    std::filesystem::remove(path("model.coppice"));  // of an earlier budget
  }
  // A budget that no net meets leaves none chosen; the best one still tells about the data.
  write_analysis(pool, summary.chosen.value_or(summary.best));
  write_file(path("summary.json"), summary_json(summary).dump(2) + "\n");
  return summary;
}

}  // namespace coppice
