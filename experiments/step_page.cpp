#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/picture.h"
#include "experiments/significance.h"
#include "experiments/step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

double test_error_of(const StepNet& net) {
  return net.test_error();
}
double parameters_of(const StepNet& net) {
  return static_cast<double>(net.net.parameters);
}
double flips_of(const StepNet& net) {
  return net.flips;
}
double length_of(const StepNet& net) {
  return net.length;
}

/// The variant and the paper's on every set, each at the lambda that its validation rows choose.
std::vector<Compared> at_chosen(const std::vector<StepSet>& sets, const std::string& variant) {
  std::vector<Compared> all;
  for (const StepSet& set : sets) {
    const StepArm* plain = set.find(plain_step);
    const StepArm* other = set.find(variant);
    if (plain == nullptr || other == nullptr) continue;
    all.push_back({set.title, other->at(other->chosen_lambda(), test_error_of),
                   plain->at(plain->chosen_lambda(), test_error_of)});
  }
  return all;
}

/// The same at the smallest lambda.
std::vector<Compared> at_smallest(const std::vector<StepSet>& sets, const std::string& variant,
                                  double (*number)(const StepNet&)) {
  std::vector<Compared> all;
  for (const StepSet& set : sets) {
    const StepArm* plain = set.find(plain_step);
    const StepArm* other = set.find(variant);
    if (plain == nullptr || other == nullptr) continue;
    const double least = std::ranges::min(plain->lambdas());
    all.push_back({set.title, other->at(least, number), plain->at(least, number)});
  }
  return all;
}

std::string medians_text(const std::vector<Compared>& compared, std::string (*text)(double)) {
  std::vector<std::string> parts;
  for (const Compared& one : compared)
    parts.push_back(fmt::format("{}: {} and {}", one.label, text(spread_of(one.first).median),
                                text(spread_of(one.second).median)));
  return joined(parts, "; ");
}

std::string number_text(double value) {
  return fmt::format("{:.3g}", value);
}

/// Nets of small lambdas some of whose steps turn units around.
Claim flips_claim(const std::vector<StepSet>& sets) {
  constexpr double small = 1.01e-5;
  constexpr double limit = 0.001;
  std::size_t shown = 0;
  std::size_t nets = 0;
  std::vector<std::string> parts;
  for (const StepSet& set : sets) {
    const StepArm* plain = set.find(plain_step);
    if (plain == nullptr) continue;
    for (const double lambda : plain->lambdas()) {
      const std::vector<double> flips = plain->at(lambda, flips_of);
      parts.push_back(fmt::format("{} {:g}: {:.2g} %", set.title, lambda, 100 * spread_of(flips).median));
      if (lambda > small) continue;
      nets += flips.size();
      shown +=
          static_cast<std::size_t>(std::ranges::count_if(flips, [&](double share) { return share > limit; }));
    }
  }
  return {
      "at lambdas of 1e-5 and below the paper's step turns units around (here: in more than 0.1 % of their "
      "steps)",
      joined(parts, "; "), shown_by_runs(shown, std::max<std::size_t>(nets, 1)), true};
}

Claim better_claim(const std::vector<StepSet>& sets, const char* variant) {
  const std::vector<Compared> compared = at_chosen(sets, variant);
  return {fmt::format("{}: lower test errors on every set, lambdas chosen by validation rows", variant),
          medians_text(compared, share_text), lower_everywhere(compared), true};
}

/// On the sets together: as many pairs of medians as there are sets.
Claim average_claim(const std::vector<StepSet>& sets, const char* variant) {
  Compared medians;
  for (const Compared& one : at_chosen(sets, variant)) {
    medians.first.push_back(spread_of(one.first).median);
    medians.second.push_back(spread_of(one.second).median);
  }
  return {fmt::format("{}: lower median test errors over the sets", variant),
          fmt::format("{} sets", medians.first.size()),
          medians.first.empty() ? Judged{} : lower_in_pairs({medians}), true};
}

}  // namespace

double StepNet::test_error() const {
  const double error = net.test_error.value_or(net.validation_error);
  return net.phase == "failed" || !std::isfinite(error) ? 1 : error;
}

std::vector<double> StepArm::lambdas() const {
  std::vector<double> all;
  for (const StepNet& one : nets)
    if (std::ranges::find(all, one.net.lambda) == all.end()) all.push_back(one.net.lambda);
  return all;
}

