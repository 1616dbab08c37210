#include "coppice/core/file.h"
#include "coppice/run/analysis.h"
#include "coppice/run/measured_net.h"
#include "coppice/run/run.h"

#include <filesystem>

#include <fmt/format.h>

namespace coppice {

namespace {

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
  lock_.require();
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
    NetResult result = result_of(run, state);
    result.warm_from = planned_[run.id].warm_from;
    const MeasuredNet net = measure_net(pool, trainer, run, state, data_);
    result.validation_error = net.validation_error;
    result.standard_error = net.standard_error;
    result.test_error = net.test_error;
    const std::string bytes = model_bytes(net.model);
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
