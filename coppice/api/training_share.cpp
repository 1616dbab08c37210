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

NetRun Training::trained_alone(std::size_t net, std::size_t threads, NetObserver& observer,
                               const std::function<bool()>& stop) const {
  const PlannedNet& planned = planned_[net];
  const PreparedData& seen = planned.columns.empty() ? data_ : narrowed_.at(planned.columns);
  ThreadPool pool(threads);
  const Trainer trainer(pool, options_for(planned));
  const std::unique_ptr<Population> population = make_population(
      device_.device, pool, {&trainer}, {seen.net_data(planned.seed, share_for(planned))}, {runs_[net]});
  population->train(observer, stop);
  return population->runs().front();
}

void Training::take(NetRun run) {
  runs_[run.id] = std::move(run);
  while (more_ && round_ended()) more_ = begin_next_round();
}

void Training::forget_fresh_round() {
  const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(first_);
  if (std::any_of(begin, runs_.end(), [](const NetRun& run) { return run.epoch > 0; })) return;
  runs_.erase(begin, runs_.end());
  planned_.resize(runs_.size());
}

}  // namespace coppice