std::vector<double> StepArm::at(double lambda, double (*number)(const StepNet&)) const {
  std::vector<double> numbers;
  for (const StepNet& one : nets)
    if (one.net.lambda == lambda) numbers.push_back(number(one));
  return numbers;
}

double StepArm::chosen_lambda() const {
  double chosen = 0;
  double lowest = INFINITY;
  for (const double lambda : lambdas()) {
    const double median = spread_of(at(lambda, [](const StepNet& one) {
                            return std::isfinite(one.net.validation_error) ? one.net.validation_error : 1;
                          })).median;
    if (median >= lowest) continue;
    lowest = median;
    chosen = lambda;
  }
  return chosen;
}

const StepArm* StepSet::find(const std::string& variant) const {
  const auto found = std::ranges::find(arms, variant, &StepArm::variant);
  return found == arms.end() ? nullptr : &*found;
}

std::vector<Claim> step_claims(const std::vector<StepSet>& sets) {
  const std::vector<Compared> lengths = at_smallest(sets, narrow_trust, length_of);
  const std::vector<Compared> sizes = at_smallest(sets, narrow_trust, parameters_of);
  std::vector<Claim> claims{flips_claim(sets),
                            {"a trust region of 1.1 keeps fan-ins shorter at the smallest lambda",
                             medians_text(lengths, number_text), lower_everywhere(lengths), true},
                            {"it lets units die: nets of the smallest lambda have fewer parameters with it",
                             medians_text(sizes, count_text), lower_everywhere(sizes), true}};
  for (const char* variant : {exponential_step, relative_shrinking}) {
    const std::vector<Compared> fewer = at_smallest(sets, variant, parameters_of);
    if (fewer.empty()) continue;  // a page may have been made before this way was there
    claims.push_back({fmt::format("{}: nets of the smallest lambda have fewer parameters", variant),
                      medians_text(fewer, count_text), lower_everywhere(fewer), true});
    const std::vector<Compared> errors = at_smallest(sets, variant, test_error_of);
    claims.push_back({fmt::format("{}: nets of the smallest lambda err less often", variant),
                      medians_text(errors, share_text), lower_everywhere(errors), true});
  }
  for (const char* variant :
       {wide_trust, narrow_trust, relative_trust, exponential_step, relative_shrinking, forgotten_peak}) {
    if (at_chosen(sets, variant).empty()) continue;
    claims.push_back(better_claim(sets, variant));
    claims.push_back(average_claim(sets, variant));
  }
  return claims;
}

std::string step_details(const std::vector<StepSet>& sets) {
  std::string text;
  for (const StepSet& set : sets) {
    Rows rows{{"step", "lambda", "units of a typical net", "test error, median (range)",
               "lower than the paper's step in", "flips", "not trusted", "length", "angle", "epochs"}};
    for (const StepArm& arm : set.arms) {
      for (const double lambda : arm.lambdas()) {
        std::vector<NetResult> nets;
        for (const StepNet& one : arm.nets)
          if (one.net.lambda == lambda) nets.push_back(one.net);
        const auto median = [&](double (*number)(const StepNet&)) {
          return spread_of(arm.at(lambda, number)).median;
        };
        const std::vector<double> errors = arm.at(lambda, test_error_of);
        const std::vector<double> plain = set.arms.front().at(lambda, test_error_of);
        const Difference difference = mann_whitney(errors, plain);
        rows.push_back(
            {arm.variant + (lambda == arm.chosen_lambda() ? " (chosen)" : ""), fmt::format("{:g}", lambda),
             size_text(nets[representative(nets)].hidden_units), errors_text(spread_of(errors)),
             &arm == &set.arms.front()
                 ? "-"
                 : fmt::format("{:.0f} % of pairs, p {:.2g}", 100 * difference.share, difference.p),
             fmt::format("{:.2g} %", 100 * median(flips_of)),
             fmt::format("{:.2g} %", 100 * median([](const StepNet& one) { return one.held; })),
             number_text(median(length_of)),
             number_text(median([](const StepNet& one) { return one.angle; })),
             count_text(median([](const StepNet& one) { return static_cast<double>(one.net.epochs); }))});
      }
    }
    text += fmt::format("## {}\n\n{}\n", set.title, markdown_table(rows));
  }
  return text;
}

