#include "coppice/core/spread.h"
#include "coppice/report/html.h"

#include "experiments/figure4.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

using Runs = std::vector<RunMeasures>;
using Measure = double RunMeasures::*;

std::vector<double> values_of(const Runs& runs, Measure measure) {
  std::vector<double> values;
  for (const RunMeasures& run : runs) values.push_back(run.*measure);
  return values;
}

double median_of(const Runs& runs, Measure measure) {
  return spread_of(values_of(runs, measure)).median;
}

/// How many runs show something.
template <class Rule>
Judged shown(const Runs& runs, const Rule& rule) {
  return shown_by_runs(static_cast<std::size_t>(std::ranges::count_if(runs, rule)), runs.size());
}

/// "median 0.32 (0.31 to 0.33)"; of one run the number.
std::string range_text(const Runs& runs, Measure measure, const char* format = "{:.3g}") {
  const Spread spread = spread_of(values_of(runs, measure));
  const auto text = [&](double value) { return fmt::format(fmt::runtime(format), value); };
  if (runs.size() == 1) return text(spread.median);
  return fmt::format("{} ({} to {})", text(spread.median), text(spread.low), text(spread.high));
}

/// Whether one error is lower than another: in pairs over runs; of one run, as shares of its validation rows.
Judged lower_error(const Runs& runs, Measure lower, Measure higher) {
  if (runs.size() > 1) return lower_in_pairs({{"", values_of(runs, lower), values_of(runs, higher)}});
  const RunMeasures& run = runs.front();
  if (!std::isfinite(run.*lower) || !std::isfinite(run.*higher))
    return {Verdict::undecided, "was not stored"};
  return share_lower(fmt::format("one run: shares of {} validation rows", count_text(run.validation_rows)),
                     {run.*lower, run.validation_rows}, {run.*higher, run.validation_rows});
}

/// "means 1.709 % and 1.700 %"; a dash for what was not stored.
std::string means_text(const Runs& runs, Measure first, Measure second) {
  const auto text = [&](Measure measure) {
    const double error = median_of(runs, measure);
    return std::isfinite(error) ? fmt::format("{:.3f} %", 100 * error) : "-";
  };
  return fmt::format("means {} and {}", text(first), text(second));
}

Claim faster(const Runs& runs) {
  return {
      "A: parametric nets reach a good accuracy faster, because the nonparametric one waits for its units "
      "(here: an error that all reach)",
      fmt::format("a validation error of {:.2f} % after {} epochs; SGD: {}, RMSprop: {}",
                  100 * median_of(runs, &RunMeasures::target), range_text(runs, &RunMeasures::reached),
                  range_text(runs, &RunMeasures::sgd_reached),
                  range_text(runs, &RunMeasures::rmsprop_reached)),
      shown(runs, [](const RunMeasures& run) {
        return run.reached > run.sgd_reached && run.reached > run.rmsprop_reached;
      })};
}

Claim improves(const Runs& runs) {
  return {
      "A: the nonparametric net's validation error goes on improving slowly for many epochs (here: from the "
      "second quarter of the epochs to the last)",
      means_text(runs, &RunMeasures::early_error, &RunMeasures::late_error),
      lower_error(runs, &RunMeasures::late_error, &RunMeasures::early_error)};
}

Claim worsens(const Runs& runs) {
  return {
      "A: unregularised parametric nets tend to a slightly increasing validation error in the long run "
      "(here: "
      "RMSprop's, from the second twentieth of the epochs to the last tenth)",
      means_text(runs, &RunMeasures::rmsprop_early_error, &RunMeasures::rmsprop_late_error),
      lower_error(runs, &RunMeasures::rmsprop_early_error, &RunMeasures::rmsprop_late_error)};
}

