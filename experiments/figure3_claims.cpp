#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/figure3.h"

#include <algorithm>
#include <cmath>

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

bool better(const SameSize& size) {
  return size.summary.errors.median < size.parametric.test.median;
}

std::string best_text(const Figure3Panel& panel) {
  const SameSize& own = panel.best();
  const TriedSetting& other = panel.larger.front();
  return fmt::format("{} with {} parameters ({}) against {} with {} ({})",
                     share_text(own.summary.errors.median), count_text(own.chosen.parameters),
                     size_text(own.chosen.hidden_units), share_text(other.test.median),
                     count_text(other.parameters), size_text(other.trial.hidden));
}

bool much_smaller(const Figure3Panel& panel) {
  return 2 * panel.best().chosen.parameters < panel.larger.front().parameters;
}

std::vector<Claim> mnist_claims(const Figure3Panel& panel) {
  const double close = panel.best().summary.errors.median / panel.larger.front().test.median;
  return {{"MNIST: nonparametric nets substantially outperform parametric ones of the same size (here: lower "
           "medians at every lambda)",
           against(panel), std::ranges::all_of(panel.sizes, better)},
          {"MNIST: the best nonparametric net is close to the best parametric one and substantially smaller "
           "(here: at most a tenth "
           "worse, less than half the parameters)",
           best_text(panel), close < 1.1 && much_smaller(panel)}};
}

double lowest_parametric(const Figure3Panel& panel) {
  double lowest = panel.larger.front().test.median;
  for (const SameSize& size : panel.sizes) lowest = std::min(lowest, size.parametric.test.median);
  return lowest;
}

/// Whether what the paper says of its best net holds for the best of nets trained otherwise.
Claim best_by_angle(const Figure3Panel& panel) {
  const TriedSetting& other = panel.larger.front();
  std::vector<std::string> parts;
  bool holds = false;
  for (const double lambda : panel.nonparametric.lambdas) {
    const LambdaSummary own = summary_of(*panel.by_angle, lambda);
    parts.push_back(fmt::format("lambda {:g}: {} with {} parameters ({})", lambda,
                                share_text(own.errors.median), count_text(own.sizes.median),
                                size_text(own.units)));
    holds = holds || (own.errors.median < lowest_parametric(panel) &&
                      2 * own.sizes.median < static_cast<double>(other.parameters));
  }
  return {
      fmt::format("ours: turned by an angle of {:g} rather than by alpha_phi, a nonparametric net has the "
                  "lowest median error on {} and less than half the parameters of the best parametric net",
                  mnist_angle, panel.title),
      fmt::format("{}; the best parametric: {} with {} ({})", joined(parts, "; "),
                  share_text(other.test.median), count_text(other.parameters), size_text(other.trial.hidden)),
      holds};
}

std::vector<Claim> rectangles_claims(const Figure3Panel& panel) {
  std::vector<Claim> claims{
      {"rectangles-images: nonparametric nets are worse than parametric ones of the same size where "
       "lambda is large, better where it is small",
       against(panel), !better(panel.sizes.front()) && better(panel.sizes.back())},
      {"rectangles-images: the best nonparametric net has the lowest median error of all, with "
       "substantially fewer parameters than the "
       "best parametric net (here: less than half)",
       best_text(panel),
       panel.best().summary.errors.median < lowest_parametric(panel) && much_smaller(panel)}};
  if (panel.by_angle) claims.push_back(best_by_angle(panel));
  return claims;
}

/// Whether nets trained otherwise have lower medians than those with the paper's settings, at every lambda.
Claim better_than_the_papers(const std::string& claim, const Figure3Panel& panel, const TrainedNets& nets) {
  std::vector<std::string> parts;
  bool holds = true;
  for (const SameSize& size : panel.sizes) {
    const double other = summary_of(nets, size.summary.lambda).errors.median;
    parts.push_back(fmt::format("lambda {:g}: {} against {}", size.summary.lambda, share_text(other),
                                share_text(size.summary.errors.median)));
    holds = holds && other < size.summary.errors.median;
  }
  return {claim, joined(parts, "; "), holds};
}

std::vector<Claim> convex_claims(const Figure3Panel& panel) {
  std::vector<std::string> ranges;
  bool wider = true;
  for (const SameSize& size : panel.sizes) {
    const double own = size.summary.errors.high - size.summary.errors.low;
    const double other = size.parametric.test.high - size.parametric.test.low;
    ranges.push_back(fmt::format("lambda {:g}: {:.2f} against {:.2f} points", size.summary.lambda, 100 * own,
                                 100 * other));
    wider = wider && own > other;
  }
  std::vector<Claim> claims{
      {"convex: parametric nets of the same size are substantially better (here: lower medians at every "
       "lambda)",
       against(panel), std::ranges::none_of(panel.sizes, better)},
      {"convex: parametric nets vary less between seeds (here: a smaller range at every lambda)",
       joined(ranges, "; "), wider}};
  if (panel.by_angle)
    claims.push_back(better_than_the_papers(
        fmt::format("ours: turned by an angle of {:g} rather than by alpha_phi, nonparametric nets do better "
                    "on convex than with the paper's settings",
                    mnist_angle),
        panel, *panel.by_angle));
  if (panel.defaults)
    claims.push_back(better_than_the_papers(
        "ours: with this program's default settings nonparametric nets do better on convex than with the "
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
  std::vector<std::string> parts;
  bool alike = true;
  for (const Figure3Panel* panel : panels) {
    for (const SameSize& size : panel->sizes) {
      const double rmsprop = lowest(size, OptimizerKind::rmsprop);
      const double adam = lowest(size, OptimizerKind::adam);
      parts.push_back(fmt::format("{} {}: {} and {}", panel->title, size_text(size.chosen.hidden_units),
                                  share_text(rmsprop), share_text(adam)));
      alike = alike && std::abs(rmsprop / adam - 1) < 0.1;
    }
  }
  return {
      "parametric nets trained with RMSprop and with Adam do not differ significantly (here: the lowest "
      "validation errors of each grid "
      "differ by less than a tenth)",
      joined(parts, "; "), alike};
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
