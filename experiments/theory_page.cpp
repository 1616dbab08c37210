#include "coppice/core/spread.h"
#include "coppice/core/text.h"

#include "experiments/picture.h"
#include "experiments/theory.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

using Number = double (*)(const TheoryNet&);

double objective_of(const TheoryNet& net) {
  return net.objective;
}
double error_of(const TheoryNet& net) {
  return net.error;
}
double units_of(const TheoryNet& net) {
  double sum = 0;
  for (const std::size_t count : net.units) sum += static_cast<double>(count);
  return sum;
}

/// Nets of one kind.
struct Kind {
  std::string part;
  std::string penalty;
  std::string lambdas;
  bool operator==(const Kind&) const = default;
};

Kind kind_of(const TheoryNet& net) {
  return {net.part, net.penalty, net.lambdas};
}

std::vector<Kind> kinds(const std::vector<TheoryNet>& nets, const std::string& part) {
  std::vector<Kind> all;
  for (const TheoryNet& net : nets)
    if (net.part == part && std::ranges::find(all, kind_of(net)) == all.end()) all.push_back(kind_of(net));
  return all;
}

std::vector<std::size_t> widths(const std::vector<TheoryNet>& nets, const Kind& kind) {
  std::vector<std::size_t> all;
  for (const TheoryNet& net : nets)
    if (kind_of(net) == kind && std::ranges::find(all, net.width) == all.end()) all.push_back(net.width);
  std::ranges::sort(all);
  return all;
}

std::vector<double> numbers(const std::vector<TheoryNet>& nets, const Kind& kind, std::size_t width,
                            Number number) {
  std::vector<double> all;
  for (const TheoryNet& net : nets)
    if (kind_of(net) == kind && net.width == width) all.push_back(number(net));
  return all;
}

double lowest(const std::vector<TheoryNet>& nets, const Kind& kind, std::size_t width, Number number) {
  return std::ranges::min(numbers(nets, kind, width, number));
}

std::string course_text(const std::vector<TheoryNet>& nets, const Kind& kind, Number number) {
  std::vector<std::string> parts;
  for (const std::size_t width : widths(nets, kind))
    parts.push_back(fmt::format("{}: {:.4g}", width, lowest(nets, kind, width, number)));
  return fmt::format("{}: lowest of all seeds by width {}", kind.penalty, joined(parts, ", "));
}

/// At the two largest widths.
Compared last_two(const std::vector<TheoryNet>& nets, const Kind& kind, Number number) {
  const std::vector<std::size_t> all = widths(nets, kind);
  const std::size_t wide = all.back();
  const std::size_t half = all[all.size() - std::min<std::size_t>(all.size(), 2)];
  return {kind.penalty, numbers(nets, kind, half, number), numbers(nets, kind, wide, number)};
}

Claim falls_claim(const std::vector<TheoryNet>& nets) {
  bool stops = true;
  std::vector<std::string> texts;
  for (const Kind& kind : kinds(nets, "theorem")) {
    const std::vector<std::size_t> all = widths(nets, kind);
    const auto least = [&](std::size_t width) { return lowest(nets, kind, width, objective_of); };
    const std::size_t half = all[all.size() - std::min<std::size_t>(all.size(), 2)];
    stops = stops && least(all.back()) > 0.99 * least(half) && least(all.back()) < least(all.front());
    texts.push_back(course_text(nets, kind, objective_of));
  }
  return {
      "Theorem 1: with a penalty the least objective is reached at a finite width (here: the lowest of all "
      "seeds falls from the smallest width to the largest, but by less than 1 % at the last doubling)",
      joined(texts, "; "), by_rule(stops, "the lowest of all seeds, so no test")};
}

Claim units_claim(const std::vector<TheoryNet>& nets) {
  std::size_t shown = 0;
  std::size_t all = 0;
  std::vector<std::string> texts;
  for (const Kind& kind : kinds(nets, "theorem")) {
    const std::size_t wide = widths(nets, kind).back();
    const std::vector<double> units = numbers(nets, kind, wide, units_of);
    shown += static_cast<std::size_t>(
        std::ranges::count_if(units, [&](double count) { return 2 * count < static_cast<double>(wide); }));
    all += units.size();
    const Spread spread = spread_of(units);
    texts.push_back(fmt::format("{}: {:g} ({:g} to {:g}) of {}", kind.penalty, spread.median, spread.low,
                                spread.high, wide));
  }
  return {
      "nets that begin far wider than that lose their superfluous units (here: more than half of the widest "
      "nets')",
      joined(texts, "; "), shown_by_runs(shown, all)};
}

