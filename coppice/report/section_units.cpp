#include "coppice/report/section.h"

#include <algorithm>

#include <fmt/format.h>

namespace coppice {

namespace {

/// Points that all layers of a net share, so that deep nets do not make the page larger.
constexpr std::size_t points_per_net = 900;

std::vector<Curve> curves_of(const NetHistory& history) {
  std::vector<Curve> curves;
  for (const EpochRow& row : history.epochs) {
    curves.resize(std::max(curves.size(), row.hidden_units.size()));
    for (std::size_t l = 0; l < row.hidden_units.size(); ++l) {
      curves[l].add(static_cast<double>(row.epoch), static_cast<double>(row.hidden_units[l]));
    }
  }
  for (Curve& curve : curves) curve = thinned(curve, points_per_net / curves.size());
  return curves;
}

std::string layer_style(std::size_t layer) {
  return fmt::format("s{}", layer % 6 + 1);
}

std::string picture(const NetHistory& history, const std::vector<Curve>& curves) {
  std::vector<double> values;
  for (const Curve& curve : curves) values.insert(values.end(), curve.y.begin(), curve.y.end());
  Plot plot(940, 380, {.low = 0, .high = static_cast<double>(std::max<std::size_t>(history.last_epoch(), 1))},
            fitting(values, true),
            {.picture = "units per layer over epochs",
             .x = "epoch",
             .y = "units",
             .x_text = count_labels(),
             .y_text = count_labels()});
  draw_phases_behind(plot, history);
  for (std::size_t l = 0; l < curves.size(); ++l) plot.curve(curves[l], "curve " + layer_style(l));
  draw_phases_before(plot, history);
  return plot.svg.str();
}

std::string layer_words(const NetResult& net, const NetHistory& history, std::size_t layer) {
  const EpochRow* peak = nullptr;
  for (const EpochRow& row : history.epochs) {
    if (layer >= row.hidden_units.size()) continue;
    if (peak == nullptr || row.hidden_units[layer] > peak->hidden_units[layer]) peak = &row;
  }
  if (peak == nullptr || layer >= net.hidden_units.size()) return "";
  const std::size_t most = peak->hidden_units[layer];
  const std::size_t last = net.hidden_units[layer];
  std::string text = fmt::format("The {} layer", ordinal(layer + 1));
  if (most == last) return text + fmt::format(" ended at {} units, the most it had. ", last);
  const std::string height = peak == &history.epochs.front()
                                 ? fmt::format("had {} units after its first epoch", most)
                                 : fmt::format("grew to {} units (epoch {})", most, peak->epoch);
  return text + fmt::format(" {} and {} at {}. ", height, net.phase == "done" ? "settled" : "stopped", last);
}

std::string describe(const NetResult& net, const NetHistory& history) {
  if (history.epochs.empty()) return "The journal holds no epoch of this net.";
  std::string text;
  for (std::size_t l = 0; l < net.hidden_units.size(); ++l) text += layer_words(net, history, l);
  if (history.rewinds.empty()) return text;
  std::size_t lost = 0;
  for (const Stretch& back : history.taken_back()) lost += back.to - back.from + 1;
  return text + fmt::format(
                    "At {} the net went back to an earlier, better state; the {} faded epochs are not part "
                    "of the result.",
                    history.rewinds.size() == 1 ? "the dashed line"
                                                : fmt::format("{} dashed lines", history.rewinds.size()),
                    count_text(static_cast<double>(lost)));
}

/// Phases and rewinds: what every chart over epochs is drawn upon.
Json timeline(const NetHistory& history) {
  Json phases = Json::array();
  for (const Stretch& phase : history.phases()) phases.push_back({phase.from - 1, phase.to, phase.name});
  Json back = Json::array();
  for (const Stretch& stretch : history.taken_back()) back.push_back({stretch.from - 1, stretch.to});
  Json rewinds = Json::array();
  for (const Rewind& rewind : history.rewinds) rewinds.push_back({rewind.epoch, rewind.to_epoch});
  return {{"last", history.last_epoch()}, {"phases", phases}, {"back", back}, {"rewinds", rewinds}};
}

}  // namespace

void add_units(const RunRecord& run, Page& page) {
  std::vector<std::string> texts;
  std::string drawn;
  std::size_t layers = 0;
  for (const std::size_t net : page.nets) {
    const NetHistory& history = run.histories[net];
    const std::vector<Curve> curves = curves_of(history);
    layers = std::max(layers, run.nets[net].hidden_units.size());
    if (net == run.chosen) drawn = picture(history, curves);
    Json units = Json::array();
    for (const Curve& curve : curves) units.push_back(curve_json(curve));
    Json& entry = page.data["nets"][std::to_string(net)];
    entry["time"] = timeline(history);
    entry["units"] = std::move(units);
    texts.push_back(describe(run.nets[net], history));
  }
  std::vector<std::pair<std::string, std::string>> entries;
  for (std::size_t l = 0; l < layers; ++l)
    entries.emplace_back("stroke " + layer_style(l), fmt::format("layer {}", l + 1));
  page.sections.push_back({.id = "units",
                           .title = "How the layers grew and shrank",
                           .html = net_selector(run, page) + legend(entries) + chart_html("units", drawn) +
                                   phase_legend(run.histories[run.chosen]) + captions_per_net(page, texts)});
}

}  // namespace coppice
