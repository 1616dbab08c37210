#include "coppice/report/section.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr std::size_t survivors_shown = 5;
constexpr std::size_t dead_shown = 5;
/// Points of all units of a net together.
constexpr std::size_t points_per_net = 2400;

struct UnitLengthsCurve {
  const Life* life = nullptr;
  Curve fan_in;
  Curve fan_out;
};

/// The curves of all units of a layer that the journal measured at least twice.
std::vector<UnitLengthsCurve> measured(const NetHistory& history, std::size_t layer) {
  std::map<std::size_t, UnitLengthsCurve> units;
  for (const LengthsRow& row : history.lengths) {
    if (row.layer != layer) continue;
    const std::size_t count = std::min({row.units.size(), row.fan_in.size(), row.fan_out.size()});
    for (std::size_t i = 0; i < count; ++i) {
      UnitLengthsCurve& unit = units[row.units[i]];
      unit.life = history.lives.find(layer, row.units[i]);
      unit.fan_in.add(static_cast<double>(row.epoch), row.fan_in[i]);
      unit.fan_out.add(static_cast<double>(row.epoch), row.fan_out[i]);
    }
  }
  std::vector<UnitLengthsCurve> all;
  for (auto& [id, unit] : units) {
    if (unit.life != nullptr && unit.fan_in.x.size() >= 2) all.push_back(std::move(unit));
  }
  return all;
}

/// Survivors spread from the longest to the shortest final fan-in, and those that lived longest before they died.
std::vector<UnitLengthsCurve> selected(const NetHistory& history, std::size_t layer) {
  std::vector<UnitLengthsCurve> alive;
  std::vector<UnitLengthsCurve> dead;
  for (UnitLengthsCurve& unit : measured(history, layer)) {
    if (unit.life->fate == Fate::survived)
      alive.push_back(std::move(unit));
    else if (unit.life->fate == Fate::died)
      dead.push_back(std::move(unit));
  }
  std::ranges::sort(alive, std::greater(), [](const UnitLengthsCurve& unit) { return unit.fan_in.y.back(); });
  std::ranges::stable_sort(dead, std::greater(),
                           [](const UnitLengthsCurve& unit) { return unit.life->end - unit.life->born; });
  std::vector<UnitLengthsCurve> all;
  for (const std::size_t i : spread_indices(alive.size(), survivors_shown)) all.push_back(alive[i]);
  for (std::size_t i = 0; i < std::min(dead.size(), dead_shown); ++i) all.push_back(dead[i]);
  return all;
}

std::string picture(const NetHistory& history, const std::vector<UnitLengthsCurve>& units,
                    Curve UnitLengthsCurve::*which, const char* name) {
  std::vector<double> values;
  for (const UnitLengthsCurve& unit : units) {
    values.insert(values.end(), (unit.*which).y.begin(), (unit.*which).y.end());
  }
  Plot plot(480, 280, {.low = 0, .high = static_cast<double>(std::max<std::size_t>(history.last_epoch(), 1))},
            fitting(values, true),
            {.picture = name, .x = "epoch", .y = name, .x_text = count_labels(), .y_text = number_labels()});
  draw_phases_behind(plot, history);
  for (const UnitLengthsCurve& unit : units) {
    plot.curve(unit.*which, unit.life->fate == Fate::survived ? "curve life survived" : "curve life died");
  }
  draw_phases_before(plot, history);
  return plot.svg.str();
}

Json units_json(std::vector<UnitLengthsCurve>& units, std::size_t points) {
  Json all = Json::array();
  for (UnitLengthsCurve& unit : units) {
    unit.fan_in = thinned(unit.fan_in, points);
    unit.fan_out = thinned(unit.fan_out, points);
    all.push_back({{"unit", unit.life->unit},
                   {"born", unit.life->born},
                   {"end", unit.life->end},
                   {"survived", unit.life->fate == Fate::survived},
                   {"in", curve_json(unit.fan_in)},
                   {"out", curve_json(unit.fan_out)}});
  }
  return all;
}

std::string describe(const NetHistory& history) {
  const bool any =
      std::ranges::any_of(history.lengths, [](const LengthsRow& row) { return !row.units.empty(); });
  if (!any) return "Lengths are measured every ten epochs; this net has none yet.";
  return "Measured every ten epochs. A new unit starts with a fan-in of length about 1 and a fan-out of 0; a "
         "unit that "
         "earns nothing shrinks until its fan-in is gone, one that helps keeps both.";
}

std::string layer_selector(std::size_t layers) {
  if (layers < 2) return "";
  std::string html = "<label class=\"selector scripted\">Layer <select id=\"layer-select\">";
  for (std::size_t l = 0; l < layers; ++l) html += fmt::format("<option value=\"{}\">{}</option>", l, l + 1);
  return html + "</select></label>";
}

}  // namespace

void add_lengths(const RunRecord& run, Page& page) {
  std::string fan_in;
  std::string fan_out;
  std::vector<std::string> texts;
  std::size_t layers = 0;
  for (const std::size_t net : page.nets) {
    const NetHistory& history = run.histories[net];
    Json all = Json::array();
    layers = std::max(layers, history.lives.layers());
    for (std::size_t l = 0; l < history.lives.layers(); ++l) {
      std::vector<UnitLengthsCurve> units = selected(history, l);
      if (l == 0 && net == run.chosen) {
        fan_in = picture(history, units, &UnitLengthsCurve::fan_in, "length of fan-in");
        fan_out = picture(history, units, &UnitLengthsCurve::fan_out, "length of fan-out");
      }
      const std::size_t share = 2 * history.lives.layers() * (survivors_shown + dead_shown);
      all.push_back(units_json(units, std::clamp<std::size_t>(points_per_net / share, 12, 60)));
    }
    page.data["nets"][std::to_string(net)]["lengths"] = std::move(all);
    texts.push_back(describe(history));
  }
  page.sections.push_back(
      {.id = "lengths",
       .title = "Fan-in and fan-out of some units",
       .html = net_selector(run, page) + layer_selector(layers) +
               legend({{"stroke life survived", "survived"}, {"stroke life died", "died"}}) +
               "<div class=\"pair\">" + chart_html("fan-in", fan_in) + chart_html("fan-out", fan_out) +
               "</div>" + captions_per_net(page, texts)});
}

}  // namespace coppice