Claim without_claim(const std::vector<TheoryNet>& nets) {
  const Kind kind = kinds(nets, "no penalty").front();
  Compared two = last_two(nets, kind, error_of);
  std::swap(two.first, two.second);
  return {"without a penalty the objective goes on falling with the width", course_text(nets, kind, error_of),
          lower_everywhere({two})};
}

/// Of all groups of some nets, how many are so.
Claim share_claim(const std::vector<TheoryNet>& nets, const std::string& part, const std::string& text,
                  double TheoryNet::*share, bool ours) {
  std::vector<Judged> tests;
  std::vector<std::string> texts;
  for (const Kind& kind : kinds(nets, part)) {
    double shown = 0;
    double all = 0;
    for (const TheoryNet& net : nets) {
      if (kind_of(net) != kind || net.width != widths(nets, kind).back()) continue;
      shown += net.*share * net.groups;
      all += net.groups;
    }
    tests.push_back(share_above(kind.penalty, static_cast<std::size_t>(std::lround(shown)),
                                static_cast<std::size_t>(std::lround(all)), 0.95));
    texts.push_back(fmt::format("{}: {:.1f} % of {:g}", kind.penalty, 100 * shown / std::max(all, 1.0), all));
  }
  return {text, joined(texts, "; "), all_of(tests), ours};
}

Claim proposition_claim(const std::vector<TheoryNet>& nets, const std::string& text, Number number,
                        double margin) {
  std::vector<Compared> compared;
  std::vector<std::string> texts;
  const std::vector<Kind> all = kinds(nets, "proposition");
  for (const Penalty& penalty : penalties()) {
    std::vector<Kind> two;
    std::ranges::copy_if(all, std::back_inserter(two),
                         [&](const Kind& kind) { return kind.penalty == penalty.name; });
    if (two.size() != 2) continue;
    const std::size_t width = widths(nets, two[0]).back();
    compared.push_back(
        {penalty.name, numbers(nets, two[0], width, number), numbers(nets, two[1], width, number)});
    texts.push_back(fmt::format("{}: {:.4g} and {:.4g}", penalty.name,
                                spread_of(compared.back().first).median,
                                spread_of(compared.back().second).median));
  }
  return {text, joined(texts, "; "), alike_everywhere(compared, margin), true};
}

/// The net that was trained with a lambda per layer, its weights rescaled, under one lambda.
Claim rescaled_claim(const std::vector<TheoryNet>& nets) {
  double most = 0;
  for (const TheoryNet& net : nets)
    if (net.part == "proposition") most = std::max(most, std::abs(net.rescaled / net.objective - 1));
  return {
      "Proposition 1: a net that was trained with a lambda per layer, its weights times those factors, has "
      "the "
      "same objective under their geometric mean (here: within 1e-9)",
      fmt::format("differs by at most {:.1g} of it", most), by_rule(most < 1e-9, "arithmetic, so no test")};
}

std::vector<double> added(const std::vector<TheoryNet>& nets, const Kind& kind) {
  std::vector<double> sums(histogram_edges().size() + 1);
  for (const TheoryNet& net : nets) {
    if (kind_of(net) != kind || net.width != widths(nets, kind).back()) continue;
    for (std::size_t i = 0; i < sums.size() && i < net.histogram.size(); ++i) sums[i] += net.histogram[i];
  }
  return sums;
}

Cells histogram_names() {
  const std::vector<double>& edges = histogram_edges();
  Cells names{fmt::format("below {:g}", edges.front())};
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)
    names.push_back(fmt::format("{:g} to {:g}", edges[i], edges[i + 1]));
  names.push_back(fmt::format("above {:g}", edges.back()));
  return names;
}

}  // namespace

const std::vector<Penalty>& penalties() {
  static const std::vector<Penalty> all{
      {"fan-ins, p = 2", {.fan = Fan::fan_in, .power = 2, .layer_factors = {}}},
      {"fan-outs, p = 2", {.fan = Fan::fan_out, .power = 2, .layer_factors = {}}},
      {"p = 1", {.fan = Fan::fan_in, .power = 1, .layer_factors = {}}}};
  return all;
}

const std::vector<double>& histogram_edges() {
  static const std::vector<double> edges{0.5, 0.9, 0.99, 0.999, 1.001, 1.01, 1.1, 1.5};
  return edges;
}

