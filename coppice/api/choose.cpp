#include "coppice/api/choose.h"

#include "coppice/core/text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

std::size_t counted_bytes(const Summary& summary, const NetResult& net) {
  return summary.bytes_for == BytesFor::model ? net.bytes : net.flash;
}

/// Taught, to the end.
bool has_learned(const NetResult& net) {
  return net.taught && net.phase == "done";
}

/// Whether nets are compared with this one: on the rows that the first fold validates on, so that those of other folds are
/// not, or as nets that were taught, if there are some.
std::vector<bool> compared(const Summary& summary) {
  const bool taught = std::ranges::any_of(summary.nets, has_learned);
  std::vector<bool> result;
  for (const NetResult& net : summary.nets)
    result.push_back(taught ? has_learned(net) : net.fold == 0 && !net.taught);
  return result;
}

/// Nets that are not compared are no candidates. The loss of an
/// average is the average of the losses less what the nets disagree by, so an ensemble, of which the best net of each fold
/// is a part, counts as a shade better than the best; and so does a net that went on with more rows than the one it was.
std::vector<Candidate> candidates_of(const Summary& summary) {
  constexpr double a_shade = 1e-9;
  std::vector<Candidate> nets;
  double best = HUGE_VAL;
  const std::vector<bool> counts = compared(summary);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const NetResult& net = summary.nets[i];
    const bool by_loss = summary.metric == Metric::log_loss && net.log_loss;
    const bool ties = summary.break_ties && !by_loss && net.log_loss;
    const double error = by_loss ? *net.log_loss : net.validation_error;
    const double deviation = by_loss ? net.log_loss_deviation : net.standard_error;
    Candidate candidate{.error = net.criterion.value_or(error),
                        .standard_error = net.criterion ? net.criterion_deviation : deviation,
                        .tie = ties ? *net.log_loss : 0,
                        .parameters = net.parameters,
                        .bytes = counted_bytes(summary, net)};
    if (net.refit) candidate.error *= 1 - a_shade;
    if (!net.members.empty()) candidate.error = std::min(candidate.error, best * (1 - a_shade));
    if (!counts[i]) candidate.error = HUGE_VAL;
    if (std::isfinite(candidate.error)) best = std::min(best, candidate.error);
    nets.push_back(candidate);
  }
  return nets;
}

/// Whether the nets differ by their seeds alone.
bool alike(const NetResult& a, const NetResult& b) {
  const bool same_size = a.hidden_units == b.hidden_units && a.inputs == b.inputs && a.seed != b.seed;
  return a.lambda == b.lambda && a.kind == b.kind && (a.lambda > 0 || a.kind == NetKind::grown || same_size);
}

}  // namespace

void mark_dominated(Summary& summary) {
  const std::vector<bool> beaten = dominated(candidates_of(summary));
  const std::vector<bool> counts = compared(summary);
  for (std::size_t i = 0; i < beaten.size(); ++i) summary.nets[i].dominated = beaten[i] || !counts[i];
}

void choose(Summary& summary) {
  mark_dominated(summary);
  const std::vector<Candidate> nets = candidates_of(summary);
  Budget budget;
  budget.parameters = summary.max_parameters.value_or(budget.parameters);
  budget.bytes = summary.max_bytes.value_or(budget.bytes);
  summary.best = pick(nets, Pick::best, {}).value();
  summary.chosen = pick(nets, summary.pick, budget);
}

std::string nothing_fits(const Summary& summary) {
  const NetResult& smallest = summary.nets[smallest_net(candidates_of(summary))];
  std::vector<std::string> limits;
  if (summary.max_parameters) limits.push_back(fmt::format("`max-parameters` {}", *summary.max_parameters));
  const bool file = summary.bytes_for == BytesFor::model;
  if (summary.max_bytes) {
    const std::string what = file ? "" : fmt::format(" `for` {}", name_of(summary.bytes_for));
    limits.push_back(fmt::format("`max-bytes` {}{}", *summary.max_bytes, what));
  }
  const bool can_shrink =
      std::ranges::any_of(smallest.hidden_units, [](std::size_t units) { return units > 1; });
  const std::string smaller = smallest.lambda > 0
                                  ? fmt::format("a larger `lambda` than {:.3g}", smallest.lambda)
                                  : "a smaller `fixed-size`";  // nets without a penalty are of fixed size
  return fmt::format("no net fits {}: the smallest, net {}, has {} parameters and {} bytes; allow as many{}",
                     joined(limits, " and "), smallest.id, smallest.parameters,
                     counted_bytes(summary, smallest),
                     can_shrink ? " or give " + smaller : ": it has one unit per layer already");
}

bool on_path(const Summary& summary, const NetResult& net) {
  const auto taught = std::ranges::find_if(summary.nets, has_learned);
  const NetResult& first = taught == summary.nets.end() ? summary.nets.front() : *taught;
  return net.taught == first.taught && net.fold == 0 && net.beginning == 0 && net.members.empty() &&
         !net.refit && net.bins == first.bins && net.hidden_units.size() == first.hidden_units.size();
}

std::vector<FrontPoint> points_of(const Summary& summary) {
  std::vector<FrontPoint> points;
  for (std::size_t i = 0; i < summary.nets.size(); ++i) {
    const NetResult& net = summary.nets[i];
    if (net.refit || net.beginning > 0 || (net.kind == NetKind::grown && !on_path(summary, net))) continue;
    auto point = std::ranges::find_if(
        points, [&](const FrontPoint& other) { return alike(summary.nets[other.nets.front()], net); });
    if (point == points.end()) {
      points.push_back({.lambda = net.lambda,
                        .kind = net.kind,
                        .nets = {},
                        .parameters = {},
                        .validation_error = {},
                        .test_error = std::nullopt});
      point = points.end() - 1;
    }
    point->nets.push_back(i);
  }
  for (FrontPoint& point : points) {
    std::vector<double> parameters;
    std::vector<double> errors;
    std::vector<double> tests;
    for (const std::size_t i : point.nets) {
      const NetResult& net = summary.nets[i];
      parameters.push_back(static_cast<double>(net.parameters));
      errors.push_back(net.validation_error);
      if (net.test_error) tests.push_back(*net.test_error);
    }
    point.parameters = spread_of(std::move(parameters));
    point.validation_error = spread_of(std::move(errors));
    if (!tests.empty()) point.test_error = spread_of(std::move(tests));
  }
  return points;
}

}  // namespace coppice
