#include "coppice/reproduce/comparison.h"

#include "coppice/core/text.h"
#include "coppice/report/html.h"
#include "coppice/report/table.h"
#include "coppice/search/trial.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::reproduce {

std::size_t representative(std::span<const NetResult> nets) {
  std::vector<double> sizes;
  std::vector<double> errors;
  for (const NetResult& net : nets) {
    sizes.push_back(static_cast<double>(net.parameters));
    errors.push_back(net.test_error.value_or(net.validation_error));
  }
  const Spread size = spread_of(sizes);
  const Spread error = spread_of(errors);
  // Both distances in units of what varies between seeds.
  const auto share = [](double value, const Spread& spread) {
    return spread.high > spread.low ? std::abs(value - spread.median) / (spread.high - spread.low) : 0.0;
  };
  std::size_t nearest = 0;
  double least = INFINITY;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    const double distance = share(sizes[i], size) + share(errors[i], error);
    if (distance < least) {
      least = distance;
      nearest = i;
    }
  }
  return nearest;
}

Group group_of(const TrainedNets& nets, double lambda) {
  const std::vector<NetResult> some = nets.of_lambda(lambda);
  std::vector<double> sizes;
  std::vector<double> errors;
  Group group{.lambda = lambda, .sizes = {}, .errors = {}, .units = {}};
  for (const NetResult& net : some) {
    sizes.push_back(static_cast<double>(net.parameters));
    errors.push_back(net.test_error.value_or(net.validation_error));
    if (net.phase == "failed") ++group.failed;
  }
  group.sizes = spread_of(sizes);
  group.errors = spread_of(errors);
  if (!some.empty()) group.units = some[representative(some)].hidden_units;
  return group;
}

std::string errors_text(const Spread& errors) {
  return fmt::format("{} ({} to {})", share_text(errors.median), share_text(errors.low),
                     share_text(errors.high));
}

std::vector<Mark> marks_of(const Side& side, const std::vector<double>& lambdas) {
  std::vector<Mark> marks;
  for (const double lambda : lambdas) {
    const Group group = group_of(side.nets, lambda);
    marks.push_back({.colour = side.colour,
                     .size = group.sizes.median,
                     .error = group.errors.median,
                     .sizes = group.sizes,
                     .errors = group.errors,
                     .label = fmt::format("({})", size_text(group.units))});
  }
  return marks;
}

std::vector<std::vector<std::string>> net_rows(const std::vector<Side>& sides) {
  std::vector<std::vector<std::string>> rows{{"run", "what", "lambda", "seed", "units", "parameters",
                                              "train_loss", "validation_error", "test_error", "epochs",
                                              "end"}};
  for (const Side& side : sides) {
    for (const NetResult& net : side.nets.summary.nets) {
      rows.push_back({side.nets.origin.name, side.label, fmt::format("{:g}", net.lambda),
                      std::to_string(net.seed), size_text(net.hidden_units), std::to_string(net.parameters),
                      csv_number(net.train_loss), csv_number(net.validation_error),
                      csv_number(net.test_error.value_or(std::nan(""))), std::to_string(net.epochs),
                      net.phase});
    }
  }
  return rows;
}

std::string comparison_table(const std::vector<Side>& sides, const std::vector<double>& lambdas) {
  std::vector<std::vector<std::string>> rows{
      {"lambda", "", "units", "parameters, median", "test error, median (range)", "failed"}};
  for (const double lambda : lambdas) {
    for (const Side& side : sides) {
      const Group group = group_of(side.nets, lambda);
      rows.push_back({fmt::format("{:g}", lambda), side.label, size_text(group.units),
                      count_text(group.sizes.median), errors_text(group.errors),
                      std::to_string(group.failed)});
    }
  }
  return markdown_table(rows);
}

}  // namespace coppice::reproduce
