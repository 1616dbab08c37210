#include "coppice/api/make_population.h"
#include "coppice/api/training.h"

#include <algorithm>
#include <utility>

// A training's nets, one by one.
namespace coppice {

std::vector<std::size_t> Training::waiting() const {
  std::vector<std::size_t> nets;
  for (std::size_t net = first_; net < runs_.size(); ++net) {
    if (runs_[net].running()) nets.push_back(net);
  }
  return nets;
}

const PreparedData& Training::seen_by(const PlannedNet& net) const {
  if (net.taught) return *lessons_;
  return net.columns.empty() ? data_ : narrowed_.at(net.columns);
}

std::size_t Training::together(std::size_t net) const {
  const auto alike = [&](const PlannedNet& one, const PlannedNet& other) {
    return one.variant == other.variant && one.fixed_size.size() == other.fixed_size.size() &&
           one.columns == other.columns && one.taught == other.taught;
  };
  return static_cast<std::size_t>(
      std::count_if(planned_.begin() + static_cast<std::ptrdiff_t>(first_), planned_.end(),
                    [&](const PlannedNet& other) { return alike(planned_[net], other); }));
}

NetTask Training::task(const PlannedNet& net, NetRun run, std::size_t together) const {
  const WithArithmetic as_asked(arithmetic_of(options_));
  TrainingOptions options = options_for(net);
  options.nets_together = together;
  NetData data = seen_by(net).net_data(net.seed, share_for(net));
  data.team = team_.get();
  return {.run = std::move(run),
          .options = std::move(options),
          .data = std::move(data),
          .kind = {net.variant, net.fixed_size.size()}};
}

std::unique_ptr<Population> Training::population_of(std::vector<NetTask> tasks, ThreadPool& pool,
                                                    Trainers& trainers) const {
  std::vector<const Trainer*> of_nets;
  std::vector<NetData> data;
  std::vector<NetRun> runs;
  for (NetTask& task : tasks) {
    const std::pair kind(task.kind, task.data.train);
    of_nets.push_back(&trainers.try_emplace(kind, pool, std::move(task.options)).first->second);
    data.push_back(std::move(task.data));
    runs.push_back(std::move(task.run));
  }
  return make_population(device_, pool, std::move(of_nets), std::move(data), std::move(runs));
}

std::vector<NetRun> Training::trained(std::vector<NetTask> tasks, std::size_t threads, NetObserver& observer,
                                      const std::function<bool()>& stop) const {
  const WithArithmetic as_asked(arithmetic_of(options_));
  ThreadPool pool(threads);
  Trainers trainers;
  const std::unique_ptr<Population> population = population_of(std::move(tasks), pool, trainers);
  population->train(observer, stop);
  return population->runs();
}

NetRun Training::trained_alone(std::size_t net, std::size_t threads, NetObserver& observer,
                               const std::function<bool()>& stop) const {
  std::vector<NetTask> tasks;
  tasks.push_back(task(planned_[net], runs_[net], together(net)));
  return trained(std::move(tasks), threads, observer, stop).front();
}

std::optional<Ancestor> Training::ancestor_of(const PlannedNet& net) const {
  if (!net.warm_from) return std::nullopt;
  const NetRun& from = runs_[*net.warm_from];
  return Ancestor{.network = kept_state(from).network, .lambda = from.lambda};
}

NetRun Training::begun(std::size_t id, const PlannedNet& net, const std::optional<Ancestor>& ancestor) {
  const WithArithmetic as_asked(arithmetic_of(options_));
  const Trainer trainer(pool_, options_for(net));
  const NetData data = net_data(net);
  if (ancestor) {
    const Phase phase = net.refit                       ? Phase::anneal
                        : net.lambda > ancestor->lambda ? Phase::settle
                                                        : Phase::grow;
    return trainer.start_from(ancestor->network, phase, id, net.lambda, net.seed, data);
  }
  if (const Network<float>* first = data_.warm_start(net.seed))
    return trainer.start_from(*first, Phase::grow, id, net.lambda, net.seed, data);
  return trainer.start(id, net.lambda, net.seed, data);
}

void Training::take(NetRun run) {
  const WithArithmetic as_asked(arithmetic_of(options_));
  put_back(std::move(run));
  while (more_ && round_ended()) more_ = begin_next_round();
}

void Training::forget_fresh_round() {
  const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(first_);
  if (std::any_of(begin, runs_.end(), [](const NetRun& run) { return run.epoch > 0; })) return;
  runs_.erase(begin, runs_.end());
  planned_.resize(runs_.size());
}

}  // namespace coppice
