#include "coppice/core/spread.h"
#include "coppice/report/html.h"

#include "experiments/figure4.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// Mean over the epochs (from, to], counted from 1.
double mean_error(const NetHistory& history, std::size_t from, std::size_t to) {
  double sum = 0;
  double count = 0;
  for (const EpochRow& row : history.epochs) {
    if (row.epoch <= from || row.epoch > to) continue;
    sum += row.validation_error;
    ++count;
  }
  return count > 0 ? sum / count : std::nan("");
}

/// Lowest mean over ten epochs in a row, and the epoch it ends with.
std::pair<double, std::size_t> lowest_mean(const NetHistory& history) {
  constexpr std::size_t window = 10;
  std::pair<double, std::size_t> lowest{INFINITY, 0};
  for (std::size_t end = window; end <= history.last_epoch(); ++end)
    lowest = std::min(lowest, {mean_error(history, end - window, end), end});
  return lowest;
}

/// First epoch with an error of at most that, or the last.
std::size_t reached(const NetHistory& history, double error) {
  for (const EpochRow& row : history.epochs)
    if (row.validation_error <= error) return row.epoch;
  return history.last_epoch();
}

std::size_t units_after(const NetHistory& history, std::size_t epoch, std::size_t layer) {
  return history.epochs[std::min(epoch, history.epochs.size()) - 1].hidden_units[layer];
}

std::size_t first_death(const NetHistory& history) {
  std::size_t first = history.last_epoch();
  for (std::size_t l = 0; l < history.lives.layers(); ++l)
    for (const Life& life : history.lives.layer(l))
      if (life.fate == Fate::died) first = std::min(first, life.end);
  return first;
}

Claim faster(const Figure4& figure) {
  // An error that all three reach.
  double target = 0;
  for (const NetHistory* history : {&figure.run.history, &figure.sgd.history, &figure.rmsprop.history})
    target = std::max(target, 1.2 * lowest_mean(*history).first);
  const std::size_t own = reached(figure.run.history, target);
  const std::size_t sgd = reached(figure.sgd.history, target);
  const std::size_t rmsprop = reached(figure.rmsprop.history, target);
  return {
      "A: parametric nets reach a good accuracy faster, because the nonparametric one waits for its units",
      fmt::format("a validation error of {:.2f} % after {} epochs; SGD: {}, {}: {}", 100 * target, own, sgd,
                  figure.rmsprop.label, rmsprop),
      own > sgd && own > rmsprop};
}

Claim improves(const Figure4& figure) {
  const std::size_t last = figure.run.history.last_epoch();
  const double before = mean_error(figure.run.history, last / 4, last / 2);
  const double after = mean_error(figure.run.history, 3 * last / 4, last);
  return {"A: the nonparametric net's validation error goes on improving slowly for many epochs",
          fmt::format("mean of the second quarter of the epochs {:.3f} %, of the last {:.3f} %", 100 * before,
                      100 * after),
          after < before};
}

Claim worsens(const Figure4& figure) {
  const NetHistory& history = figure.rmsprop.history;
  const std::size_t last = history.last_epoch();
  const auto [lowest, epoch] = lowest_mean(history);
  const double end = mean_error(history, last - last / 10, last);
  return {"A: unregularised parametric nets tend to a slightly increasing validation error in the long run",
          fmt::format("lowest mean over ten epochs {:.3f} % (epoch {}), last tenth {:.3f} %", 100 * lowest,
                      epoch, 100 * end),
          end > lowest && epoch + last / 10 < last};
}

Claim near_zero(const Figure4& figure) {
  const double own = figure.run.history.epochs.back().train_loss;
  const double sgd = figure.sgd.history.epochs.back().train_loss;
  const double rmsprop = figure.rmsprop.history.epochs.back().train_loss;
  return {
      "B: parametric nets end with a training cross-entropy near zero (about 1e-6 without, 1e-4 with the "
      "penalty), the "
      "nonparametric one does not (here: it ends at least ten times higher than both)",
      fmt::format("nonparametric {:.2g}, {} {:.2g}, SGD {:.2g}", own, figure.rmsprop.label, rmsprop, sgd),
      own > 10 * sgd && own > 10 * rmsprop};
}

Claim mistakes(const Figure4& figure) {
  return {
      "B: at the end the parametric nets make no mistake on the training rows, the nonparametric one about "
      "30 of 50,000 (here: more "
      "than they, and below 0.2 %)",
      fmt::format("of {} rows: nonparametric {}, {} {}, SGD {}", count_text(figure.training_rows),
                  figure.run.mistakes, figure.rmsprop.label, figure.rmsprop.mistakes, figure.sgd.mistakes),
      figure.run.mistakes > std::max(figure.rmsprop.mistakes, figure.sgd.mistakes) &&
          static_cast<double>(figure.run.mistakes) < 0.002 * static_cast<double>(figure.training_rows)};
}

