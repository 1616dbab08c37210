#include "coppice/report/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr std::size_t coloured_classes = 6;
constexpr Scale shares_scale{.low = 0, .high = 1};

Chart share_chart(const char* label, const char* x, const char* y) {
  Chart chart(label, {.name = x, .scale = shares_scale, .text = share_labels()},
              {.name = y, .scale = shares_scale, .text = share_labels()});
  chart.shares().height(320);
  return chart;
}

/// Place of each point in the list: threshold, false positives, recall, precision.
void draw_curve(Chart& chart, const Json& curve, std::size_t x, std::size_t y, const std::string& style) {
  Curve line;
  if (y == 2) line.add(0, 0);
  for (const Json& point : member(curve, "points")) {
    if (!point.is_array() || point.size() != 4 || !point[x].is_number() || !point[y].is_number()) continue;
    line.add(point[x].get<double>(), point[y].get<double>());
  }
  chart.curve(line, style, text_at(curve, "class"));
}

/// What answering the class from this threshold on comes to.
struct Outcome {
  double threshold = 0.5;
  double right = 0;  ///< of the class
  double wrong = 0;  ///< of the others
  double positives = 0;
  double negatives = 0;

  double recall() const { return right / positives; }
  double false_positives() const { return wrong / negatives; }
  double precision() const { return right / (right + wrong); }
  double error() const { return (positives - right + wrong) / (positives + negatives); }
  double f1() const { return 2 * right / (positives + right + wrong); }
};

Outcome outcome_at(const Json& thresholds, double threshold) {
  Outcome outcome{.positives = number_at(thresholds, "positives"),
                  .negatives = number_at(thresholds, "negatives")};
  for (const Json& at : member(thresholds, "at")) {
    if (!at.is_array() || at.size() != 3 || !at[0].is_number() || at[0].get<double>() > threshold) continue;
    outcome.threshold = at[0].get<double>();
    outcome.right = at[1].is_number() ? at[1].get<double>() : 0;
    outcome.wrong = at[2].is_number() ? at[2].get<double>() : 0;
  }
  return outcome;
}

std::string fact(const char* key, double value, const char* name) {
  return fmt::format("<div class=\"tile\"><b data-fact=\"{}\">{}</b><span>{}</span></div>", key,
                     std::isfinite(value) ? share_text(value) : "-", name);
}

/// A threshold to go to, in words.
std::string jump(const Json& thresholds, const char* key, const char* name) {
  const double value = number_at(thresholds, key);
  if (!std::isfinite(value)) return "";
  return fmt::format("<button type=\"button\" data-threshold=\"{}\">{}</button>", value, name);
}

/// The slider and what it comes to; without scripts, at 0.5.
std::string threshold_html(const Json& thresholds, const Outcome& outcome) {
  const std::string name = escaped(text_at(thresholds, "class"));
  return fmt::format(
             "<div class=\"threshold\" data-thresholds=\"{}\"><label class=\"slider\">“{}” from a "
             "probability of "
             "<output>{}</output><input type=\"range\"></label><p class=\"jumps\">",
             escaped(thresholds.dump(-1, ' ', false, Json::error_handler_t::replace)), name,
             number_text(outcome.threshold)) +
         "<button type=\"button\" data-threshold=\"0.5\">the likelier class</button>" +
         jump(thresholds, "best_f1", "best F1") +
         jump(thresholds, "best_balanced_error", "best balanced error") + "</p><div class=\"tiles\">" +
         fact("recall", outcome.recall(), "of its rows found (recall)") +
         fact("precision", outcome.precision(), "of its answers right (precision)") +
         fact("false_positives", outcome.false_positives(), "of other rows given it") +
         fact("error", outcome.error(), "of all rows wrong") + fact("f1", outcome.f1(), "F1") +
         "</div></div>";
}

std::string two_classes_html(const RunRecord& run, const Json& curve) {
  const Json& thresholds = member(run.analysis, "thresholds");
  const Outcome half = outcome_at(thresholds, 0.5);
  Chart roc = share_chart("ROC curve", "of other rows given it", "of its rows found");
  roc.path("M0 0L1 -1", "ideal");
  draw_curve(roc, curve, 1, 2, "curve s1");
  Chart precision =
      share_chart("precision and recall", "of its rows found (recall)", "of its answers right (precision)");
  const double base = half.positives / (half.positives + half.negatives);
  if (std::isfinite(base)) precision.path(fmt::format("M0 {0:.4g}L1 {0:.4g}", 0 - base), "ideal");
  draw_curve(precision, curve, 2, 3, "curve s1");
  const std::string note = fmt::format("threshold {}", number_text(half.threshold));
  if (thresholds.is_object() && half.positives > 0 && half.negatives > 0) {
    roc.mark(half.false_positives(), half.recall(), 6, "mark s2 at-roc", note);
    if (half.right + half.wrong > 0)
      precision.mark(half.recall(), half.precision(), 6, "mark s2 at-precision", note);
  }
  std::string html = "<div class=\"pair\">" + roc.str() + precision.str() + "</div>";
  if (thresholds.is_object()) html += threshold_html(thresholds, half);
  return html +
         caption(fmt::format(
             "Area under the ROC curve (left): {}; 0.5 is chance, 1 perfect. Made of {}. Dashed: chance. "
             "The best thresholds are best on these rows. coppice predict takes one as --threshold.",
             area_text(number_at(curve, "auc")), rows_text(run)));
}

std::string many_classes_html(const RunRecord& run, const Json& curves) {
  Chart roc = share_chart("ROC curves", "of other rows given it", "of its rows found");
  Chart precision =
      share_chart("precision and recall", "of its rows found (recall)", "of its answers right (precision)");
  roc.path("M0 0L1 -1", "ideal");
  Legend entries;
  std::size_t k = 0;
  const bool coloured = curves.size() <= coloured_classes;
  for (const Json& curve : curves) {
    const std::string colour = coloured ? fmt::format("s{}", ++k) : "s1";
    const std::string style = coloured ? "curve " + colour : "curve s1 many";
    draw_curve(roc, curve, 1, 2, style);
    draw_curve(precision, curve, 2, 3, style);
    entries.emplace_back("stroke " + colour, text_at(curve, "class"));
  }
  return (coloured ? legend(entries) : "") + "<div class=\"pair\">" + roc.str() + precision.str() + "</div>" +
         caption(fmt::format("Each class against all others{}. Area under the ROC curves (left), weighted by "
                             "the classes’ shares: "
                             "{}. Made of {}.",
                             coloured ? "" : "; point at a curve to see its class",
                             area_text(number_at(member(run.analysis, "metrics"), "auc")), rows_text(run)));
}

}  // namespace

std::string curves_html(const RunRecord& run) {
  const Json& curves = member(run.analysis, "curves");
  if (!run.analysis.is_object()) return {};
  if (!curves.is_array()) return not_told();
  if (curves.empty())
    return "<p class=\"empty\">There are no curves: too many classes, or rows of one class only.</p>";
  return member(run.analysis, "thresholds").is_object() ? two_classes_html(run, curves[0])
                                                        : many_classes_html(run, curves);
}

}  // namespace coppice