TheoryNet summed_up(const std::string& part, const std::string& penalty, const Minimisation& how,
                    const Minimum& minimum) {
  TheoryNet net{.part = part,
                .penalty = penalty,
                .width = how.hidden.back(),
                .seed = how.seed,
                .units = minimum.network.hidden_units(),
                .error = minimum.error,
                .objective = minimum.objective,
                .rescaled = minimum.rescaled};
  std::vector<std::string> factors;
  for (std::size_t l = 0; l < minimum.network.layers.size(); ++l)
    factors.push_back(fmt::format("{:g}", how.regularizer.factor(l)));
  net.lambdas = joined(factors, " ");
  net.histogram.resize(histogram_edges().size() + 1);
  if (how.lambda == 0) return net;
  double near = 0;
  double radial = 0;
  for (const Group& group : minimum.groups) {
    near += std::abs(group.gradient - 1) < 0.01 && group.radial > 0.99 ? 1 : 0;
    radial += std::abs(group.radial - 1) < 0.1 ? 1 : 0;
    const auto above = std::ranges::upper_bound(histogram_edges(), group.gradient);
    net.histogram[static_cast<std::size_t>(above - histogram_edges().begin())] += 1;
  }
  net.groups = static_cast<double>(minimum.groups.size());
  net.near = near / std::max(net.groups, 1.0);
  net.radial = radial / std::max(net.groups, 1.0);
  return net;
}

std::vector<Claim> theory_claims(const std::vector<TheoryNet>& nets) {
  return {
      falls_claim(nets),
      units_claim(nets),
      without_claim(nets),
      share_claim(
          nets, "theorem",
          "where it is least, the error's gradient by what is penalised has the length lambda and points "
          "against it (here: within 1 %, of more than 95 % of what is left of the widest nets)",
          &TheoryNet::near, true),
      share_claim(nets, "adarad",
                  "AdaRad ends there as well, where its angle falls (here: the part of the gradient along a "
                  "fan-in is lambda within 10 %, of more than 95 %)",
                  &TheoryNet::radial, true),
      rescaled_claim(nets),
      proposition_claim(
          nets,
          "descent finds them, too: with lambdas of layers and rescaled weights to begin with it "
          "comes to the same objective (here: within a tenth)",
          objective_of, 0.1),
      proposition_claim(nets, "and to nets of the same size (here: units within a quarter)", units_of, 0.25)};
}

std::string theory_details(const std::vector<TheoryNet>& nets) {
  Rows rows{{"part", "penalty", "lambdas of layers", "width at the start", "units left, median (range)",
             "error, median", "objective, median", "objective, lowest"}};
  for (const char* part : {"theorem", "no penalty", "proposition", "adarad"}) {
    for (const Kind& kind : kinds(nets, part)) {
      for (const std::size_t width : widths(nets, kind)) {
        const Spread units = spread_of(numbers(nets, kind, width, units_of));
        rows.push_back({kind.part, kind.penalty, kind.lambdas, std::to_string(width),
                        fmt::format("{:g} ({:g} to {:g})", units.median, units.low, units.high),
                        fmt::format("{:.5f}", spread_of(numbers(nets, kind, width, error_of)).median),
                        fmt::format("{:.5f}", spread_of(numbers(nets, kind, width, objective_of)).median),
                        fmt::format("{:.5f}", lowest(nets, kind, width, objective_of))});
      }
    }
  }
  Rows lengths{Cells{"part", "penalty", "lambdas of layers"} + histogram_names()};
  for (const char* part : {"theorem", "proposition", "adarad"}) {
    for (const Kind& kind : kinds(nets, part)) {
      Cells cells{kind.part, kind.penalty, kind.lambdas};
      for (const double count : added(nets, kind)) cells.push_back(fmt::format("{:g}", count));
      lengths.push_back(cells);
    }
  }
  return fmt::format(
      "{}\n## Lengths of gradients\n\nOf everything that is penalised and not zero in the widest nets of all "
      "seeds: how many have a gradient of that length, in lambdas.\n\n{}",
      markdown_table(rows), markdown_table(lengths));
}

