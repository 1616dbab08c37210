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

NetTask Training::task(const PlannedNet& net, NetRun run) const {
  return {.run = std::move(run),
          .options = options_for(net),
          .data = seen_by(net).net_data(net.seed, share_for(net))};
}

NetRun Training::trained(NetTask task, std::size_t threads, NetObserver& observer,
                         const std::function<bool()>& stop) const {
  ThreadPool pool(threads);
  const Trainer trainer(pool, std::move(task.options));
  std::vector<NetData> data;
  data.push_back(std::move(task.data));
  std::vector<NetRun> runs;
  runs.push_back(std::move(task.run));
  const std::unique_ptr<Population> population =
      make_population(device_.device, pool, {&trainer}, std::move(data), std::move(runs));
  population->train(observer, stop);
  return population->runs().front();
}

NetRun Training::trained_alone(std::size_t net, std::size_t threads, NetObserver& observer,
                               const std::function<bool()>& stop) const {
  return trained(task(planned_[net], runs_[net]), threads, observer, stop);
}

std::optional<Ancestor> Training::ancestor_of(const PlannedNet& net) const {
  if (!net.warm_from) return std::nullopt;
  const NetRun& from = runs_[*net.warm_from];
  return Ancestor{.network = kept_state(from).network, .lambda = from.lambda};
}

NetRun Training::begun(std::size_t id, const PlannedNet& net, const std::optional<Ancestor>& ancestor) {
  const Trainer trainer(pool_, options_for(net));
  const NetData data = net_data(net);
  if (ancestor) {
    const Phase phase = net.refit                       ? Phase::anneal
                        : net.lambda > ancestor->lambda ? Phase::settle
                                                        : Phase::grow;
    return trainer.start_from(ancestor->network, phase, id, net.lambda, net.seed, data);
  }
  if (data_.warm_start)
    return trainer.start_from(*data_.warm_start, Phase::grow, id, net.lambda, net.seed, data);
  return trainer.start(id, net.lambda, net.seed, data);
}

void Training::take(NetRun run) {
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
