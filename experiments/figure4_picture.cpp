#include "coppice/report/html.h"

#include "experiments/figure4.h"
#include "experiments/picture.h"
#include "experiments/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

struct Size {
  double width = 0;
  double height = 0;
};
constexpr Size panel_size{430, 300};
constexpr std::size_t points_drawn = 400;
/// The file is for reading and drawing again, not as fine as the picture: that would take five times the room.
constexpr std::size_t points_written = 120;
constexpr std::size_t points_written_of_units = 30;

NumberText counts() {
  return [](double value) { return count_text(value); };
}

NumberText numbers() {
  return [](double value) { return number_text(value); };
}

struct Line {
  std::string series;
  std::string colour;
  Curve curve;
  std::optional<std::size_t> unit = {};  ///< whose curve it is
};

/// A panel of curves over epochs.
struct CurvesPanel {
  std::string letter;
  std::string title;
  std::vector<Line> lines;
  bool log = false;
  NumberText y_text;
};

Curve curve_of(const NetHistory& history, double EpochRow::*value) {
  Curve curve;
  for (const EpochRow& row : history.epochs) curve.add(static_cast<double>(row.epoch), row.*value);
  return curve;
}

/// Every curve becomes rows, too. A line marks the end of growth.
Svg draw_curves(Rows& rows, const Figure4& figure, const CurvesPanel& panel) {
  std::vector<double> values;
  for (const Line& line : panel.lines) values = values + line.curve.y;
  const auto epochs = static_cast<double>(figure.run.history.last_epoch());
  Plot plot(panel_size.width, panel_size.height, {.low = 0, .high = epochs},
            fitting(values, !panel.log, panel.log),
            {.picture = panel.title,
             .x = "epoch",
             .y = fmt::format("{}  {}", panel.letter, panel.title),
             .x_text = counts(),
             .y_text = panel.y_text});
  const double until = plot.x(static_cast<double>(figure.epochs));
  plot.svg.line(until, plot.top(), until, plot.bottom(), "until");
  std::set<std::string> named;
  Legend legend;
  for (const Line& line : panel.lines) {
    plot.curve(thinned(line.curve, points_drawn), fmt::format("curve {}", line.colour));
    const std::string name = line.series.substr(0, line.series.find(", step"));
    const std::string series = line.unit ? fmt::format("{} {}", name, *line.unit) : name;
    const Curve thin = thinned(line.curve, line.unit ? points_written_of_units : points_written);
    for (std::size_t i = 0; i < thin.x.size(); ++i)
      rows.push_back({panel.letter, series, csv_number(thin.x[i]), csv_number(thin.y[i], 4)});
    const bool pale = line.colour.starts_with("pale");
    if (!pale && named.insert(line.colour).second) legend.emplace_back(line.colour, name);
  }
  draw_legend(plot.svg, plot.right(), 13, legend);
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

/// A bar per unit, at the epoch it was added in and as high as the epochs it lived: green survived, black did not.
Svg draw_lives(Rows& rows, const std::string& panel, const std::string& title, const std::vector<Life>& lives,
               std::size_t epochs, Size size) {
  std::size_t last_birth = 1;
  for (const Life& life : lives) last_birth = std::max(last_birth, life.born);
  Plot plot(size.width, size.height, {.low = 0, .high = static_cast<double>(last_birth)},
            {.low = 0, .high = static_cast<double>(epochs)},
            {.picture = title,
             .x = "epoch in which the unit was added",
             .y = title,
             .x_text = counts(),
             .y_text = counts()});
  std::string died;
  std::string survived;
  for (const Life& life : lives) {
    const bool stayed = life.fate == Fate::survived;
    const std::size_t lived = life.end - life.born;
    (stayed ? survived : died) += fmt::format("M{:.2f} {:.1f}V{:.1f}", plot.x(static_cast<double>(life.born)),
                                              plot.bottom(), plot.y(static_cast<double>(lived)));
    rows.push_back({panel, stayed ? "there at the end" : "eliminated", std::to_string(life.born),
                    std::to_string(lived)});
  }
  const std::string pen = last_birth < 200 ? "bar thick" : "bar";
  plot.svg.path(died, pen + " black");
  plot.svg.path(survived, pen + " green");
  draw_legend(plot.svg, plot.right(), 13, {{"green", "there at the end"}, {"black", "eliminated"}});
  return plot.svg;
}

}  // namespace

Drawn draw_figure4(const Figure4& figure) {
  constexpr double margin = 12;  // the last label of an axis is wider than its place
  constexpr double gap = 10;
  Drawn drawn{.picture = Svg(3 * panel_size.width + margin, 2 * panel_size.height + gap,
                             "one training run in detail")};
  const auto place = [&](double column, double row, const Svg& panel) {
    drawn.picture.insert(panel_size.width * column, (panel_size.height + gap) * row, panel);
  };
  const auto curves = [&](const CurvesPanel& panel) { return draw_curves(drawn.rows, figure, panel); };
  const NetHistory& history = figure.run.history;
  place(0, 0,
        curves({"A", "validation error", comparison(figure, &EpochRow::validation_error), true,
                percent_labels()}));
  place(1, 0,
        curves({"B", "training cross-entropy", comparison(figure, &EpochRow::train_loss), true, numbers()}));
  const std::vector<Line> units{{"first layer", "blue", units_curve(history, 0)},
                                {"second layer", "green", units_curve(history, 1)}};
  place(2, 0, curves({"C", "hidden units", units, false, counts()}));
  place(0, 1,
        draw_lives(drawn.rows, "D", "D  epochs that units lived", history.lives.layer(0),
                   history.last_epoch(), panel_size));
  place(1, 1, curves({"E", "lengths, layer 1", length_lines(figure, 0), false, numbers()}));
  place(2, 1, curves({"F", "lengths, layer 2", length_lines(figure, 1), false, numbers()}));
  return drawn;
}

Drawn draw_figure5(const Figure4& figure) {
  Rows rows = curve_names;
  const Svg picture = draw_lives(rows, "lives", "epochs that units of the second layer lived",
                                 figure.run.history.lives.layer(1), 2 * figure.epochs, {560, 360});
  return {picture, rows};
}

}  // namespace coppice::experiments