Rows theory_rows(const std::vector<TheoryNet>& nets) {
  Cells names{"part",  "penalty",   "layer_lambdas", "width",  "seed", "units",
              "error", "objective", "rescaled",      "groups", "near", "radial"};
  for (std::size_t i = 0; i <= histogram_edges().size(); ++i) names.push_back(fmt::format("lengths_{}", i));
  Rows rows{names};
  for (const TheoryNet& net : nets) {
    Cells cells{net.part,
                net.penalty,
                net.lambdas,
                std::to_string(net.width),
                std::to_string(net.seed),
                size_text(net.units),
                csv_number(net.error, 9),
                csv_number(net.objective, 17),
                csv_number(net.rescaled, 17),
                csv_number(net.groups),
                csv_number(net.near),
                csv_number(net.radial)};
    for (const double count : net.histogram) cells.push_back(csv_number(count));
    rows.push_back(cells);
  }
  return rows;
}

std::vector<TheoryNet> stored_theory(const StoredEntry& stored) {
  std::vector<TheoryNet> nets;
  for (std::size_t row = 1; row < stored.rows.size(); ++row) {
    TheoryNet& net = nets.emplace_back(TheoryNet{.part = stored.cell(row, "part"),
                                                 .penalty = stored.cell(row, "penalty"),
                                                 .lambdas = stored.cell(row, "layer_lambdas"),
                                                 .width = stored.whole(row, "width"),
                                                 .seed = stored.whole(row, "seed"),
                                                 .units = stored.units(row),
                                                 .error = stored.number(row, "error"),
                                                 .objective = stored.number(row, "objective"),
                                                 .rescaled = stored.number(row, "rescaled"),
                                                 .near = stored.number(row, "near"),
                                                 .radial = stored.number(row, "radial"),
                                                 .groups = stored.number(row, "groups")});
    for (std::size_t i = 0; i <= histogram_edges().size(); ++i)
      net.histogram.push_back(stored.number(row, fmt::format("lengths_{}", i)));
  }
  return nets;
}

/// Left: objectives by width; right: the histogram of the first penalty.
Svg draw_theory(const std::vector<TheoryNet>& nets) {
  static const std::vector<std::string> colours{"black", "blue", "red", "orange"};
  const std::vector<Kind> drawn = kinds(nets, "theorem") + kinds(nets, "no penalty");
  double most = 0;
  double high = 0;
  for (const TheoryNet& net : nets) {
    if (net.part != "theorem" && net.part != "no penalty") continue;
    most = std::max(most, static_cast<double>(net.width));
    high = std::max(high, net.objective);
  }
  Svg svg(980, 320, "least objectives by width, and lengths of gradients");
  const Scale x{.low = 1, .high = std::max(most, 2.0), .log = true, .from = 60, .to = 440};
  const Scale y{.low = 0, .high = std::max(high, 1e-9), .log = false, .from = 270, .to = 40};
  svg.text(60, 16, "lowest objective by width", "start", "name");
  svg.line(x.from, y.from, x.to, y.from, "axis");
  svg.line(x.from, y.from, x.from, y.to, "axis");
  svg.text(x.from - 4, y.from, "0", "end");
  svg.text(x.from - 4, y.to + 4, fmt::format("{:.2g}", high), "end");
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    svg.text(330, 60 + 16 * static_cast<double>(k), drawn[k].penalty);
    svg.rect(316, 52 + 16 * static_cast<double>(k), 8, 8, "mark " + colours[k % colours.size()]);
    for (const std::size_t width : widths(nets, drawn[k])) {
      const double low = lowest(nets, drawn[k], width, objective_of);
      const double at = x(static_cast<double>(width));
      svg.rect(at - 4, y(low) - 4, 8, 8, "mark " + colours[k % colours.size()], fmt::format("{:.5f}", low));
      if (k == 0) svg.text(at, y.from + 16, std::to_string(width), "middle");
    }
  }
  if (drawn.empty()) return svg;
  const std::vector<double> counts = added(nets, drawn.front());
  const Cells names = histogram_names();
  const double highest = std::max(1.0, std::ranges::max(counts));
  svg.text(500, 16, fmt::format("lengths of gradients in lambdas, {}", drawn.front().penalty), "start",
           "name");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double at = 500 + 52 * static_cast<double>(i);
    const double height = 220 * counts[i] / highest;
    svg.rect(at, 270 - height, 44, height, "mark black", fmt::format("{}: {:g}", names[i], counts[i]));
    svg.text(at + 22, 286 + (i % 2 == 0 ? 0.0 : 16.0), names[i], "middle");
  }
  return svg;
}

}  // namespace coppice::experiments
