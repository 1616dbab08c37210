#include "coppice/core/fail.h"
#include "coppice/core/spread.h"
#include "coppice/core/text.h"

#include "experiments/figure4.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

// The numbers that claims about the analysed run are judged by: taken from journals and nets, written, read again.
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

constexpr double soon = 0.75;
constexpr double late = 1.25;

struct NamedMeasure {
  const char* name;
  double RunMeasures::*value;
};
constexpr std::array<NamedMeasure, 27> named{
    {{"target error", &RunMeasures::target},
     {"epochs to it", &RunMeasures::reached},
     {"epochs to it, SGD", &RunMeasures::sgd_reached},
     {"epochs to it, RMSprop", &RunMeasures::rmsprop_reached},
     {"error, second quarter", &RunMeasures::early_error},
     {"error, last quarter", &RunMeasures::late_error},
     {"error, second twentieth, RMSprop", &RunMeasures::rmsprop_early_error},
     {"error, last tenth, RMSprop", &RunMeasures::rmsprop_late_error},
     {"validation rows", &RunMeasures::validation_rows},
     {"final loss", &RunMeasures::loss},
     {"final loss, SGD", &RunMeasures::sgd_loss},
     {"final loss, RMSprop", &RunMeasures::rmsprop_loss},
     {"training rows", &RunMeasures::training_rows},
     {"mistakes", &RunMeasures::mistakes},
     {"mistakes, SGD", &RunMeasures::sgd_mistakes},
     {"mistakes, RMSprop", &RunMeasures::rmsprop_mistakes},
     {"first elimination", &RunMeasures::first_death},
     {"units lost after growth, layer 1", &RunMeasures::lost},
     {"units lost after growth, layer 2", &RunMeasures::lost_2},
     {"epochs in which they were lost", &RunMeasures::lost_epochs},
     {"fan-in length, layer 1", &RunMeasures::fan_in},
     {"output fan-in length, shortest", &RunMeasures::output_low},
     {"output fan-in length, median", &RunMeasures::output_median},
     {"output fan-in length, longest", &RunMeasures::output_high},
     {"units not divided, layer 2", &RunMeasures::not_divided},
     {"units that faded", &RunMeasures::faded},
     {"units that faded in a line", &RunMeasures::straight}}};

struct NamedLife {
  const char* name;
  double LifeMeasures::*value;
};
constexpr std::array<NamedLife, 8> named_lives{{{"early born", &LifeMeasures::early_born},
                                                {"early born that stayed", &LifeMeasures::early_stayed},
                                                {"late born", &LifeMeasures::late_born},
                                                {"late born that stayed", &LifeMeasures::late_stayed},
                                                {"died", &LifeMeasures::died},
                                                {"died not soon", &LifeMeasures::not_soon},
                                                {"died not late", &LifeMeasures::not_late},
                                                {"median lifetime", &LifeMeasures::median_lifetime}}};

/// Calls body(name, value) for every number of a run.
template <class Run, class Body>
void for_measures(Run& run, bool lives_alone, const Body& body) {
  if (!lives_alone)
    for (const auto& [name, value] : named) body(std::string(name), run.*value);
  for (const auto& [name, value] : named_lives) {
    body(fmt::format("layer 1, {}", name), run.first.*value);
    body(fmt::format("layer 2, {}", name), run.second.*value);
  }
}

/// Units of both layers that came while training, stayed a while and died: how their fan-ins' lengths fell.
void measure_fading(const NetHistory& history, RunMeasures& measures) {
  constexpr double line = 0.95;
  measures.faded = 0;
  measures.straight = 0;
  for (std::size_t l = 0; l < history.lives.layers(); ++l) {
    for (const Life& life : history.lives.layer(l)) {
      if (life.fate != Fate::died || life.born == 0) continue;
      std::vector<double> epochs;
      std::vector<double> lengths;
      for (const LengthsRow& row : history.lengths) {
        if (row.layer != l || row.epoch < life.born || row.epoch > life.end) continue;
        const auto unit = std::ranges::find(row.units, life.unit);
        if (unit == row.units.end()) continue;
        epochs.push_back(static_cast<double>(row.epoch));
        lengths.push_back(row.fan_in[static_cast<std::size_t>(unit - row.units.begin())]);
      }
      const double straight = straightness(epochs, lengths);
      if (!std::isfinite(straight)) continue;
      ++measures.faded;
      measures.straight += straight > line && lengths.back() < lengths.front() ? 1 : 0;
    }
  }
}

}  // namespace

