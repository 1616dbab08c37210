#include "coppice/report/history.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include <nlohmann/json.hpp>

namespace coppice {

namespace {

using Line = nlohmann::json;

double number(const Line& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number() ? found->get<double>() : std::nan("");
}

/// A layer counted from 0; the journal counts from 1.
std::size_t layer_of(const Line& line) {
  return line.at("layer").get<std::size_t>() - 1;
}

void add_epoch(NetHistory& net, const Line& line, std::size_t epoch) {
  EpochRow row{.epoch = epoch,
               .phase = line.value("phase", ""),
               .train_loss = number(line, "train_loss"),
               .validation_error = number(line, "validation_error"),
               .hidden_units = line.value("hidden_units", std::vector<std::size_t>())};
  if (net.epochs.empty()) net.lives.first_widths(row.hidden_units);
  net.epochs.push_back(std::move(row));
}

void add_event(NetHistory& net, const Line& line) {
  const std::string& name = line.at("event").get_ref<const std::string&>();
  const std::size_t epoch = line.at("epoch");
  if (name == "start") {
    net.lives.first_widths(line.value("hidden_units", std::vector<std::size_t>()));
  } else if (name == "epoch") {
    add_epoch(net, line, epoch);
  } else if (name == "born") {
    net.lives.born(layer_of(line), line.at("unit"), epoch);
  } else if (name == "died") {
    net.lives.died(layer_of(line), line.at("unit"), epoch);
  } else if (name == "rewind") {
    net.rewinds.push_back({.epoch = epoch, .to_epoch = line.at("to_epoch")});
    net.lives.rewind(epoch, line.at("to_epoch"));
  } else if (name == "lengths") {
    net.lengths.push_back({.epoch = epoch,
                           .layer = layer_of(line),
                           .units = line.at("units"),
                           .fan_in = line.at("fan_in"),
                           .fan_out = line.at("fan_out")});
  }
}

/// No run has more layers; a larger number is a damaged line, not a reason to allocate.
constexpr std::size_t most_layers = 1000;

bool is_sound(const Line& line) {
  if (!line.is_object() || !line.contains("event") || !line["event"].is_string()) return false;
  for (const char* key : {"net", "epoch"}) {
    if (!line.contains(key) || !line[key].is_number_unsigned()) return false;
  }
  const auto layer = line.find("layer");
  return layer == line.end() || (layer->is_number_unsigned() && layer->get<std::size_t>() >= 1 &&
                                 layer->get<std::size_t>() <= most_layers);
}

}  // namespace

std::vector<Stretch> NetHistory::phases() const {
  std::vector<Stretch> all;
  for (const EpochRow& row : epochs) {
    if (all.empty() || all.back().name != row.phase) {
      all.push_back({.from = row.epoch, .to = row.epoch, .name = row.phase});
    }
    all.back().to = row.epoch;
  }
  return all;
}

std::vector<Stretch> NetHistory::taken_back() const {
  std::vector<Stretch> all;
  for (const Rewind& rewind : rewinds) {
    if (rewind.to_epoch >= rewind.epoch) continue;
    Stretch stretch{.from = rewind.to_epoch + 1, .to = rewind.epoch, .name = {}};
    while (!all.empty() && stretch.from <= all.back().to + 1) {
      stretch.from = std::min(stretch.from, all.back().from);
      all.pop_back();
    }
    all.push_back(stretch);
  }
  return all;
}

std::vector<NetHistory> read_journal(const std::string& path, const std::vector<std::size_t>& ids) {
  const std::string text = read_file(path);
  std::vector<NetHistory> nets(ids.size());
  std::unordered_map<std::size_t, std::size_t> place;
  for (std::size_t i = 0; i < ids.size(); ++i) place[ids[i]] = i;
  bool any = text.empty();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view bytes = std::string_view(text).substr(at, end - at);
    at = end + 1;
    const Line line = Line::parse(bytes, nullptr, false);
    if (!is_sound(line)) continue;
    any = true;
    const auto found = place.find(line["net"].get<std::size_t>());
    if (found == place.end()) continue;
    try {
      add_event(nets[found->second], line);
    } catch (const Line::exception&) {
      continue;  // an event that lacks something is no event
    }
  }
  if (!any) fail("{}: holds no events; is it the journal that coppice train wrote?", path);
  for (NetHistory& net : nets) net.lives.close(net.last_epoch());
  return nets;
}

}  // namespace coppice