Claim no_early_deaths(const Figure4& figure) {
  const std::size_t first = first_death(figure.run.history);
  return {
      fmt::format("C: for about {} epochs no unit is eliminated (here: for 80 % of that)", figure.lifetime),
      fmt::format("first elimination in epoch {}", first),
      static_cast<double>(first) >= 0.8 * static_cast<double>(figure.lifetime)};
}

Claim shrinks_at_the_end(const Figure4& figure) {
  const std::size_t lifetime = figure.lifetime;
  const std::size_t later = figure.epochs + lifetime + lifetime / 5;
  std::vector<double> lost;
  for (std::size_t l = 0; l < 2; ++l)
    lost.push_back(static_cast<double>(units_after(figure.run.history, figure.epochs, l)) -
                   static_cast<double>(units_after(figure.run.history, later, l)));
  const auto fits = [&](double units) {
    return units > 0.6 * static_cast<double>(lifetime) && units < 1.4 * static_cast<double>(lifetime);
  };
  return {fmt::format("C: once no units are added, each layer loses about {} units in about {} epochs (here: "
                      "within 40 %)",
                      lifetime, lifetime),
          fmt::format("{} and {} units in {} epochs", lost[0], lost[1], later - figure.epochs),
          fits(lost[0]) && fits(lost[1])};
}

/// Of panel D, and of figure 5 for the second layer; `begin`: its first words.
Claim early_units_stay(const char* begin, const std::vector<Life>& lives, std::size_t epochs) {
  const Survival survival = survival_of(lives, epochs);
  return {fmt::format("{}units are the more likely to stay the earlier they are added", begin),
          fmt::format("of those added in the first fifth {:.1f} % stay, of the last fifth {:.1f} %",
                      100 * survival.early, 100 * survival.late),
          survival.early > survival.late};
}

Claim die_in_time(const char* begin, const std::vector<Life>& lives, std::size_t lifetime) {
  const Spread lived = spread_of(epochs_lived(lives, Fate::died));
  const auto expected = static_cast<double>(lifetime);
  return {fmt::format("{}units that do not stay are gone after about {} epochs (here: the median is within "
                      "a quarter of it)",
                      begin, lifetime),
          fmt::format("median {:.0f} epochs", lived.median),
          lived.median > 0.75 * expected && lived.median < 1.25 * expected};
}

Claim short_fan_ins(const Figure4& figure) {
  std::vector<double> lengths;
  for (const LengthsRow& row : figure.run.history.lengths)
    if (row.layer == 0) lengths = row.fan_in;
  const Spread spread = spread_of(lengths);
  return {"E: fan-ins of the first layer are much shorter than 1 (here: half of them below 0.5)",
          fmt::format("at the end median {:.2f} ({:.2f} to {:.2f})", spread.median, spread.low, spread.high),
          spread.median < 0.5};
}

Claim output_lengths(const Figure4& figure) {
  const Spread spread = spread_of(figure.output_lengths);
  return {
      "F: the output units' fan-ins end with lengths between 3.5 and 4.5, which makes up for a second layer "
      "whose deviations stay "
      "below 1 (here: all longer than 1)",
      fmt::format("median {:.2f} ({:.2f} to {:.2f})", spread.median, spread.low, spread.high),
      spread.low > 1};
}

}  // namespace

std::vector<double> epochs_lived(const std::vector<Life>& lives, Fate fate) {
  std::vector<double> epochs;
  for (const Life& life : lives) {
    if (life.fate == fate) epochs.push_back(static_cast<double>(life.end - life.born));
  }
  return epochs;
}

Survival survival_of(const std::vector<Life>& lives, std::size_t growing_epochs) {
  const auto share = [&](std::size_t from, std::size_t to) {
    double born = 0;
    double survived = 0;
    for (const Life& life : lives) {
      if (life.born < from || life.born > to) continue;
      ++born;
      if (life.fate == Fate::survived) ++survived;
    }
    return born > 0 ? survived / born : std::nan("");
  };
  const std::size_t fifth = growing_epochs / 5;
  return {.early = share(1, fifth), .late = share(growing_epochs - fifth + 1, growing_epochs)};
}

std::vector<Claim> figure4_claims(const Figure4& figure) {
  const std::vector<Life>& lives = figure.run.history.lives.layer(0);
  return {faster(figure),
          improves(figure),
          worsens(figure),
          near_zero(figure),
          mistakes(figure),
          no_early_deaths(figure),
          shrinks_at_the_end(figure),
          early_units_stay("D: ", lives, figure.epochs),
          die_in_time("D: ", lives, figure.lifetime),
          short_fan_ins(figure),
          output_lengths(figure)};
}

std::vector<Claim> figure5_claims(const Figure4& figure) {
  const std::vector<Life>& lives = figure.run.history.lives.layer(1);
  return {early_units_stay("as in the first layer, ", lives, figure.epochs),
          die_in_time("", lives, figure.lifetime)};
}

}  // namespace coppice::experiments
