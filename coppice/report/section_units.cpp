#include "coppice/report/section.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace coppice {

namespace {

/// Points that all layers of a net share, so that deep nets do not make the page larger.
constexpr std::size_t growth_points = 900;

std::vector<Curve> curves_of(const NetHistory& history) {
  std::vector<Curve> curves;
  for (const EpochRow& row : history.epochs) {
    curves.resize(std::max(curves.size(), row.hidden_units.size()));
    for (std::size_t l = 0; l < row.hidden_units.size(); ++l) {
      curves[l].add(static_cast<double>(row.epoch), static_cast<double>(row.hidden_units[l]));
    }
  }
  return thinned_alike(curves, growth_points / std::max<std::size_t>(curves.size(), 1));
}

std::string layer_style(std::size_t layer) {
  return fmt::format("s{}", layer % 6 + 1);
}

std::string layer_name(std::size_t layer) {
  return fmt::format("layer {}", layer + 1);
}

std::string units_picture(const NetHistory& history) {
  const std::vector<Curve> curves = curves_of(history);
  std::vector<double> values;
  for (const Curve& curve : curves) values.insert(values.end(), curve.y.begin(), curve.y.end());
  Chart chart = epoch_chart(history, "units per layer over epochs",
                            {.name = "units", .scale = fitting(values, true), .text = count_labels()});
  for (std::size_t l = 0; l < curves.size(); ++l)
    chart.curve(curves[l], fmt::format("curve {} dash-{}", layer_style(l), l % 4), layer_name(l));
  fade_taken_back(chart, history);
  return chart.str();
}

/// "first", "second", ... "7th".
std::string ordinal(std::size_t number) {
  constexpr std::array<const char*, 6> words{"first", "second", "third", "fourth", "fifth", "sixth"};
  return number >= 1 && number <= words.size() ? words.at(number - 1) : fmt::format("{}th", number);
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

std::string describe_units(const NetResult& net, const NetHistory& history) {
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

}  // namespace

std::string units_html(const RunRecord& run) {
  return selected_net(run, [&](std::size_t net) {
    const NetHistory& history = run.histories[net];
    Legend layers;
    for (std::size_t l = 0; l < run.nets[net].hidden_units.size(); ++l)
      layers.emplace_back("stroke " + layer_style(l), layer_name(l));
    return legend(layers) + units_picture(history) + phase_legend(history) +
           caption(describe_units(run.nets[net], history));
  });
}

}  // namespace coppice