/// Three claims: each kind of net by itself.
std::vector<Claim> losses(const Runs& runs) {
  constexpr double times = 10;
  const auto about = [&](Measure loss, double value) {
    return shown(
        runs, [=](const RunMeasures& run) { return run.*loss > value / times && run.*loss < value * times; });
  };
  return {{"B: the nonparametric net does not come near a training cross-entropy of zero (here: it ends at "
           "least ten "
           "times higher than both others)",
           fmt::format("{}; RMSprop {}, SGD {}", range_text(runs, &RunMeasures::loss),
                       range_text(runs, &RunMeasures::rmsprop_loss, "{:.2g}"),
                       range_text(runs, &RunMeasures::sgd_loss, "{:.2g}")),
           shown(runs,
                 [=](const RunMeasures& run) {
                   return run.loss > times * run.sgd_loss && run.loss > times * run.rmsprop_loss;
                 })},
          {"B: without a penalty parametric nets end with a training cross-entropy of about 1e-6 (here: "
           "RMSprop, within "
           "a factor of ten)",
           range_text(runs, &RunMeasures::rmsprop_loss, "{:.2g}"), about(&RunMeasures::rmsprop_loss, 1e-6)},
          {"B: with the penalty they end with about 1e-4 (here: SGD, within a factor of ten)",
           range_text(runs, &RunMeasures::sgd_loss, "{:.2g}"), about(&RunMeasures::sgd_loss, 1e-4)}};
}

Claim mistakes(const Runs& runs) {
  constexpr double low = 15.0 / 50'000;
  constexpr double high = 60.0 / 50'000;
  return {
      "B: at the end the parametric nets make no mistake on the training rows, the nonparametric one about "
      "30 of 50,000 (here: 15 to 60)",
      fmt::format("of {} rows: nonparametric {}, RMSprop {}, SGD {}",
                  count_text(median_of(runs, &RunMeasures::training_rows)),
                  range_text(runs, &RunMeasures::mistakes), range_text(runs, &RunMeasures::rmsprop_mistakes),
                  range_text(runs, &RunMeasures::sgd_mistakes)),
      shown(runs, [](const RunMeasures& run) {
        const double share = run.mistakes / run.training_rows;
        return run.rmsprop_mistakes + run.sgd_mistakes == 0 && share >= low && share <= high;
      })};
}

Claim first_elimination(const Runs& runs, double lifetime) {
  return {
      fmt::format("C: no unit is eliminated until about epoch {:g}, then some are (here: the first within a "
                  "fifth of it)",
                  lifetime),
      fmt::format("first elimination in epoch {}", range_text(runs, &RunMeasures::first_death)),
      shown(runs, [=](const RunMeasures& run) {
        return run.first_death >= 0.8 * lifetime && run.first_death <= 1.2 * lifetime;
      })};
}

Claim shrinks_at_the_end(const Runs& runs, double lifetime) {
  const auto fits = [=](double units) { return units > 0.6 * lifetime && units < 1.4 * lifetime; };
  return {fmt::format(
              "C: once no units are added, each layer loses about {0:g} units in about {0:g} epochs (here: "
              "within 40 %)",
              lifetime),
          fmt::format("{} and {} units in {:g} epochs", range_text(runs, &RunMeasures::lost),
                      range_text(runs, &RunMeasures::lost_2), median_of(runs, &RunMeasures::lost_epochs)),
          shown(runs, [&](const RunMeasures& run) { return fits(run.lost) && fits(run.lost_2); })};
}

/// The units of all runs together.
LifeMeasures together(const Runs& runs, LifeMeasures RunMeasures::*layer) {
  LifeMeasures all;
  std::vector<double> medians;
  for (const RunMeasures& run : runs) {
    const LifeMeasures& one = run.*layer;
    for (double LifeMeasures::*value :
         {&LifeMeasures::early_born, &LifeMeasures::early_stayed, &LifeMeasures::late_born,
          &LifeMeasures::late_stayed, &LifeMeasures::died, &LifeMeasures::not_soon, &LifeMeasures::not_late})
      all.*value += one.*value;
    medians.push_back(one.median_lifetime);
  }
  all.median_lifetime = spread_of(medians).median;
  return all;
}

/// Of panel D, and of figure 5 for the second layer; `begin`: its first words.
Claim early_units_stay(const char* begin, const LifeMeasures& lives) {
  const double early = lives.early_stayed / lives.early_born;
  const double late = lives.late_stayed / lives.late_born;
  return {fmt::format("{}units are the more likely to stay the earlier they are added", begin),
          fmt::format("of those added in the first fifth {:.1f} % stay, of the last fifth {:.1f} %",
                      100 * early, 100 * late),
          share_lower(fmt::format("shares of {} and {} units", count_text(lives.late_born),
                                  count_text(lives.early_born)),
                      {late, lives.late_born}, {early, lives.early_born})};
}

