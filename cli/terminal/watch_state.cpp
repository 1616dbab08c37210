#include "cli/terminal/watch_state.h"

#include "coppice/core/names.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice::cli {

namespace {

using nlohmann::json;

/// More nets, or epochs between two lines, are a damaged file.
constexpr std::size_t most = 100'000;

std::string text(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::uint64_t> count(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer() || found->get<std::int64_t>() < 0)
    return std::nullopt;
  return found->get<std::uint64_t>();
}

}  // namespace

WatchState::WatchState(const json& config) {
  if (!config.is_object()) return;
  if (const auto list = config.find("lambda"); list != config.end() && list->is_array()) {
    for (const json& lambda : *list) {
      if (lambda.is_number()) lambdas_.push_back(lambda.get<double>());
    }
  }
  seed_ = count(config, "seed").value_or(0);
  seeds_ = std::max<std::size_t>(count(config, "seeds").value_or(1), 1);
  task_ = from_name<Task>(text(config, "task")).value_or(Task::classification);
  data_ = text(config, "data");
  target_ = text(config, "target");
  device_ = text(config, "device");
  restart();
}

WatchedNet WatchState::fresh(std::size_t id) const {
  WatchedNet net;
  if (id < lambdas_.size() * seeds_) {
    net.lambda = lambdas_[id / seeds_];
    net.seed = seed_ + id % seeds_;
  }
  return net;
}

void WatchState::restart() {
  nets_.clear();
  seconds_ = 0;
  const std::size_t known = std::min(lambdas_.size() * seeds_, most);
  for (std::size_t id = 0; id < known; ++id) nets_.push_back(fresh(id));
}

WatchedNet& WatchState::net(std::size_t id) {
  while (nets_.size() <= id) nets_.push_back(fresh(nets_.size()));
  return nets_[id];
}

void WatchState::add(const journal::Event& event) {
  std::visit([this](const auto& e) { take(e); }, event);
}

void WatchState::take(const journal::Start& start) {
  WatchedNet& into = net(start.net);
  if (start.lambda > 0) into.lambda = start.lambda;
  into.seed = start.seed;
  into.units = start.hidden_units;
  if (start.device) device_ = name_of(*start.device);
}

void WatchState::take(const journal::Epoch& epoch) {
  WatchedNet& into = net(epoch.net);
  if (epoch.lambda > 0) into.lambda = epoch.lambda;  // polish trains with 0, which says nothing about the net
  into.phase = epoch.next_phase.value_or(epoch.phase);
  into.epoch = epoch.epoch;
  into.units = epoch.hidden_units;
  into.error = epoch.validation_error;
  // Older journals do not tell it.
  into.lowest = std::isnan(epoch.lowest) ? std::fmin(into.lowest, epoch.validation_error) : epoch.lowest;
  into.waited = epoch.waited;
  into.patience = epoch.patience;
  into.to_go = epoch.to_go;
  seconds_ = std::fmax(seconds_, epoch.seconds);
  // A journal without some epochs still gives every epoch its place.
  const std::size_t place = std::max<std::size_t>(epoch.epoch, 1);
  if (place > into.errors.size() + most) return;
  into.errors.resize(place, journal::unknown);
  into.sizes.resize(place, journal::unknown);
  into.phases.resize(place, epoch.phase);
  into.units_of_epoch.resize(place);
  into.errors.back() = epoch.validation_error;
  into.sizes.back() = static_cast<double>(
      std::accumulate(epoch.hidden_units.begin(), epoch.hidden_units.end(), std::size_t{0}));
  into.units_of_epoch.back() = epoch.hidden_units;
}

void WatchState::take(const journal::Rewind& rewind) {
  WatchedNet& into = net(rewind.net);
  ++into.rewinds;
  into.phase = rewind.phase;
  if (rewind.to_epoch == 0 || rewind.to_epoch > into.errors.size()) return;
  into.error = into.errors[rewind.to_epoch - 1];
  into.units = into.units_of_epoch[rewind.to_epoch - 1];
}

void WatchState::take(const journal::End& end) {
  WatchedNet& into = net(end.net);
  into.ended = true;
  into.phase = end.phase;
}

std::size_t WatchState::running() const {
  return static_cast<std::size_t>(std::ranges::count_if(nets_, &WatchedNet::running));
}

bool WatchState::all_ended() const {
  return !nets_.empty() && std::ranges::all_of(nets_, &WatchedNet::ended);
}

double WatchState::seconds_to_go() const {
  double done = 0;
  double to_go = 0;
  double shortest = HUGE_VAL;  // of the nets that have begun: the others take no less
  for (const WatchedNet& net : nets_) {
    if (net.epoch == 0) continue;
    const double left = net.ended ? 0 : net.to_go;
    done += static_cast<double>(net.epoch);
    to_go += left;
    shortest = std::fmin(shortest, static_cast<double>(net.epoch) + left);
  }
  const auto waiting = std::ranges::count(nets_, std::size_t{0}, &WatchedNet::epoch);
  if (waiting > 0) to_go += static_cast<double>(waiting) * shortest;
  return done > 0 && std::isfinite(to_go) ? to_go * seconds_ / done : journal::unknown;
}

}  // namespace coppice::cli
