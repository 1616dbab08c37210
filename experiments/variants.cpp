#include "experiments/variants.h"

#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/significance.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// The lowest median test error of the best of 500 parametric settings, by median validation error (figure 3).
double best_parametric(const std::string& title) {
  return title == "MNIST"               ? 0.0149
         : title == "rectangles-images" ? 0.1224
         : title.starts_with("convex")  ? 0.2328
                                        : NAN;
}

double median_at(const StepArm& arm, double lambda, double (*number)(const StepNet&)) {
  return spread_of(arm.at(lambda, number)).median;
}

Cells details_row(const StepArm& arm, const StepArm& first, bool is_first) {
  const double lambda = arm.chosen_lambda();
  std::vector<NetResult> nets;
  for (const StepNet& one : arm.nets)
    if (one.net.lambda == lambda) nets.push_back(one.net);
  const std::vector<double> errors = chosen_errors(arm);
  const Difference difference = mann_whitney(errors, chosen_errors(first));
  return {arm.variant,
          fmt::format("{:g}", lambda),
          size_text(nets[representative(nets)].hidden_units),
          errors_text(spread_of(errors)),
          is_first ? "-" : fmt::format("{:.0f} % of pairs, p {:.2g}", 100 * difference.share, difference.p),
          fmt::format("{:.3g}", median_at(arm, lambda, [](const StepNet& one) { return one.angle; })),
          count_text(median_at(arm, lambda,
                               [](const StepNet& one) { return static_cast<double>(one.net.epochs); }))};
}

}  // namespace

std::vector<SetChoice<StepTask>> default_tasks(const Session& session) {
  const bool brief = session.counts.short_protocol > 0;
  const Flags flags = brief ? Flags{{"effort", "quick"}} : Flags{};
  std::vector<SetChoice<StepTask>> choices{
      {"rectangles", "rectangles-images",
       [&session, flags] {
         return StepTask{"rectangles-images", find_rectangles(session), flags};
       }},
      {"convex", "convex", [&session, flags] {
         return StepTask{"convex", find_convex(session), flags};
       }}};
  for (const std::string& name : generated_tables())
    choices.push_back({name, name, [&session, name, flags] {
                         return StepTask{name, find_generated(session, name), flags};
                       }});
  choices.push_back({"mnist", "MNIST", [&session, flags] {
                       return StepTask{"MNIST", find_mnist(session), flags};
                     }});
  return choices;
}

std::vector<double> default_lambdas(const Session& session) {
  return session.counts.short_protocol > 0 ? std::vector<double>{1e-3}
                                           : std::vector<double>{1e-3, 1e-4, 1e-5};
}

std::vector<double> chosen_errors(const StepArm& arm) {
  return arm.at(arm.chosen_lambda(), [](const StepNet& net) { return net.test_error(); });
}

ArmOfSet arm_named(const std::string& variant) {
  return [variant](const StepSet& set) {
    const StepArm* arm = set.find(variant);
    return arm == nullptr ? set.arms.front() : *arm;
  };
}

Claim lower_on_every_set(const std::vector<StepSet>& sets, const std::string& text, const ArmOfSet& arm) {
  std::vector<Compared> compared;
  std::vector<std::string> parts;
  for (const StepSet& set : sets) {
    compared.push_back({set.title, chosen_errors(arm(set)), chosen_errors(set.arms.front())});
    parts.push_back(fmt::format("{}: {} and {}", set.title,
                                share_text(spread_of(compared.back().first).median),
                                share_text(spread_of(compared.back().second).median)));
  }
  return {text, joined(parts, "; "), lower_everywhere(compared), true};
}

Claim lower_over_sets(const std::vector<StepSet>& sets, const std::string& text, const ArmOfSet& arm) {
  Compared medians;
  for (const StepSet& set : sets) {
    medians.first.push_back(spread_of(chosen_errors(arm(set))).median);
    medians.second.push_back(spread_of(chosen_errors(set.arms.front())).median);
  }
  double ratio = 0;
  for (std::size_t i = 0; i < medians.first.size(); ++i)
    ratio += std::log(medians.first[i] / medians.second[i]) / static_cast<double>(medians.first.size());
  return {text,
          fmt::format("{} sets, on average {:.3f} of the default's error", sets.size(), std::exp(ratio)),
          medians.first.empty() ? Judged{} : lower_in_pairs({medians}), true};
}

Claim below_parametric(const std::vector<StepSet>& sets, const std::string& text, const ArmOfSet& arm) {
  std::vector<Judged> tests;
  std::vector<std::string> parts;
  for (const StepSet& set : sets) {
    const double best = best_parametric(set.title);
    if (!std::isfinite(best)) continue;
    const std::vector<double> errors = chosen_errors(arm(set));
    const auto below =
        static_cast<std::size_t>(std::ranges::count_if(errors, [&](double error) { return error <= best; }));
    tests.push_back(shown_by_runs(below, errors.size()));
    tests.back().test = fmt::format("{}: {}", set.title, tests.back().test);
    parts.push_back(
        fmt::format("{}: {} and {}", set.title, errors_text(spread_of(errors)), share_text(best)));
  }
  return {text, joined(parts, "; "), all_of(tests), true};
}

std::string arms_details(const std::vector<StepSet>& sets, const std::string& variant,
                         const std::function<std::vector<StepArm>(const StepSet&)>& arms) {
  std::string text;
  for (const StepSet& set : sets) {
    Rows rows{{variant, "lambda", "units of a typical net", "test error, median (range)",
               "lower than the default in", "angle turned by", "epochs"}};
    const std::vector<StepArm> all = arms(set);
    for (const StepArm& arm : all) rows.push_back(details_row(arm, set.arms.front(), &arm == &all.front()));
    text += fmt::format("## {}\n\n{}\n", set.title, markdown_table(rows));
  }
  return text;
}

}  // namespace coppice::experiments