Claim die_in_time(const char* begin, const LifeMeasures& lives, double lifetime) {
  const auto died = static_cast<std::size_t>(lives.died);
  return {fmt::format("{}units that do not stay are gone after about {:g} epochs (here: the median is within "
                      "a quarter of it)",
                      begin, lifetime),
          fmt::format("median {:.0f} epochs", lives.median_lifetime),
          all_of({share_above("later than three quarters of it", static_cast<std::size_t>(lives.not_soon),
                              died, 0.5),
                  share_above("earlier than five quarters", static_cast<std::size_t>(lives.not_late), died,
                              0.5)})};
}

Claim short_fan_ins(const Runs& runs) {
  return {"E: fan-ins of the first layer are much shorter than 1 (here: half of them below 0.5)",
          fmt::format("median at the end {}", range_text(runs, &RunMeasures::fan_in, "{:.2f}")),
          shown(runs, [](const RunMeasures& run) { return run.fan_in < 0.5; })};
}

std::vector<Claim> output_lengths(const Runs& runs) {
  constexpr double low = 3.5;
  constexpr double high = 4.5;
  constexpr double tenth = 0.1;
  const std::string measured =
      fmt::format("{:.2f} to {:.2f}, median {:.2f}", median_of(runs, &RunMeasures::output_low),
                  median_of(runs, &RunMeasures::output_high), median_of(runs, &RunMeasures::output_median));
  return {
      {"F: the output units' fan-ins end with lengths between 3.5 and 4.5 (here: all within a tenth of that)",
       measured,
       shown(runs,
             [](const RunMeasures& run) {
               return run.output_low > low * (1 - tenth) && run.output_high < high * (1 + tenth);
             })},
      {"F: they are longer than 1, which makes up for a second layer whose deviations stay below 1 (here: "
       "all "
       "of them)",
       measured, shown(runs, [](const RunMeasures& run) { return run.output_low > 1; })}};
}

/// Of runs that tell of it.
std::vector<Claim> second_layer(const Runs& runs) {
  if (!std::isfinite(runs.front().not_divided)) return {};
  return {
      {"F: the second layer's pre-activations end with deviations below 1 (here: CapNorm does not divide "
       "more than "
       "half of its units)",
       fmt::format("share of units {}", range_text(runs, &RunMeasures::not_divided, "{:.2f}")),
       shown(runs, [](const RunMeasures& run) { return run.not_divided > 0.5; })}};
}

std::vector<Claim> fading(const Runs& runs) {
  double faded = 0;
  double straight = 0;
  for (const RunMeasures& run : runs) {
    faded += run.faded;
    straight += run.straight;
  }
  if (!(faded > 0)) return {};
  return {
      {"E and F: fan-ins of units that do not stay shorten linearly (here: lengths correlate with epochs by "
       "more "
       "than 0.95, squared, of more than half of these units)",
       fmt::format("{:.0f} of {:.0f} units", straight, faded),
       share_above("", static_cast<std::size_t>(straight), static_cast<std::size_t>(faded), 0.5)}};
}

}  // namespace

std::vector<Claim> figure4_claims(const std::vector<RunMeasures>& runs, std::size_t lifetime) {
  const auto epochs = static_cast<double>(lifetime);
  const LifeMeasures lives = together(runs, &RunMeasures::first);
  return std::vector<Claim>{faster(runs), improves(runs), worsens(runs)} + losses(runs) +
         std::vector<Claim>{mistakes(runs),
                            first_elimination(runs, epochs),
                            shrinks_at_the_end(runs, epochs),
                            early_units_stay("D: ", lives),
                            die_in_time("D: ", lives, epochs),
                            short_fan_ins(runs)} +
         fading(runs) + output_lengths(runs) + second_layer(runs);
}

std::vector<Claim> figure5_claims(const std::vector<RunMeasures>& runs, std::size_t lifetime) {
  const LifeMeasures lives = together(runs, &RunMeasures::second);
  return {early_units_stay("as in the first layer, ", lives),
          die_in_time("", lives, static_cast<double>(lifetime))};
}

}  // namespace coppice::experiments