double straightness(const std::vector<double>& x, const std::vector<double>& y) {
  constexpr std::size_t least = 3;
  if (x.size() < least) return std::nan("");
  const auto count = static_cast<double>(x.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / count;
    mean_y += y[i] / count;
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  return xx > 0 && yy > 0 ? xy * xy / (xx * yy) : std::nan("");
}

std::vector<double> epochs_lived(const std::vector<Life>& lives, Fate fate) {
  std::vector<double> epochs;
  for (const Life& life : lives) {
    if (life.fate == fate) epochs.push_back(static_cast<double>(life.end - life.born));
  }
  return epochs;
}

LifeMeasures measures_of(const std::vector<Life>& lives, std::size_t growing_epochs, std::size_t lifetime) {
  LifeMeasures measures;
  const std::size_t fifth = growing_epochs / 5;
  for (const Life& life : lives) {
    const double stayed = life.fate == Fate::survived ? 1 : 0;
    if (life.born >= 1 && life.born <= fifth) {
      ++measures.early_born;
      measures.early_stayed += stayed;
    }
    if (life.born > growing_epochs - fifth && life.born <= growing_epochs) {
      ++measures.late_born;
      measures.late_stayed += stayed;
    }
  }
  const std::vector<double> lived = epochs_lived(lives, Fate::died);
  const auto expected = static_cast<double>(lifetime);
  measures.died = static_cast<double>(lived.size());
  for (const double epochs : lived) {
    measures.not_soon += epochs > soon * expected ? 1 : 0;
    measures.not_late += epochs < late * expected ? 1 : 0;
  }
  measures.median_lifetime = spread_of(lived).median;
  return measures;
}

RunMeasures life_measures(const NetWithHistory& run, std::size_t epochs, std::size_t lifetime) {
  RunMeasures measures;
  measures.seed = run.nets.summary.nets.empty() ? 0 : static_cast<double>(run.net().seed);
  measures.first = measures_of(run.history.lives.layer(0), epochs, lifetime);
  measures.second = measures_of(run.history.lives.layer(1), epochs, lifetime);
  return measures;
}

RunMeasures measures_of(const Figure4& figure) {
  RunMeasures all = life_measures(figure.run, figure.epochs, figure.lifetime);
  const NetHistory& run = figure.run.history;
  const NetHistory& sgd = figure.sgd.history;
  const NetHistory& rmsprop = figure.rmsprop.history;
  for (const NetHistory* history : {&run, &sgd, &rmsprop})
    all.target = std::max(all.target, 1.2 * lowest_mean(*history).first);
  all.reached = static_cast<double>(reached(run, all.target));
  all.sgd_reached = static_cast<double>(reached(sgd, all.target));
  all.rmsprop_reached = static_cast<double>(reached(rmsprop, all.target));
  const std::size_t last = run.last_epoch();
  all.early_error = mean_error(run, last / 4, last / 2);
  all.late_error = mean_error(run, 3 * last / 4, last);
  const std::size_t rmsprop_last = rmsprop.last_epoch();
  all.rmsprop_early_error = mean_error(rmsprop, rmsprop_last / 20, rmsprop_last / 10);
  all.rmsprop_late_error = mean_error(rmsprop, rmsprop_last - rmsprop_last / 10, rmsprop_last);
  all.validation_rows = static_cast<double>(figure.validation_rows);
  all.loss = run.epochs.back().train_loss;
  all.sgd_loss = sgd.epochs.back().train_loss;
  all.rmsprop_loss = rmsprop.epochs.back().train_loss;
  all.training_rows = static_cast<double>(figure.training_rows);
  all.mistakes = static_cast<double>(figure.run.mistakes);
  all.sgd_mistakes = static_cast<double>(figure.sgd.mistakes);
  all.rmsprop_mistakes = static_cast<double>(figure.rmsprop.mistakes);
  all.first_death = static_cast<double>(first_death(run));
  const std::size_t later = figure.epochs + figure.lifetime + figure.lifetime / 5;
  const auto lost = [&](std::size_t layer) {
    return static_cast<double>(units_after(run, figure.epochs, layer)) -
           static_cast<double>(units_after(run, later, layer));
  };
  all.lost = lost(0);
  all.lost_2 = lost(1);
  all.lost_epochs = static_cast<double>(later - figure.epochs);
  for (const LengthsRow& row : run.lengths)
    if (row.layer == 0) all.fan_in = spread_of(row.fan_in).median;
  const Spread output = spread_of(figure.output_lengths);
  all.output_low = output.low;
  all.output_median = output.median;
  all.output_high = output.high;
  if (figure.not_divided.size() > 1) all.not_divided = figure.not_divided[1];
  measure_fading(run, all);
  return all;
}

Rows measure_rows(const std::vector<RunMeasures>& runs, bool lives_alone) {
  Rows rows;
  for (const RunMeasures& run : runs) {
    for_measures(run, lives_alone, [&](const std::string& name, double value) {
      rows.push_back({"claims", name, fmt::format("{:g}", run.seed), csv_number(value, 5)});
    });
  }
  return rows;
}

std::vector<RunMeasures> stored_measures(const StoredEntry& stored) {
  std::vector<RunMeasures> runs;
  for (std::size_t row = 1; row < stored.rows.size(); ++row) {
    if (stored.cell(row, "panel") != "claims") continue;
    const double seed = stored.number(row, "x");
    if (runs.empty() || runs.back().seed != seed) runs.push_back({.seed = seed});
    for_measures(runs.back(), false, [&](const std::string& name, double& value) {
      if (name == stored.cell(row, "series")) value = stored.number(row, "y");
    });
  }
  if (runs.empty()) fail("the stored data holds no rows that claims are judged by; make the entry anew");
  return runs;
}

}  // namespace coppice::experiments
