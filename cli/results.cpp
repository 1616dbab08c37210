#include "cli/results.h"

#include "coppice/api/choose.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/run/summary.h"

#include "cli/flags.h"
#include "cli/streams.h"
#include "cli/terminal/table.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

std::string phase_text(const NetResult& net) {
  if (net.phase == "done") return net.taught ? "done, taught" : net.refit ? "done, all rows" : "done";
  if (net.phase == "failed") return "failed: loss not finite, best state so far kept";
  return "stopped in " + net.phase;
}

/// "1.36 % ± 0.12 %".
std::string with_deviation(const Summary& summary, const NetResult& net) {
  if (!std::isfinite(net.standard_error) || !std::isfinite(net.validation_error))
    return error_text(summary.task, net.validation_error);
  return fmt::format("{} ± {}", error_text(summary.task, net.validation_error),
                     error_text(summary.task, net.standard_error));
}

/// "1.36 % (1.33 % to 1.45 %)".
std::string spread_text(Task task, const Spread& spread) {
  return fmt::format("{} ({} to {})", error_text(task, spread.median), error_text(task, spread.low),
                     error_text(task, spread.high));
}

bool tested(const Summary& summary) {
  return std::ranges::any_of(summary.nets, [](const NetResult& net) { return net.test_error.has_value(); });
}

/// What marks a net of a front.
std::string mark_text(const Summary& summary, std::size_t i) {
  if (summary.nets.size() == 1) return "";
  if (i == summary.chosen) return fmt::format("<- {}", name_of(summary.pick));
  return summary.nets[i].dominated ? "dominated" : "";
}

/// What decides, if it is not the error that stands there anyway.
std::string decider_heading(Metric metric) {
  switch (metric) {
    case Metric::log_loss:
      return "log-loss";
    case Metric::auc:
      return "AUC";
    case Metric::balanced_error:
      return "balanced error";
    case Metric::f1:
      return "F1";
    case Metric::mae:
      return "MAE";
    default:
      return "";
  }
}

/// A criterion as people know it: areas and F1 are better the higher they are.
std::string decider_text(Metric metric, const NetResult& net) {
  const double criterion = net.criterion.value_or(std::nan(""));
  switch (metric) {
    case Metric::log_loss:
      return fmt::format("{:.4f}", net.log_loss.value_or(std::nan("")));
    case Metric::balanced_error:
      return share_text(criterion);
    case Metric::mae:
      return fmt::format("{:.4g}", criterion);
    default:
      return fmt::format("{:.4f}", 1 - criterion);
  }
}

bool is_ensemble(const NetResult& net) {
  return !net.members.empty();
}

/// Indices of the nets worth showing, smaller ones first: by falling lambda, then by seed; after them those of fixed size,
/// by parameters; ensembles last. Of the nets that were tried beside the path, or begun again, only those that others do not
/// beat.
std::vector<std::size_t> by_size(const Summary& summary) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < summary.nets.size(); ++i) {
    const NetResult& net = summary.nets[i];
    const bool first_of_size = net.kind == NetKind::fixed && net.beginning == 0;
    if (!net.dominated || on_path(summary, net) || first_of_size) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const NetResult& net = summary.nets[i];
    return std::tuple(is_ensemble(net), -net.lambda, net.kind == NetKind::fixed ? net.parameters : 0,
                      net.seed);
  });
  return order;
}

/// "186-43", or of an ensemble "5 nets".
std::string sizes_text(const NetResult& net) {
  return is_ensemble(net) ? fmt::format("{} nets", net.members.size()) : size_text(net.hidden_units);
}

}  // namespace

