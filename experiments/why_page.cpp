#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/picture.h"
#include "experiments/significance.h"
#include "experiments/why.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// Two ways on every set that has both.
std::vector<Compared> on_sets(const std::vector<WhySet>& sets, const std::string& first,
                              const std::string& second) {
  std::vector<Compared> all;
  for (const WhySet& set : sets) {
    const Arm* a = set.find(first);
    const Arm* b = set.find(second);
    if (a != nullptr && b != nullptr) all.push_back({set.title, a->test_errors(), b->test_errors()});
  }
  return all;
}

std::string medians_of(const std::vector<Compared>& compared) {
  std::vector<std::string> parts;
  for (const Compared& one : compared)
    parts.push_back(fmt::format("{}: {} and {}", one.label, share_text(spread_of(one.first).median),
                                share_text(spread_of(one.second).median)));
  return joined(parts, "; ");
}

Claim lower_than(const std::vector<WhySet>& sets, const std::string& text, const char* first,
                 const char* second) {
  const std::vector<Compared> compared = on_sets(sets, first, second);
  return {text, medians_of(compared), lower_everywhere(compared), true};
}

/// Not ours.
Claim paper(Claim claim) {
  claim.ours = false;
  return claim;
}

Claim alike(const std::vector<WhySet>& sets, const std::string& text, const char* first, const char* second) {
  constexpr double margin = 0.1;
  const std::vector<Compared> compared = on_sets(sets, first, second);
  return {text, medians_of(compared), alike_everywhere(compared, margin), true};
}

Spread spread_in(const Arm& arm) {
  return spread_of(arm.test_errors());
}

}  // namespace

std::vector<double> Arm::test_errors() const {
  std::vector<double> errors;
  for (const NetResult& net : nets) {
    const double error = net.test_error.value_or(net.validation_error);
    errors.push_back(net.phase == "failed" || !std::isfinite(error) ? 1 : error);
  }
  return errors;
}

const Arm* WhySet::find(const std::string& name) const {
  const auto found = std::ranges::find_if(arms, [&](const Arm& arm) { return arm.way.name == name; });
  return found == arms.end() ? nullptr : &*found;
}

std::vector<Claim> why_claims(const std::vector<WhySet>& sets) {
  std::vector<Claim> claims{
      lower_than(
          sets,
          "with all else equal, nets that size themselves have lower errors than those trained at their size",
          by_itself, same_size_net),
      lower_than(sets, "that holds without the cap on the outputs, too", by_itself_uncapped,
                 same_size_uncapped),
      alike(sets, "at a fixed size the cap on the outputs changes little (within a tenth)", same_size_net,
            same_size_uncapped),
      lower_than(sets, "at a fixed size AdaRad is better than momentum", same_size_net, same_size_momentum),
      lower_than(sets, "so it is for nets that size themselves", by_itself, by_itself_momentum),
      lower_than(sets, "smoothed labels do not replace sizing: AdaRad", by_itself, same_size_smooth),
      lower_than(sets, "smoothed labels do not replace it: momentum and batch normalisation", by_itself,
                 usual_smooth),
      lower_than(sets, "a cap on the outputs does not replace it: momentum and batch normalisation",
                 by_itself, usual_capped),
      alike(sets,
            "it is the penalty at work: nets that begin with that size and are penalised err as often "
            "(within a "
            "tenth)",
            by_itself, shrunk_net),
      alike(sets, "larger nets that are pruned after training come as far (within a tenth)", by_itself,
            pruned_net),
      alike(sets, "nets that grow without a penalty and are then cut come as far (within a tenth)", by_itself,
            cut_net),
      lower_than(sets,
                 "it is not the weights that the units were born with: set back to them, nets are worse",
                 by_itself, set_back_net),
      paper(
          lower_than(sets,
                     "nonparametric nets without normalisation cannot compete with parametric ones that have "
                     "batch normalisation",
                     usual_net, bare_itself)),
      paper(lower_than(
          sets,
          "parametric nets with an l2 penalty and no batch normalisation are not competitive (here: "
          "they are worse than with batch normalisation and no penalty)",
          usual_net, bare_penalised)),
      lower_than(sets, "without the penalty they are not, either", usual_net, bare_net),
      alike(sets, "it is worth as much as three times the units (within a tenth)", by_itself, larger_net)};
  // Of ways that no set has nothing is said.
  std::erase_if(claims, [](const Claim& claim) { return claim.measured.empty(); });
  return claims;
}