Rows step_rows(const std::vector<StepSet>& sets) {
  Rows rows{Cells{"set", "variant", "lambda", "seed", "units"} + outcome_names +
            Cells{"flips", "held", "length", "angle"}};
  for (const StepSet& set : sets) {
    for (const StepArm& arm : set.arms) {
      for (const StepNet& one : arm.nets)
        rows.push_back(Cells{set.title, arm.variant, fmt::format("{:g}", one.net.lambda),
                             std::to_string(one.net.seed), size_text(one.net.hidden_units)} +
                       outcome_cells(one.net) +
                       Cells{csv_number(one.flips), csv_number(one.held), csv_number(one.length),
                             csv_number(one.angle)});
    }
  }
  return rows;
}

std::vector<StepSet> stored_steps(const StoredEntry& stored) {
  std::vector<StepSet> sets;
  for (std::size_t row = 1; row < stored.rows.size(); ++row) {
    if (sets.empty() || sets.back().title != stored.cell(row, "set"))
      sets.push_back({.title = stored.cell(row, "set")});
    std::vector<StepArm>& arms = sets.back().arms;
    if (arms.empty() || arms.back().variant != stored.cell(row, "variant"))
      arms.push_back({.variant = stored.cell(row, "variant")});
    arms.back().nets.push_back({.net = stored_net(stored, row),
                                .flips = stored.number(row, "flips"),
                                .held = stored.number(row, "held"),
                                .length = stored.number(row, "length"),
                                .angle = stored.number(row, "angle")});
  }
  return sets;
}

Svg draw_steps(const std::vector<StepSet>& sets) {
  constexpr double names = 110;
  constexpr double width = 520;
  constexpr double height = 74;
  constexpr std::size_t of_a_line = 4;
  static const std::vector<std::string> colours{"black", "blue", "red",      "orange",
                                                "green", "grey", "pale-red", "pale-blue"};
  const auto most = std::ranges::max_element(sets, {}, [](const StepSet& set) { return set.arms.size(); });
  const std::vector<StepArm> arms = sets.empty() ? std::vector<StepArm>{} : most->arms;
  const std::size_t more_lines = arms.empty() ? 0 : (arms.size() - 1) / of_a_line;
  const double below_legend = 30 + 14 * static_cast<double>(more_lines);
  Svg svg(names + width, 10 + below_legend + height * static_cast<double>(sets.size()),
          "test errors at every lambda, of each way of taking the radial step");
  for (std::size_t line = 0; line <= more_lines; ++line) {
    Legend legend;
    for (std::size_t a = line * of_a_line; a < std::min(arms.size(), (line + 1) * of_a_line); ++a)
      legend.emplace_back(colours[a % colours.size()], arms[a].variant);
    draw_legend(svg, names + width - 8, 14 + 14 * static_cast<double>(line), legend);
  }
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const StepSet& set = sets[s];
    const double top = below_legend + height * static_cast<double>(s);
    std::vector<double> errors;
    for (const StepArm& arm : set.arms)
      for (const double lambda : arm.lambdas())
        errors.push_back(spread_of(arm.at(lambda, test_error_of)).median);
    const Spread range = spread_of(errors);
    const Scale y{.low = range.low,
                  .high = std::max(range.high, range.low + 1e-9),
                  .log = false,
                  .from = top + height - 16,
                  .to = top + 6};
    svg.text(8, top + height / 2, set.title, "start", "name");
    svg.text(names - 4, y(range.low) + 4, share_text(range.low), "end");
    svg.text(names - 4, y(range.high) + 4, share_text(range.high), "end");
    const std::vector<double> lambdas = set.arms.front().lambdas();
    for (std::size_t a = 0; a < set.arms.size(); ++a) {
      for (std::size_t l = 0; l < lambdas.size(); ++l) {
        const double step = (width - 40) / static_cast<double>(lambdas.size());
        const double apart = std::min(12.0, step / static_cast<double>(arms.size()));
        const double x = names + 20 + step * static_cast<double>(l) + apart * static_cast<double>(a);
        const double median = spread_of(set.arms[a].at(lambdas[l], test_error_of)).median;
        svg.rect(x, y(median) - 4, 8, 8, "mark " + colours[a % colours.size()],
                 fmt::format("lambda {:g}: {}", lambdas[l], share_text(median)));
        if (a == 0 && s + 1 == sets.size()) svg.text(x, top + height + 6, fmt::format("{:g}", lambdas[l]));
      }
    }
  }
  return svg;
}

}  // namespace coppice::experiments
