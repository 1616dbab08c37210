#include "coppice/report/history.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"

#include <algorithm>
#include <unordered_map>

namespace coppice {

namespace {

void add(NetHistory& net, const journal::Start& start) {
  net.lives.first_widths(start.hidden_units);
}

void add(NetHistory& net, const journal::Epoch& epoch) {
  if (net.epochs.empty()) net.lives.first_widths(epoch.hidden_units);
  net.epochs.push_back(epoch);
}

void add(NetHistory& net, const journal::UnitChange& change) {
  if (change.born) {
    net.lives.born(change.layer, change.unit, change.epoch);
  } else {
    net.lives.died(change.layer, change.unit, change.epoch);
  }
}

void add(NetHistory& net, const journal::Lengths& lengths) {
  net.lengths.push_back(lengths);
}

void add(NetHistory& net, const journal::Rewind& rewind) {
  net.rewinds.push_back(rewind);
  net.lives.rewind(rewind.epoch, rewind.to_epoch);
}

void add(NetHistory& /*net*/, const journal::End& /*end*/) {}

}  // namespace

std::vector<Stretch> NetHistory::phases() const {
  std::vector<Stretch> all;
  for (const EpochRow& row : epochs) {
    if (all.empty() || all.back().phase != row.phase)
      all.push_back({.from = row.epoch, .to = row.epoch, .phase = row.phase});
    all.back().to = row.epoch;
  }
  return all;
}

std::vector<Stretch> NetHistory::taken_back() const {
  std::vector<Stretch> all;
  for (const journal::Rewind& rewind : rewinds) {
    if (rewind.to_epoch >= rewind.epoch) continue;
    Stretch stretch{.from = rewind.to_epoch + 1, .to = rewind.epoch};
    while (!all.empty() && stretch.from <= all.back().to + 1) {
      stretch.from = std::min(stretch.from, all.back().from);
      all.pop_back();
    }
    all.push_back(stretch);
  }
  return all;
}

std::vector<NetHistory> read_journal(const std::string& path, const std::vector<std::size_t>& ids) {
  std::vector<NetHistory> nets(ids.size());
  std::unordered_map<std::size_t, std::size_t> place;
  for (std::size_t i = 0; i < ids.size(); ++i) place[ids[i]] = i;
  const bool any =
      journal::read(read_file(path), [&](const journal::Event& event, std::string_view /*line*/) {
        std::visit(
            [&](const auto& e) {
              if (const auto found = place.find(e.net); found != place.end()) add(nets[found->second], e);
            },
            event);
      });
  if (!any) fail_file("{}: holds no events; is it the journal that coppice train wrote?", path);
  for (NetHistory& net : nets) net.lives.close(net.last_epoch());
  return nets;
}

}  // namespace coppice