std::string why_details(const std::vector<WhySet>& sets) {
  std::string text;
  for (const WhySet& set : sets) {
    Rows rows{{"way", "sizing", "optimizer", "norm", "output cap", "label smoothing", "step",
               "parameters, median", "test error, median (range)", "the first has the lower error in"}};
    const std::vector<double> best = set.arms.front().test_errors();
    for (const Arm& arm : set.arms) {
      std::vector<double> sizes;
      for (const NetResult& net : arm.nets) sizes.push_back(static_cast<double>(net.parameters));
      const Difference difference = mann_whitney(best, arm.test_errors());
      rows.push_back(
          {arm.way.name, arm.way.sizing, arm.way.optimizer, arm.way.norm, arm.way.output_cap,
           arm.way.smoothing, arm.step, count_text(spread_of(sizes).median), errors_text(spread_in(arm)),
           &arm == &set.arms.front()
               ? "-"
               : fmt::format("{:.0f} % of pairs, p {:.2g}", 100 * difference.share, difference.p)});
    }
    text += fmt::format("## {}, lambda {:g}\n\n{}\n", set.title, set.lambda, markdown_table(rows));
  }
  return text;
}

Rows why_rows(const std::vector<WhySet>& sets) {
  Rows rows{Cells{"set", "way", "sizing", "optimizer", "norm", "output_cap", "label_smoothing", "step",
                  "set_lambda", "lambda", "seed", "units"} +
            outcome_names};
  for (const WhySet& set : sets) {
    for (const Arm& arm : set.arms) {
      for (const NetResult& net : arm.nets)
        rows.push_back(Cells{set.title, arm.way.name, arm.way.sizing, arm.way.optimizer, arm.way.norm,
                             arm.way.output_cap, arm.way.smoothing, arm.step, fmt::format("{:g}", set.lambda),
                             fmt::format("{:g}", net.lambda), std::to_string(net.seed),
                             size_text(net.hidden_units)} +
                       outcome_cells(net));
    }
  }
  return rows;
}

std::vector<WhySet> stored_why(const StoredEntry& stored) {
  std::vector<WhySet> sets;
  for (std::size_t row = 1; row < stored.rows.size(); ++row) {
    if (sets.empty() || sets.back().title != stored.cell(row, "set"))
      sets.push_back({.title = stored.cell(row, "set"), .lambda = stored.number(row, "set_lambda")});
    const Way way{.name = stored.cell(row, "way"),
                  .sizing = stored.cell(row, "sizing"),
                  .optimizer = stored.cell(row, "optimizer"),
                  .norm = stored.cell(row, "norm"),
                  .output_cap = stored.cell(row, "output_cap"),
                  .smoothing = stored.cell(row, "label_smoothing")};
    std::vector<Arm>& arms = sets.back().arms;
    if (arms.empty() || arms.back().way != way)
      arms.push_back({.way = way, .step = stored.cell(row, "step")});
    arms.back().nets.push_back(stored_net(stored, row));
  }
  return sets;
}

Svg draw_why(const std::vector<WhySet>& sets) {
  constexpr double names = 380;
  constexpr double width = 260;
  constexpr double line = 22;
  std::vector<std::string> ways;  // a set may lack some
  for (const WhySet& set : sets) {
    for (const Arm& arm : set.arms)
      if (std::ranges::find(ways, arm.way.name) == ways.end()) ways.push_back(arm.way.name);
  }
  const double height = 60 + line * static_cast<double>(ways.size());
  Svg svg(names + width * static_cast<double>(sets.size()), height,
          "test errors of nets trained in several ways");
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const WhySet& set = sets[s];
    double low = INFINITY;
    double high = 0;
    for (const Arm& arm : set.arms) {
      low = std::min(low, spread_in(arm).low);
      high = std::max(high, spread_in(arm).high);
    }
    const double left = names + width * static_cast<double>(s);
    const Scale x{.low = low,
                  .high = std::max(high, low + 1e-9),
                  .log = false,
                  .from = left + 10,
                  .to = left + width - 20};
    svg.text(left + 10, 16, set.title, "start", "name");
    svg.text(left + 10, height - 10, share_text(low));
    svg.text(left + width - 20, height - 10, share_text(high), "end");
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const double y = 36 + line * static_cast<double>(i);
      if (s == 0) svg.text(8, y + 4, ways[i]);
      const Arm* arm = set.find(ways[i]);
      if (arm == nullptr) continue;
      const Spread errors = spread_in(*arm);
      svg.line(x(errors.low), y, x(errors.high), y, "axis");
      svg.rect(x(errors.median) - 4, y - 4, 8, 8, i == 0 ? "mark black" : "mark red",
               share_text(errors.median));
    }
    const double first = x(spread_in(set.arms.front()).median);
    svg.line(first, 26, first, height - 26, "until");
  }
  return svg;
}

}  // namespace coppice::experiments
