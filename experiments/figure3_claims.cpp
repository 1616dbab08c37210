#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/figure3.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// "1.27 % against 1.64 % (186-43)" for every size.
std::string against(const Figure3Panel& panel) {
  std::vector<std::string> parts;
  for (const SameSize& size : panel.sizes)
    parts.push_back(fmt::format(
        "lambda {:g}: {} against {} ({})", size.summary.lambda, share_text(size.summary.errors.median),
        share_text(size.parametric.test.median), size_text(size.chosen.hidden_units)));
  return joined(parts, "; ");
}

std::vector<double> tested(const TriedSetting& setting) {
  std::vector<double> errors;
  for (const TrialResult& run : setting.runs) {
    const double error = run.test_error.value_or(1);
    errors.push_back(run.failed() || !std::isfinite(error) ? 1 : error);
  }
  return errors;
}

std::string lambda_label(double lambda) {
  return fmt::format("lambda {:g}", lambda);
}

/// Nets of a lambda beside parametric ones of their size.
Compared beside(const SameSize& size) {
  return {lambda_label(size.summary.lambda), size.summary.test_errors, tested(size.parametric)};
}

/// The other way round.
Compared turned(Compared compared) {
  std::swap(compared.first, compared.second);
  compared.label += ", parametric";
  return compared;
}

std::vector<Compared> beside_all(const Figure3Panel& panel) {
  std::vector<Compared> all;
  for (const SameSize& size : panel.sizes) all.push_back(beside(size));
  return all;
}

std::string best_text(const Figure3Panel& panel) {
  const SameSize& own = panel.best();
  const TriedSetting& other = panel.larger.front();
  return fmt::format("{} with {} parameters ({}) against {} with {} ({})",
                     share_text(own.summary.errors.median), count_text(own.summary.sizes.median),
                     size_text(own.chosen.hidden_units), share_text(other.test.median),
                     count_text(other.parameters), size_text(other.trial.hidden));
}

/// Nets that have less than half of the parameters of the best parametric ones.
Judged much_smaller(const LambdaSummary& nets, const Figure3Panel& panel) {
  const auto half = static_cast<double>(panel.larger.front().parameters) / 2;
  const auto below = std::ranges::count_if(nets.parameters, [&](double size) { return size < half; });
  Judged judged = shown_by_runs(static_cast<std::size_t>(below), nets.parameters.size());
  judged.test = "less than half the parameters, " + judged.test;
  return judged;
}

/// Nets that have lower errors than all parametric ones that the picture shows as best.
Judged lowest_of_all(const LambdaSummary& nets, const Figure3Panel& panel) {
  std::vector<Compared> all{{"best of the random search", nets.test_errors, tested(panel.larger.front())}};
  for (const SameSize& size : panel.sizes)
    all.push_back({size_text(size.chosen.hidden_units), nets.test_errors, tested(size.parametric)});
  return lower_everywhere(all);
}

std::vector<Claim> mnist_claims(const Figure3Panel& panel) {
  constexpr double close = 0.1;
  std::vector<double> worse = tested(panel.larger.front());
  for (double& error : worse) error *= 1 + close;
  return {{"MNIST: nonparametric nets substantially outperform parametric ones of the same size (here: lower "
           "errors at every lambda)",
           against(panel), lower_everywhere(beside_all(panel))},
          {"MNIST: the best nonparametric net is close to the best parametric one and substantially smaller "
           "(here: lower errors than a tenth above it, less than half the parameters)",
           best_text(panel),
           all_of({lower_everywhere({{"a tenth above", panel.best().summary.test_errors, worse}}),
                   much_smaller(panel.best().summary, panel)})}};
}

/// Whether what the paper says of its best net holds for the best of nets trained otherwise.
Claim best_by_angle(const Figure3Panel& panel) {
  const TriedSetting& other = panel.larger.front();
  std::vector<LambdaSummary> own;
  for (const double lambda : panel.nonparametric.lambdas) own.push_back(summary_of(*panel.by_angle, lambda));
  const LambdaSummary& best =
      *std::ranges::min_element(own, {}, [](const LambdaSummary& nets) { return nets.validation.median; });
  return {
      fmt::format("turned by an angle of {:g} rather than by alpha_phi, the best nonparametric net has the "
                  "lowest error on {} and less than half the parameters of the best parametric net",
                  mnist_angle, panel.title),
      fmt::format("lambda {:g}: {} with {} parameters ({}); the best parametric: {} with {} ({})",
                  best.lambda, share_text(best.errors.median), count_text(best.sizes.median),
                  size_text(best.units), share_text(other.test.median), count_text(other.parameters),
                  size_text(other.trial.hidden)),
      all_of({lowest_of_all(best, panel), much_smaller(best, panel)}), true};
}

