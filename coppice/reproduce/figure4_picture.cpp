#include "coppice/report/html.h"
#include "coppice/report/plot.h"
#include "coppice/reproduce/figure4.h"
#include "coppice/reproduce/lives_picture.h"
#include "coppice/reproduce/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

namespace coppice::reproduce {

namespace {

constexpr double width = 430;
constexpr double height = 300;
constexpr std::size_t points_drawn = 400;
/// The file is for reading and drawing again, not as fine as the picture: that would take five times the room.
constexpr std::size_t points_written = 120;
constexpr std::size_t points_written_of_units = 30;

NumberText counts() {
  return [](double value) { return count_text(value); };
}

struct Line {
  std::string series;
  std::string colour;
  Curve curve;
  std::optional<std::size_t> unit = {};  ///< whose curve it is
};

Curve curve_of(const NetHistory& history, double EpochRow::*value) {
  Curve curve;
  for (const EpochRow& row : history.epochs) curve.add(static_cast<double>(row.epoch), row.*value);
  return curve;
}

/// A panel of curves over epochs; every curve becomes rows, too.
Svg panel(Drawn& drawn, const std::string& letter, const std::string& title, const std::vector<Line>& lines,
          bool log, const NumberText& y_text, double epochs, double until) {
  std::vector<double> values;
  for (const Line& line : lines) values.insert(values.end(), line.curve.y.begin(), line.curve.y.end());
  Plot plot(width, height, {.low = 0, .high = epochs}, fitting(values, !log, log),
            {.picture = title,
             .x = "epoch",
             .y = fmt::format("{}  {}", letter, title),
             .x_text = counts(),
             .y_text = y_text});
  plot.svg.line(plot.x(until), plot.top(), plot.x(until), plot.bottom(), "until");
  std::set<std::string> named;
  std::vector<std::pair<std::string, std::string>> legend;
  for (const Line& line : lines) {
    plot.curve(thinned(line.curve, points_drawn), fmt::format("curve {}", line.colour));
    const std::string name = line.series.substr(0, line.series.find(", step"));
    const std::string series = line.unit ? fmt::format("{} {}", name, *line.unit) : name;
    const Curve thin = thinned(line.curve, line.unit ? points_written_of_units : points_written);
    for (std::size_t i = 0; i < thin.x.size(); ++i)
      drawn.rows.push_back({letter, series, csv_number(thin.x[i]), csv_number(thin.y[i], 4)});
    const bool pale = line.colour.starts_with("pale");
    if (!pale && named.insert(line.colour).second) legend.emplace_back(line.colour, name);
  }
  draw_legend_line(plot.svg, plot.right(), 13, legend);
  return plot.svg;
}

std::vector<Line> comparison(const Figure4& figure, double EpochRow::*value) {
  return {{figure.sgd.label, figure.sgd.colour, curve_of(figure.sgd.history, value)},
          {figure.rmsprop.label, figure.rmsprop.colour, curve_of(figure.rmsprop.history, value)},
          {"nonparametric", "black", curve_of(figure.run.history, value)}};
}

Curve units_curve(const NetHistory& history, std::size_t layer) {
  Curve curve;
  for (const EpochRow& row : history.epochs)
    curve.add(static_cast<double>(row.epoch), static_cast<double>(row.hidden_units[layer]));
  return curve;
}

/// Three units of the start, those added at certain moments, and the last three that stayed.
struct Chosen {
  std::vector<const Life*> dark;
  std::vector<const Life*> pale;
};

Chosen choose_units(const std::vector<Life>& lives, std::size_t epochs) {
  Chosen chosen;
  for (const Life& life : lives)
    if (life.born == 0 && chosen.dark.size() < 3) chosen.dark.push_back(&life);
  constexpr std::array<double, 13> moments{0, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
  for (const double moment : moments) {
    const auto epoch =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::round(moment * static_cast<double>(epochs))));
    const auto found = std::ranges::find_if(lives, [&](const Life& life) { return life.born >= epoch; });
    if (found != lives.end() && std::ranges::count(chosen.dark, &*found) == 0) chosen.dark.push_back(&*found);
  }
  for (auto life = lives.rbegin(); life != lives.rend() && chosen.pale.size() < 3; ++life) {
    if (life->fate == Fate::survived && std::ranges::count(chosen.dark, &*life) == 0)
      chosen.pale.push_back(&*life);
  }
  return chosen;
}

/// A unit's fan-in or fan-out over time; a new unit begins with the length 1 or 0.
Curve length_curve(const NetHistory& history, std::size_t layer, const Life& life, bool fan_in) {
  Curve curve;
  for (const LengthsRow& row : history.lengths) {
    if (row.layer != layer || row.epoch < life.born || row.epoch > life.end) continue;
    const auto found = std::ranges::find(row.units, life.unit);
    if (found == row.units.end()) continue;
    const auto at = static_cast<std::size_t>(found - row.units.begin());
    curve.add(static_cast<double>(row.epoch), fan_in ? row.fan_in[at] : row.fan_out[at]);
  }
  return curve;
}

std::vector<Line> length_lines(const Figure4& figure, std::size_t layer) {
  const NetHistory& history = figure.run.history;
  const Chosen chosen = choose_units(history.lives.layer(layer), figure.epochs);
  std::vector<Line> lines;
  const auto add = [&](const Life* life, bool fan_in, const char* colour) {
    Curve curve = length_curve(history, layer, *life, fan_in);
    if (curve.x.empty()) return;
    lines.push_back({fan_in ? "fan-in" : "fan-out", colour, std::move(curve), life->unit});
  };
  for (const bool fan_in : {false, true}) {
    for (const Life* life : chosen.dark) add(life, fan_in, fan_in ? "blue" : "red");
    for (const Life* life : chosen.pale) add(life, fan_in, fan_in ? "pale-blue" : "pale-red");
  }
  return lines;
}

}  // namespace

Drawn draw_figure4(const Figure4& figure) {
  Drawn drawn;
  const auto all = static_cast<double>(figure.run.history.last_epoch());
  const auto until = static_cast<double>(figure.epochs);
  const NumberText number = [](double value) { return number_text(value); };
  const NetHistory& history = figure.run.history;
  constexpr double margin = 12;  // the last label of an axis is wider than its place
  Svg svg(3 * width + margin, 2 * height + 10, "one training run in detail");
  svg.insert(0, 0,
             panel(drawn, "A", "validation error", comparison(figure, &EpochRow::validation_error), true,
                   percent_labels(), all, until));
  svg.insert(width, 0,
             panel(drawn, "B", "training cross-entropy", comparison(figure, &EpochRow::train_loss), true,
                   number, all, until));
  svg.insert(2 * width, 0,
             panel(drawn, "C", "hidden units",
                   {{"first layer", "blue", units_curve(history, 0)},
                    {"second layer", "green", units_curve(history, 1)}},
                   false, counts(), all, until));
  svg.insert(0, height + 10,
             lives_picture("D  epochs that units lived", history.lives.layer(0), history.last_epoch(), width,
                           height));
  for (auto& row : lives_rows("D", history.lives.layer(0))) drawn.rows.push_back(std::move(row));
  svg.insert(width, height + 10,
             panel(drawn, "E", "lengths, layer 1", length_lines(figure, 0), false, number, all, until));
  svg.insert(2 * width, height + 10,
             panel(drawn, "F", "lengths, layer 2", length_lines(figure, 1), false, number, all, until));
  drawn.svg = svg.file(picture_style());
  return drawn;
}

}  // namespace coppice::reproduce
