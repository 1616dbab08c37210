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

using ValueOf = double(const NetResult&);

std::vector<double> values_of(std::span<const NetResult> nets, ValueOf* value) {
  std::vector<double> values(nets.size());
  std::ranges::transform(nets, values.begin(), value);
  return values;
}

Spread spread_over(std::span<const NetResult> nets, ValueOf* value) {
  return spread_of(values_of(nets, value));
}

double validation_of(const NetResult& net) {
  return net.validation_error;
}

double tested_error(const NetResult& net) {
  const double error = error_of(net);
  return std::isfinite(error) ? error : 1;
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
          .validation = spread_over(some, validation_of),
          .units = some[representative(some)].hidden_units,
          .failed = static_cast<std::size_t>(std::ranges::count(some, "failed", &NetResult::phase)),
          .test_errors = values_of(some, tested_error),
          .parameters = values_of(some, size_of)};
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

std::vector<double> lambdas_of(const TrainedNets& nets) {
  std::vector<double> lambdas;
  for (const NetResult& net : nets.summary.nets)
    if (std::ranges::find(lambdas, net.lambda) == lambdas.end()) lambdas.push_back(net.lambda);
  return lambdas;
}

std::string seeds_of_sets(const std::vector<std::pair<std::string, std::size_t>>& sets,
                          const std::string& each) {
  if (sets.empty()) return "";
  std::vector<std::string> others;
  for (const auto& [title, seeds] : sets)
    if (seeds != sets.front().second) others.push_back(fmt::format("{} on {}", seeds, title));
  return fmt::format("{} seeds {}{}", sets.front().second, each,
                     others.empty() ? "" : fmt::format(" ({})", joined(others, ", ")));
}

NetResult stored_net(const StoredEntry& stored, std::size_t row) {
  NetResult net;
  net.lambda = stored.number(row, "lambda");
  net.seed = stored.whole(row, "seed");
  net.hidden_units = stored.units(row);
  net.parameters = stored.whole(row, "parameters");
  net.train_loss = stored.number(row, "train_loss");
  net.validation_error = stored.number(row, "validation_error");
  net.test_error = stored.number(row, "test_error");
  net.epochs = stored.whole(row, "epochs");
  net.phase = stored.cell(row, "end");
  return net;
}

std::vector<Side> stored_sides(const StoredEntry& stored, const std::vector<std::string>& colours) {
  std::vector<Side> sides;
  for (std::size_t row = 1; row < stored.rows.size(); ++row) {
    const std::string& label = stored.cell(row, "what");
    auto side = std::ranges::find(sides, label, &Side::label);
    if (side == sides.end()) {
      Side& added =
          sides.emplace_back(Side{.label = label, .colour = colours.at(sides.size() % colours.size())});
      added.nets.provenance = stored.provenance(stored.cell(row, "run"));
      side = sides.end() - 1;
    }
    side->nets.summary.nets.push_back(stored_net(stored, row));
  }
  return sides;
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

std::string sizes_text(const std::vector<Pair>& pairs) {
  std::vector<std::string> parts;
  for (const Pair& pair : pairs)
    parts.push_back(fmt::format("lambda {:g}: {} and {}", pair.usual.lambda,
                                count_text(pair.usual.sizes.median), count_text(pair.other.sizes.median)));
  return joined(parts, "; ");
}

std::vector<Compared> compared(const std::vector<Pair>& pairs, std::vector<double> LambdaSummary::*values) {
  std::vector<Compared> all;
  for (const Pair& pair : pairs)
    all.push_back({fmt::format("lambda {:g}", pair.usual.lambda), pair.usual.*values, pair.other.*values});
  return all;
}

}  // namespace

Claim usual_is_better(const std::string& text, const std::vector<Pair>& pairs) {
  return {text, medians_text(pairs), lower_everywhere(compared(pairs, &LambdaSummary::test_errors))};
}

Claim both_are_alike(const std::string& text, const std::vector<Pair>& pairs) {
  constexpr double margin = 0.1;
  Judged errors = alike_everywhere(compared(pairs, &LambdaSummary::test_errors), margin);
  Judged sizes = alike_everywhere(compared(pairs, &LambdaSummary::parameters), margin);
  errors.test = "errors, " + errors.test;
  sizes.test = "parameters, " + sizes.test;
  return {text, fmt::format("errors {}; parameters {}", medians_text(pairs), sizes_text(pairs)),
          all_of({errors, sizes})};
}

}  // namespace coppice::experiments
