#include "coppice/core/file.h"
#include "coppice/device/gpu.h"
#include "coppice/model/metrics.h"
#include "coppice/model/model.h"
#include "coppice/run/checkpoint.h"
#include "coppice/run/journal.h"
#include "coppice/run/make_population.h"
#include "coppice/run/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

// A run trains in rounds: the nets it begins with side by side, then those that their results ask for.
namespace coppice {

namespace {

/// Writes a net's checkpoint at regular intervals and at its end.
class Checkpointer final : public Observer {
 public:
  Checkpointer(std::size_t every, std::function<void(const NetRun&)> write)
      : every_(every), write_(std::move(write)) {}
  void on_epoch(const NetRun& run, const EpochReport&) override {
    if (reads_weights(run)) write_(run);
  }
  bool reads_weights(const NetRun& run) const override { return run.epoch % every_ == 0 || !run.running(); }

 private:
  std::size_t every_;
  std::function<void(const NetRun&)> write_;
};

/// Standard error of a net's error over so many rows, from the error alone: squares of normal residuals have a
/// deviation of sqrt(2) times their mean.
double estimated_standard_error(double error, std::size_t classes, std::size_t rows) {
  if (classes > 0) return share_standard_error(error, rows);
  return error * std::sqrt(2 / static_cast<double>(std::max<std::size_t>(1, rows)));
}

/// Bytes of the model file that a network makes, up to the digits of its results.
std::size_t model_size(const Encoding& encoding, const Network<float>& network) {
  Model model;
  model.encoding = encoding;
  model.network = network;
  for (const Layer<float>& layer : network.layers) {
    model.statistics.mean.emplace_back(layer.weights.rows());
    model.statistics.divisor.emplace_back(layer.weights.rows());
  }
  return model_bytes(model).size();
}

std::size_t smallest_parameters(const Network<float>& network) {
  return network.inputs() + network.outputs() + network.layers.size() - 2;
}

}  // namespace

PlanOptions Run::plan_options() const {
  return {.lambdas = lambdas_,
          .seed = options_.seed,
          .seeds = options_.seeds,
          .path = options_.lambdas.empty() && options_.training.fixed_size.empty(),
          .smallest_parameters = runs_.empty() ? 0 : smallest_parameters(runs_.front().current.network),
          .budget = options_.budget};
}

const NetState& Run::kept_state(const NetRun& run) const {
  return options_.training.keep == Keep::last ? run.current : run.kept;
}

std::vector<PlannedNet> Run::next_round() const {
  // Nets that a limit stopped tell neither size nor error, and a limit is a limit.
  if (std::ranges::any_of(runs_, &NetRun::stopped)) return {};
  std::vector<TrainedNet> trained;
  for (const NetRun& run : runs_) {
    const NetState& state = kept_state(run);
    const std::size_t rows = data_.net_data(run.seed).validation_rows.size();
    const bool sized = options_.budget.bytes < Budget{}.bytes;
    trained.push_back(
        {.lambda = run.lambda,
         .seed = run.seed,
         .searched = planned_[run.id].searched,
         .result = {.error = state.validation_error,
                    .standard_error = estimated_standard_error(state.validation_error, data_.classes(), rows),
                    .parameters = state.network.parameters(),
                    .bytes = sized ? model_size(data_.encoding, state.network) : 0}});
  }
  return next_nets(plan_options(), trained);
}

/// Adds the planned nets, each as its checkpoint has it or at its beginning.
void Run::begin_round(const Trainer& trainer, const std::vector<PlannedNet>& planned) {
  for (const PlannedNet& net : planned) {
    const std::size_t id = runs_.size();
    const NetData data = data_.net_data(net.seed);
    if (net.warm_from) {
      const NetRun& from = runs_[*net.warm_from];
      const Phase phase = net.lambda > from.lambda ? Phase::settle : Phase::grow;
      runs_.push_back(trainer.start_from(kept_state(from).network, phase, id, net.lambda, net.seed, data));
    } else if (data_.warm_start) {
      runs_.push_back(trainer.start_from(*data_.warm_start, Phase::grow, id, net.lambda, net.seed, data));
    } else {
      runs_.push_back(trainer.start(id, net.lambda, net.seed, data));
    }
    planned_.push_back(net);
    if (std::filesystem::exists(checkpoint_path(id)))
      restore_checkpoint(runs_.back(), read_file(checkpoint_path(id)), checkpoint_path(id), fingerprint());
  }
}

bool Run::train(Observer* observer, const std::function<bool()>& stop) {
  ThreadPool pool(thread_count(options_));
  const Trainer trainer(pool, training_options());
  std::size_t first = 0;  // net of the round
  const auto round_ended = [&] {
    return std::none_of(runs_.begin() + static_cast<std::ptrdiff_t>(first), runs_.end(),
                        [](const NetRun& run) { return run.running(); });
  };
  const auto begin_next_round = [&] {
    const std::vector<PlannedNet> planned = runs_.empty() ? first_nets(plan_options()) : next_round();
    first = runs_.size();
    begin_round(trainer, planned);
    return !planned.empty();
  };
  // Rounds that an earlier sitting finished come back from their checkpoints.
  bool more = begin_next_round();
  while (more && round_ended()) more = begin_next_round();

  std::vector<std::size_t> epochs(runs_.size());
  std::ranges::transform(runs_, epochs.begin(), &NetRun::epoch);
  JournalRest journaled = truncate_journal(path("journal.jsonl"), epochs);
  Journal journal(path("journal.jsonl"), journaled.seconds);
  Checkpointer checkpointer(options_.checkpoint_every, [this](const NetRun& run) { write_checkpoint(run); });
  std::vector<Observer*> all{&journal, &checkpointer};
  if (observer != nullptr) all.push_back(observer);
  Observers observers(all);

  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const auto out_of_time = [&] { return stop() || passed() >= options_.time_limit; };
  while (more) {
    const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(first);
    for (; journaled.started < runs_.size(); ++journaled.started)
      journal.start(runs_[journaled.started], planned_[journaled.started], device_.device);
    std::vector<NetRun> round(begin, runs_.end());
    std::vector<NetData> net_data;
    for (const NetRun& run : round) net_data.push_back(data_.net_data(run.seed));
    const std::unique_ptr<Population> population =
        make_population(device_.device, pool, trainer, std::move(net_data), std::move(round));
    try {
      population->train(observers, out_of_time);
    } catch (const GpuOutOfMemory&) {  // the nets are as they were: another device or another day can go on
      for (const NetRun& run : population->runs()) write_checkpoint(run);
      throw;
    }
    std::ranges::copy(population->runs(), begin);
    for (auto run = begin; run != runs_.end(); ++run) write_checkpoint(*run);
    more = round_ended() && !out_of_time() && begin_next_round();
  }
  seconds_ = journaled.seconds + passed();
  return !stop();
}

}  // namespace coppice