std::string results_table(const Summary& summary) {
  const bool classes = summary.task == Task::classification;
  std::vector<std::string> heading{"lambda", "seed"};
  const bool inputs_differ = std::ranges::any_of(summary.nets, [&](const NetResult& net) {
    return !is_ensemble(net) && net.inputs != summary.nets.front().inputs;
  });
  if (inputs_differ) heading.emplace_back("inputs");
  heading.insert(heading.end(), {"units", "parameters", "train loss"});
  heading.emplace_back(classes ? "validation error" : "validation error*");
  const std::string decider = decider_heading(summary.metric);
  if (!decider.empty()) heading.push_back(decider);
  if (tested(summary)) heading.emplace_back(classes ? "test error" : "test error*");
  heading.insert(heading.end(), {"epochs", "end", ""});
  TextTable table(heading);
  const std::vector<std::size_t> shown = by_size(summary);
  for (const std::size_t i : shown) {
    const NetResult& net = summary.nets[i];
    const bool many = is_ensemble(net);
    std::vector<std::string> row{many ? "" : sizing_text(net.kind, net.lambda),
                                 many ? "" : std::to_string(net.seed)};
    if (inputs_differ) row.push_back(many ? "" : std::to_string(net.inputs));
    row.insert(row.end(), {sizes_text(net) + (net.bins ? ", bins" : ""), std::to_string(net.parameters),
                           std::isfinite(net.train_loss) ? fmt::format("{:.4f}", net.train_loss) : "-",
                           with_deviation(summary, net)});
    if (!decider.empty()) row.push_back(decider_text(summary.metric, net));
    if (tested(summary)) row.push_back(net.test_error ? error_text(summary.task, *net.test_error) : "-");
    row.insert(row.end(), {std::to_string(net.epochs), phase_text(net), mark_text(summary, i)});
    table.add(row);
  }
  std::string text = table.text();
  if (shown.size() < summary.nets.size()) {
    text += fmt::format(
        "{} more nets, tried beside these, begun again or trained on other folds, are in summary.json\n",
        summary.nets.size() - shown.size());
  }
  if (!classes)
    text +=
        "* squared error as a share of the target's variance in these rows, 1 - R2: 0 is perfect, 1 is no "
        "better "
        "than the mean\n";
  return text;
}

std::string points_table(const Summary& summary) {
  std::vector<FrontPoint> points = points_of(summary);
  if (std::ranges::none_of(points, [](const FrontPoint& point) { return point.nets.size() > 1; })) return "";
  std::ranges::sort(points, std::greater<>(), &FrontPoint::lambda);
  std::vector<std::string> heading{"lambda", "nets", "parameters", "validation error"};
  if (tested(summary)) heading.emplace_back("test error");
  TextTable table(heading);
  for (const FrontPoint& point : points) {
    std::vector<std::string> row{sizing_text(point.kind, point.lambda), std::to_string(point.nets.size()),
                                 fmt::format("{:.0f} ({:.0f} to {:.0f})", point.parameters.median,
                                             point.parameters.low, point.parameters.high),
                                 spread_text(summary.task, point.validation_error)};
    if (tested(summary)) row.push_back(point.test_error ? spread_text(summary.task, *point.test_error) : "-");
    table.add(row);
  }
  return "\nmedian (range) of the nets of each lambda\n" + table.text();
}

std::string repetitions_line(const Summary& summary) {
  if (summary.repetitions.empty()) return "";
  std::vector<double> validation;
  std::vector<double> test;
  std::vector<double> parameters;
  for (const Repetition& one : summary.repetitions) {
    validation.push_back(one.validation_error);
    if (one.test_error) test.push_back(*one.test_error);
    parameters.push_back(static_cast<double>(one.parameters));
  }
  const Spread sizes = spread_of(parameters);
  return fmt::format(
      "\nmedian (range) of {} trainings with other seeds and rows: validation error {}{}, parameters {:.0f} "
      "({:.0f} to {:.0f})\n",
      summary.repetitions.size(), spread_text(summary.task, spread_of(validation)),
      test.empty() ? "" : ", test error " + spread_text(summary.task, spread_of(test)), sizes.median,
      sizes.low, sizes.high);
}

std::string base_rate_line(const Summary& summary) {
  if (!summary.base) return "";
  return fmt::format("always {}: {} wrong, log-loss {:.4f}\n", cited(summary.base->answer),
                     share_text(summary.base->error), summary.base->log_loss);
}

std::string one_answer_sentence(const Summary& summary) {
  if (!summary.chosen || !summary.nets[*summary.chosen].one_answer) return "";
  const NetResult& net = summary.nets[*summary.chosen];
  const char* try_this = "look for columns or rows that tell more";
  if (!summary.base)
    return fmt::format("the model gives the same number for every row: it has learned nothing; {}", try_this);
  if (tells_rows_apart(net, *summary.base)) {
    return fmt::format(
        "the model answers {} for every row, as always guessing it would; its probabilities do tell rows "
        "apart "
        "(log-loss {:.4f}): rank rows by them",
        cited(summary.base->answer), *net.log_loss);
  }
  return fmt::format("the model answers {} for every row: it has learned nothing; {}",
                     cited(summary.base->answer), try_this);
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) say("warning: {}", with_dashes(warning));
}

}  // namespace coppice::cli
