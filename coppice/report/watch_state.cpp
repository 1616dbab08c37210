#include "coppice/report/watch_state.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

using nlohmann::json;

/// More nets than that are a damaged journal.
constexpr std::size_t most_nets = 100'000;

double number(const json& object, const char* key, double otherwise) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : otherwise;
}

std::string text(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::size_t> count(const json& object, const char* key) {
  const auto found = object.find(key);
  const bool is_count = found != object.end() && found->is_number_integer() &&
                        (found->is_number_unsigned() || found->get<std::int64_t>() >= 0);
  if (!is_count) return std::nullopt;
  return found->get<std::size_t>();
}

std::vector<std::size_t> counts(const json& object, const char* key) {
  std::vector<std::size_t> list;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return list;
  for (const json& entry : *found) list.push_back(entry.is_number_unsigned() ? entry.get<std::size_t>() : 0);
  return list;
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
  patience_ = number(config, "patience", 0);
  fine_patience_ = number(config, "fine-patience", 0);
  classification_ = text(config, "task") != "regression";
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
  const std::size_t known = std::min(lambdas_.size() * seeds_, most_nets);
  for (std::size_t id = 0; id < known; ++id) nets_.push_back(fresh(id));
}

WatchedNet& WatchState::net(std::size_t id) {
  while (nets_.size() <= id) nets_.push_back(fresh(nets_.size()));
  return nets_[id];
}

void WatchState::add(std::string_view line) {
  const json event = json::parse(line, nullptr, false);
  if (!event.is_object()) return;
  const std::optional<std::size_t> id = count(event, "net");
  if (!id || *id >= most_nets) return;
  WatchedNet& into = net(*id);
  const std::string kind = text(event, "event");
  if (kind == "start") {
    if (const double lambda = number(event, "lambda", 0); lambda > 0) into.lambda = lambda;
    if (const auto seed = count(event, "seed")) into.seed = *seed;
    into.units = counts(event, "hidden_units");
    if (event.contains("device")) device_ = text(event, "device");
  } else if (kind == "epoch") {
    add_epoch(into, event);
  } else if (kind == "rewind") {
    ++into.rewinds;
    into.waited = 0;
    into.phase = text(event, "phase");
    const std::size_t to = count(event, "to_epoch").value_or(0);
    if (to > 0 && to <= into.errors.size()) {
      into.error = into.errors[to - 1];
      into.units = into.units_of_epoch[to - 1];
    }
    // From polish on the lowest error is that of the net as it was pruned.
    if (into.phase == "polish") into.lowest = into.error;
  } else if (kind == "end") {
    into.ended = true;
    into.phase = text(event, "phase");
  }
}

void WatchState::add_epoch(WatchedNet& net, const json& event) {
  const std::string phase = text(event, "phase");
  const double error = number(event, "validation_error", std::numeric_limits<double>::quiet_NaN());
  const double lambda = number(event, "lambda", 0);
  std::vector<std::size_t> units = counts(event, "hidden_units");
  // The lowest error of polish and what follows is that of the net as it was pruned.
  if (phase == "polish" && net.phase == "settle") net.lowest = net.error;
  const bool pruned = phase == "settle" && !net.units.empty() && units != net.units;
  const bool improved = !(error >= net.lowest);
  net.waited = improved || pruned || phase != net.phase ? 0 : net.waited + 1;
  if (improved && std::isfinite(error)) net.lowest = error;
  if (lambda > 0) net.lambda = lambda;
  net.phase = phase;
  net.epoch = count(event, "epoch").value_or(net.epoch + 1);
  net.error = error;
  net.units = units;
  double size = 0;
  for (const std::size_t layer : units) size += static_cast<double>(layer);
  // A journal without some epochs still gives every epoch its place.
  const std::size_t place = std::max<std::size_t>(net.epoch, 1);
  if (place <= net.errors.size() + most_nets) {
    net.errors.resize(place, std::numeric_limits<double>::quiet_NaN());
    net.sizes.resize(place, std::numeric_limits<double>::quiet_NaN());
    net.phases.resize(place, phase);
    net.units_of_epoch.resize(place);
    net.errors.back() = error;
    net.sizes.back() = size;
    net.units_of_epoch.back() = std::move(units);
  }
  seconds_ = std::max(seconds_, number(event, "seconds", 0));
}

std::size_t WatchState::running() const {
  return static_cast<std::size_t>(std::ranges::count_if(nets_, &WatchedNet::running));
}

bool WatchState::all_ended() const {
  return !nets_.empty() && std::ranges::all_of(nets_, &WatchedNet::ended);
}

double WatchState::patience(const std::string& phase) const {
  if (phase == "anneal") return fine_patience_;
  return phase == "grow" || phase == "settle" || phase == "polish" ? patience_ : 0;
}

}  // namespace coppice
