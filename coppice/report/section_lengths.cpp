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
    for (std::size_t i = 0; i < row.units.size(); ++i) {
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
std::vector<UnitLengthsCurve> drawn_units(const NetHistory& history, std::size_t layer) {
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

std::string lengths_picture(const NetHistory& history, const std::vector<UnitLengthsCurve>& units,
                            Curve UnitLengthsCurve::*which, const std::string& name) {
  std::vector<double> values;
  for (const UnitLengthsCurve& unit : units) {
    values.insert(values.end(), (unit.*which).y.begin(), (unit.*which).y.end());
  }
  Chart chart =
      epoch_chart(history, name, {.name = name, .scale = fitting(values, true), .text = number_labels()});
  const std::size_t curves = 2 * history.lives.layers() * (survivors_shown + dead_shown);
  const std::size_t points = std::clamp<std::size_t>(points_per_net / curves, 12, 60);
  for (const UnitLengthsCurve& unit : units) {
    const bool survived = unit.life->fate == Fate::survived;
    chart.curve(thinned(unit.*which, points), survived ? "curve survived" : "curve died",
                fmt::format("unit {}{}", unit.life->unit,
                            survived ? "" : fmt::format(" (died in epoch {})", unit.life->end)));
  }
  fade_taken_back(chart, history);
  return chart.str();
}

std::string describe_lengths(const NetHistory& history) {
  const bool any =
      std::ranges::any_of(history.lengths, [](const LengthsRow& row) { return !row.units.empty(); });
  if (!any) return "Lengths are measured every ten epochs; this net has none yet.";
  return "Measured every ten epochs. A new unit starts with a fan-in of length about 1 and a fan-out of 0; a "
         "unit that earns nothing shrinks until its fan-in is gone, one that helps keeps both.";
}

std::string layer_selector(std::size_t layers) {
  if (layers < 2) return "";
  std::string html = "<label class=\"selector\">Layer <select data-selects=\"layer\">";
  for (std::size_t l = 0; l < layers; ++l) html += fmt::format("<option value=\"{}\">{}</option>", l, l + 1);
  return html + "</select></label>";
}

}  // namespace

std::string lengths_html(const RunRecord& run) {
  const auto of_net = [&](std::size_t net) {
    const NetHistory& history = run.histories[net];
    std::string all = legend({{"stroke survived", "survived"}, {"stroke died", "died"}});
    for (std::size_t l = 0; l < history.lives.layers(); ++l) {
      const std::vector<UnitLengthsCurve> units = drawn_units(history, l);
      all += fmt::format("<div class=\"pair\" data-layer=\"{}\"{}>{}{}</div>", l, l > 0 ? " hidden" : "",
                         lengths_picture(history, units, &UnitLengthsCurve::fan_in, "length of fan-in"),
                         lengths_picture(history, units, &UnitLengthsCurve::fan_out, "length of fan-out"));
    }
    return all + caption(describe_lengths(history));
  };
  return selected_net(run, of_net, layer_selector(run.histories[run.chosen].lives.layers()));
}

}  // namespace coppice