std::vector<Claim> rectangles_claims(const Figure3Panel& panel) {
  std::vector<Claim> claims{
      {"rectangles-images: nonparametric nets are worse than parametric ones of the same size where "
       "lambda is large, better where it is small",
       against(panel), lower_everywhere({turned(beside(panel.sizes.front())), beside(panel.sizes.back())})},
      {"rectangles-images: the best nonparametric net has the lowest error of all, with substantially fewer "
       "parameters than the best parametric net (here: less than half)",
       best_text(panel),
       all_of({lowest_of_all(panel.best().summary, panel), much_smaller(panel.best().summary, panel)})}};
  if (panel.by_angle) claims.push_back(best_by_angle(panel));
  return claims;
}

/// Whether nets trained otherwise have lower errors than those with the paper's settings, at every lambda.
Claim better_than_the_papers(const std::string& text, const Figure3Panel& panel, const TrainedNets& nets) {
  std::vector<std::string> parts;
  std::vector<Compared> compared;
  for (const SameSize& size : panel.sizes) {
    const LambdaSummary other = summary_of(nets, size.summary.lambda);
    parts.push_back(fmt::format("lambda {:g}: {} against {}", size.summary.lambda,
                                share_text(other.errors.median), share_text(size.summary.errors.median)));
    compared.push_back({lambda_label(size.summary.lambda), other.test_errors, size.summary.test_errors});
  }
  return {text, joined(parts, "; "), lower_everywhere(compared), true};
}

/// Distances from the median: what two samples vary by.
std::vector<double> distances(std::vector<double> values) {
  const double median = spread_of(values).median;
  for (double& value : values) value = std::abs(value - median);
  return values;
}

std::vector<Claim> convex_claims(const Figure3Panel& panel) {
  std::vector<std::string> ranges;
  std::vector<Compared> parametric;
  std::vector<Compared> spread;
  for (const SameSize& size : panel.sizes) {
    const double own = size.summary.errors.high - size.summary.errors.low;
    const double other = size.parametric.test.high - size.parametric.test.low;
    ranges.push_back(fmt::format("lambda {:g}: {:.2f} against {:.2f} points", size.summary.lambda, 100 * own,
                                 100 * other));
    parametric.push_back(turned(beside(size)));
    spread.push_back({lambda_label(size.summary.lambda), distances(tested(size.parametric)),
                      distances(size.summary.test_errors)});
  }
  std::vector<Claim> claims{
      {"convex: parametric nets of the same size are substantially better (here: lower errors at every "
       "lambda)",
       against(panel), lower_everywhere(parametric)},
      {"convex: parametric nets vary less between seeds (here: ranges; tested are distances from the median, "
       "at every lambda)",
       joined(ranges, "; "), lower_everywhere(spread)}};
  if (panel.by_angle)
    claims.push_back(better_than_the_papers(
        fmt::format("turned by an angle of {:g} rather than by alpha_phi, nonparametric nets do better "
                    "on convex than with the paper's settings",
                    mnist_angle),
        panel, *panel.by_angle));
  if (panel.defaults)
    claims.push_back(better_than_the_papers(
        "with this program's default settings nonparametric nets do better on convex than with the "
        "paper's",
        panel, *panel.defaults));
  return claims;
}

/// Lowest validation error of the grid with this optimizer.
double lowest(const SameSize& size, OptimizerKind kind) {
  double error = INFINITY;
  for (const TrialResult& result : size.grid)
    if (result.trial.optimizer == kind && !result.failed()) error = std::min(error, result.validation_error);
  return error;
}

Claim rmsprop_and_adam(const std::vector<const Figure3Panel*>& panels) {
  constexpr double margin = 0.1;
  std::vector<std::string> parts;
  Compared pairs;
  for (const Figure3Panel* panel : panels) {
    for (const SameSize& size : panel->sizes) {
      pairs.first.push_back(lowest(size, OptimizerKind::rmsprop));
      pairs.second.push_back(lowest(size, OptimizerKind::adam));
      parts.push_back(fmt::format("{} {}: {} and {}", panel->title, size_text(size.chosen.hidden_units),
                                  share_text(pairs.first.back()), share_text(pairs.second.back())));
    }
  }
  return {
      "parametric nets trained with RMSprop and with Adam do not differ significantly (here: the lowest "
      "validation errors of each grid lie within a tenth)",
      joined(parts, "; "), alike_in_pairs({pairs}, margin)};
}

}  // namespace

std::vector<Claim> figure3_claims(const Figure3Panel& mnist, const Figure3Panel& rectangles,
                                  const Figure3Panel& convex) {
  std::vector<Claim> claims = mnist_claims(mnist) + rectangles_claims(rectangles) + convex_claims(convex);
  const bool both = std::isfinite(lowest(mnist.sizes.front(), OptimizerKind::rmsprop)) &&
                    std::isfinite(lowest(mnist.sizes.front(), OptimizerKind::adam));
  if (both) claims.push_back(rmsprop_and_adam({&mnist, &rectangles, &convex}));
  return claims;
}

}  // namespace coppice::experiments
