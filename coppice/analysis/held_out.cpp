#include "coppice/analysis/held_out.h"

#include "coppice/core/elementary.h"
#include "coppice/core/text.h"
#include "coppice/data/weights.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {

namespace {

constexpr int digits = 4;  // of the numbers that a model keeps

double rounded_up(double value) {
  const double near = rounded_to(value, digits);
  if (near >= value) return near;
  return rounded_to(value + elementary::pow(10.0, std::floor(elementary::log10(value)) - digits + 1) / 2,
                    digits);
}

/// A row's answer, if it is a number, how wrong it is, and how much it counts.
struct HeldOut {
  double answer = 0;
  double score = 0;
  double weight = 1;
};

std::vector<HeldOut> held_out(const Answers& answers, const ModelParts& model) {
  std::vector<HeldOut> rows;
  for (std::size_t i = 0; i < answers.scores.rows(); ++i) {
    HeldOut row;
    row.weight = weight_at(answers.known.weights, static_cast<std::uint32_t>(i));
    if (row.weight == 0) continue;
    if (model.encoding.task == Task::regression) {
      row.answer = answers.scores(i, 0);
      row.score = std::abs(row.answer - answers.known.targets[i]);
    } else {
      const std::vector<double> p = probabilities(answers.scores.row(i), model.temperature);
      const std::uint32_t label = answers.known.labels[i];
      row.score = surprise(label < p.size() ? p[label] : 0);
    }
    rows.push_back(row);
  }
  return rows;
}

struct Means {
  double weight = 0;
  double answer = 0;
  double score = 0;
};

Means means_of(std::span<const HeldOut> rows) {
  Means means;
  for (const HeldOut& row : rows) {
    means.weight += row.weight;
    means.answer += row.weight * row.answer;
    means.score += row.weight * row.score;
  }
  means.answer /= means.weight;
  means.score /= means.weight;
  return means;
}

/// Errors often grow with the answer, or are least in its middle: the mean error of each fifth of the rows, by their answers.
/// Few rows are helped by some of all.
void fit_spread(Conformity& conformity, std::vector<HeldOut> rows) {
  constexpr std::size_t parts = 5;
  constexpr double helped_by = 20;
  const double overall = means_of(rows).score;
  if (overall == 0) return;
  std::ranges::stable_sort(rows, {}, &HeldOut::answer);
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t first = part * rows.size() / parts;
    const std::size_t end = (part + 1) * rows.size() / parts;
    if (first == end) continue;
    const Means means = means_of(std::span(rows).subspan(first, end - first));
    const auto count = static_cast<double>(end - first);
    const double answer = rounded_to(means.answer, digits);
    if (!conformity.answers.empty() && answer <= conformity.answers.back()) continue;
    conformity.answers.push_back(answer);
    conformity.errors.push_back(
        rounded_to((count * means.score + helped_by * overall) / (count + helped_by), digits));
  }
}

/// As many rows of equal weights would tell as much.
std::size_t effective_rows(std::span<const HeldOut> rows) {
  double sum = 0;
  double squares = 0;
  for (const HeldOut& row : rows) {
    sum += row.weight;
    squares += row.weight * row.weight;
  }
  constexpr double rounding = 1e-6;
  return static_cast<std::size_t>(sum * sum / squares + rounding);
}

}  // namespace

Conformity conformity_of(const Answers& answers, const ModelParts& model) {
  std::vector<HeldOut> rows = held_out(answers, model);
  const auto finite = [](const HeldOut& row) { return std::isfinite(row.score); };
  if (rows.empty() || !std::ranges::all_of(rows, finite)) return {};
  Conformity conformity;
  conformity.rows = effective_rows(rows);
  if (model.encoding.task == Task::regression) fit_spread(conformity, rows);
  for (HeldOut& row : rows) row.score /= conformity.spread(row.answer);
  std::ranges::stable_sort(rows, {}, &HeldOut::score);
  const double all = std::accumulate(rows.begin(), rows.end(), 0.0,
                                     [](double sum, const HeldOut& row) { return sum + row.weight; });
  constexpr double rounding = 1e-9;
  double below = 0;
  std::size_t at = 0;
  for (const std::size_t rank : kept_ranks(conformity.rows)) {
    const double share = static_cast<double>(rank) / static_cast<double>(conformity.rows);
    while (at + 1 < rows.size() && below + rows[at].weight < all * (share - rounding))
      below += rows[at++].weight;
    conformity.scores.push_back(rounded_up(rows[at].score));
  }
  return conformity;
}

}  // namespace coppice
