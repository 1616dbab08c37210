#include "experiments/comparison.h"

#include "coppice/core/text.h"
#include "coppice/report/html.h"
#include "coppice/search/trial.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

double size_of(const NetResult& net) {
  return static_cast<double>(net.parameters);
}

double error_of(const NetResult& net) {
  return net.test_error.value_or(net.validation_error);
}

Spread spread_over(std::span<const NetResult> nets, double (*value)(const NetResult&)) {
  std::vector<double> values(nets.size());
  std::ranges::transform(nets, values.begin(), value);
  return spread_of(values);
}

}  // namespace

std::size_t representative(std::span<const NetResult> nets) {
  const Spread sizes = spread_over(nets, size_of);
  const Spread errors = spread_over(nets, error_of);
  // Both distances in units of what varies between seeds.
  const auto share = [](double value, const Spread& spread) {
    return spread.high > spread.low ? std::abs(value - spread.median) / (spread.high - spread.low) : 0.0;
  };
  const auto nearest = std::ranges::min_element(nets, {}, [&](const NetResult& net) {
    const double distance = share(size_of(net), sizes) + share(error_of(net), errors);
    return std::isnan(distance) ? INFINITY : distance;  // a net that diverged is typical of nothing
  });
  return static_cast<std::size_t>(nearest - nets.begin());
}

LambdaSummary summary_of(const TrainedNets& nets, double lambda) {
  const std::vector<NetResult> some = nets.of_lambda(lambda);
  return {.lambda = lambda,
          .sizes = spread_over(some, size_of),
          .errors = spread_over(some, error_of),
          .units = some[representative(some)].hidden_units,
          .failed = static_cast<std::size_t>(std::ranges::count(some, "failed", &NetResult::phase))};
}

std::string errors_text(const Spread& errors) {
  return fmt::format("{} ({} to {})", share_text(errors.median), share_text(errors.low),
                     share_text(errors.high));
}

std::vector<Mark> marks_of(const Side& side, const std::vector<double>& lambdas) {
  std::vector<Mark> marks;
  for (const double lambda : lambdas) {
    const LambdaSummary summary = summary_of(side.nets, lambda);
    marks.push_back({.colour = side.colour,
                     .size = summary.sizes.median,
                     .error = summary.errors.median,
                     .sizes = summary.sizes,
                     .errors = summary.errors,
                     .label = fmt::format("({})", size_text(summary.units))});
  }
  return marks;
}

Rows net_rows(const std::vector<Side>& sides) {
  Rows rows{Cells{"run", "what", "lambda", "seed", "units"} + outcome_names};
  for (const Side& side : sides) {
    for (const NetResult& net : side.nets.summary.nets) {
      rows.push_back(Cells{side.nets.provenance.name, side.label, fmt::format("{:g}", net.lambda),
                           std::to_string(net.seed), size_text(net.hidden_units)} +
                     outcome_cells(net));
    }
  }
  return rows;
}

std::string comparison_table(const std::vector<Side>& sides, const std::vector<double>& lambdas) {
  Rows rows{{"lambda", "", "units", "parameters, median", "test error, median (range)", "failed"}};
  for (const double lambda : lambdas) {
    for (const Side& side : sides) {
      const LambdaSummary summary = summary_of(side.nets, lambda);
      rows.push_back({fmt::format("{:g}", lambda), side.label, size_text(summary.units),
                      count_text(summary.sizes.median), errors_text(summary.errors),
                      std::to_string(summary.failed)});
    }
  }
  return markdown_table(rows);
}

std::vector<Pair> pairs_of(const std::vector<Side>& two, const std::vector<double>& lambdas) {
  std::vector<Pair> pairs;
  for (const double lambda : lambdas)
    pairs.push_back({summary_of(two.at(0).nets, lambda), summary_of(two.at(1).nets, lambda)});
  return pairs;
}

namespace {

/// "lambda 0.003: 1.95 % and 1.99 %; ...".
std::string medians_text(const std::vector<Pair>& pairs) {
  std::vector<std::string> parts;
  for (const Pair& pair : pairs)
    parts.push_back(fmt::format("lambda {:g}: {} and {}", pair.usual.lambda,
                                share_text(pair.usual.errors.median), share_text(pair.other.errors.median)));
  return joined(parts, "; ");
}

}  // namespace

Claim usual_is_better(const std::string& claim, const std::vector<Pair>& pairs) {
  return {claim, medians_text(pairs),
          std::ranges::all_of(pairs, [](const Pair& pair) { return pair.more() > 0; })};
}

Claim both_are_alike(const std::string& claim, const std::vector<Pair>& pairs) {
  return {claim, medians_text(pairs),
          std::ranges::all_of(pairs, [](const Pair& pair) { return std::abs(pair.more()) < 0.1; })};
}

}  // namespace coppice::experiments
