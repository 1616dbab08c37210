#include "coppice/core/fail.h"
#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/calibration.h"
#include "experiments/picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// Two numbers of two ways on every set.
struct Asked {
  const char* way;
  double (*number)(const CalibratedNet&);
};

std::vector<Compared> on_sets(const std::vector<CalibrationSet>& sets, const Asked& first,
                              const Asked& second) {
  std::vector<Compared> all;
  for (const CalibrationSet& set : sets) {
    const CalibrationArm* a = set.find(first.way);
    const CalibrationArm* b = set.find(second.way);
    if (a != nullptr && b != nullptr) all.push_back({set.title, a->all(first.number), b->all(second.number)});
  }
  return all;
}

std::string medians_of(const std::vector<Compared>& compared) {
  std::vector<std::string> parts;
  for (const Compared& one : compared)
    parts.push_back(fmt::format("{}: {:.4f} and {:.4f}", one.label, spread_of(one.first).median,
                                spread_of(one.second).median));
  return joined(parts, "; ");
}

Claim lower(const std::vector<CalibrationSet>& sets, const char* text, const Asked& first,
            const Asked& second) {
  const std::vector<Compared> compared = on_sets(sets, first, second);
  return {text, medians_of(compared), lower_everywhere(compared), true};
}

double loss_before(const CalibratedNet& net) {
  return net.before.log_loss;
}
double loss_after(const CalibratedNet& net) {
  return net.after.log_loss;
}
double brier_before(const CalibratedNet& net) {
  return net.before.brier;
}
double brier_after(const CalibratedNet& net) {
  return net.after.brier;
}
double error_before(const CalibratedNet& net) {
  return net.before.calibration_error;
}
double error_after(const CalibratedNet& net) {
  return net.after.calibration_error;
}

}  // namespace

ProbabilityScores score_probabilities(std::span<const double> probabilities,
                                      std::span<const std::size_t> labels) {
  constexpr std::size_t intervals = 10;
  constexpr double least = 1e-15;
  if (labels.empty() || probabilities.size() % labels.size() != 0)
    fail("probabilities of {} rows are not {} numbers", labels.size(), probabilities.size());
  const std::size_t classes = probabilities.size() / labels.size();
  const auto rows = static_cast<double>(labels.size());
  ProbabilityScores scores;
  std::array<double, intervals> confidence{};
  std::array<double, intervals> right{};
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const std::span<const double> of_row = probabilities.subspan(row * classes, classes);
    scores.log_loss -= std::log(std::max(least, of_row[labels[row]])) / rows;
    for (std::size_t k = 0; k < classes; ++k) {
      const double off = of_row[k] - (k == labels[row] ? 1 : 0);
      scores.brier += off * off / rows;
    }
    const auto best = static_cast<std::size_t>(std::ranges::max_element(of_row) - of_row.begin());
    const auto at = std::min(intervals - 1, static_cast<std::size_t>(of_row[best] * intervals));
    confidence[at] += of_row[best];
    right[at] += best == labels[row] ? 1 : 0;
  }
  for (std::size_t i = 0; i < intervals; ++i)
    scores.calibration_error += std::abs(right[i] - confidence[i]) / rows;
  return scores;
}

std::vector<double> CalibrationArm::all(double (*number)(const CalibratedNet&)) const {
  std::vector<double> numbers;
  for (const CalibratedNet& net : nets) numbers.push_back(number(net));
  return numbers;
}

const CalibrationArm* CalibrationSet::find(const std::string& way) const {
  const auto found = std::ranges::find(arms, way, &CalibrationArm::way);
  return found == arms.end() ? nullptr : &*found;
}

std::vector<Claim> calibration_claims(const std::vector<CalibrationSet>& sets) {
  const Asked itself_loss{calibrated_itself, loss_after};
  return {
      lower(sets, "before the temperature the cap on the outputs costs log-loss: nets without it have less",
            {calibrated_uncapped, loss_before}, {calibrated_same, loss_before}),
      lower(sets, "nets that size themselves have a lower log-loss than usual nets of their size even so",
            {calibrated_itself, loss_before}, {calibrated_usual, loss_before}),
      lower(sets, "and a lower Brier score, without the temperature", {calibrated_itself, brier_before},
            {calibrated_usual, brier_before}),
      lower(sets, "and a lower calibration error, without it", {calibrated_itself, error_before},
            {calibrated_usual, error_before}),
      lower(sets, "the temperature lowers the calibration error of nets that size themselves",
            {calibrated_itself, error_after}, {calibrated_itself, error_before}),
      lower(sets, "it lowers that of usual nets, too", {calibrated_usual, error_after},
            {calibrated_usual, error_before}),
      lower(sets, "with it nets that size themselves have a lower log-loss than usual nets of their size",
            itself_loss, {calibrated_usual, loss_after}),
      lower(sets, "and a lower Brier score", {calibrated_itself, brier_after},
            {calibrated_usual, brier_after}),
      lower(sets, "and a lower calibration error", {calibrated_itself, error_after},
            {calibrated_usual, error_after}),
      lower(sets, "the cap does no harm once there is a temperature: a lower log-loss with it than without",
            {calibrated_same, loss_after}, {calibrated_uncapped, loss_after}),
      lower(sets, "smoothed labels do not replace it: nets that size themselves have a lower log-loss",
            itself_loss, {calibrated_smooth, loss_after})};
}

std::string calibration_details(const std::vector<CalibrationSet>& sets) {
  std::string text;
  for (const CalibrationSet& set : sets) {
    Rows rows{{"way", "test error", "temperature", "log-loss before", "after", "Brier before", "after",
               "calibration error before", "after"}};
    for (const CalibrationArm& arm : set.arms) {
      const auto median = [&](double (*number)(const CalibratedNet&)) {
        return spread_of(arm.all(number)).median;
      };
      const auto four = [&](double (*number)(const CalibratedNet&)) {
        return fmt::format("{:.4f}", median(number));
      };
      rows.push_back(
          {arm.way, share_text(median([](const CalibratedNet& n) { return n.net.test_error.value_or(1); })),
           fmt::format("{:.3f}", median([](const CalibratedNet& n) { return n.temperature; })),
           four(loss_before), four(loss_after), four([](const CalibratedNet& n) { return n.before.brier; }),
           four(brier_after), four(error_before), four(error_after)});
    }
    text += fmt::format("## {}, lambda {:g}\n\nMedians over seeds.\n\n{}\n", set.title, set.lambda,
                        markdown_table(rows));
  }
  return text;
}

Rows calibration_rows(const std::vector<CalibrationSet>& sets) {
  Rows rows{Cells{"set", "set_lambda", "way", "lambda", "seed", "units"} + outcome_names +
            Cells{"temperature", "log_loss_before", "brier_before", "calibration_error_before", "log_loss",
                  "brier", "calibration_error"}};
  for (const CalibrationSet& set : sets) {
    for (const CalibrationArm& arm : set.arms) {
      for (const CalibratedNet& one : arm.nets)
        rows.push_back(
            Cells{set.title, fmt::format("{:g}", set.lambda), arm.way, fmt::format("{:g}", one.net.lambda),
                  std::to_string(one.net.seed), size_text(one.net.hidden_units)} +
            outcome_cells(one.net) +
            Cells{csv_number(one.temperature), csv_number(one.before.log_loss), csv_number(one.before.brier),
                  csv_number(one.before.calibration_error), csv_number(one.after.log_loss),
                  csv_number(one.after.brier), csv_number(one.after.calibration_error)});
    }
  }
  return rows;
}

std::vector<CalibrationSet> stored_calibration(const StoredEntry& stored) {
  std::vector<CalibrationSet> sets;
  for (std::size_t row = 1; row < stored.rows.size(); ++row) {
    if (sets.empty() || sets.back().title != stored.cell(row, "set"))
      sets.push_back({.title = stored.cell(row, "set"), .lambda = stored.number(row, "set_lambda")});
    std::vector<CalibrationArm>& arms = sets.back().arms;
    if (arms.empty() || arms.back().way != stored.cell(row, "way"))
      arms.push_back({.way = stored.cell(row, "way")});
    arms.back().nets.push_back(
        {.net = stored_net(stored, row),
         .temperature = stored.number(row, "temperature"),
         .before = {stored.number(row, "log_loss_before"), stored.number(row, "brier_before"),
                    stored.number(row, "calibration_error_before")},
         .after = {stored.number(row, "log_loss"), stored.number(row, "brier"),
                   stored.number(row, "calibration_error")}});
  }
  return sets;
}

/// Log-losses before (pale) and with the temperature.
Svg draw_calibration(const std::vector<CalibrationSet>& sets) {
  constexpr double names = 380;
  constexpr double width = 240;
  constexpr double line = 24;
  std::size_t most = 0;
  for (const CalibrationSet& set : sets) most = std::max(most, set.arms.size());
  const double height = 60 + line * static_cast<double>(most);
  Svg svg(names + width * static_cast<double>(sets.size()), height,
          "log-loss on test rows before and with the temperature");
  for (std::size_t s = 0; s < sets.size(); ++s) {
    double high = 1e-9;
    for (const CalibrationArm& arm : sets[s].arms)
      for (const auto number : {loss_before, loss_after})
        high = std::max(high, spread_of(arm.all(number)).high);
    const double left = names + width * static_cast<double>(s);
    const Scale x{.low = 0, .high = high, .log = false, .from = left + 10, .to = left + width - 20};
    svg.text(left + 10, 16, sets[s].title, "start", "name");
    svg.text(left + 10, height - 10, "0");
    svg.text(left + width - 20, height - 10, fmt::format("{:.3f}", high), "end");
    for (std::size_t i = 0; i < sets[s].arms.size(); ++i) {
      const CalibrationArm& arm = sets[s].arms[i];
      const double y = 36 + line * static_cast<double>(i);
      if (s == 0) svg.text(8, y + 4, arm.way);
      const double before = spread_of(arm.all(loss_before)).median;
      const double after = spread_of(arm.all(loss_after)).median;
      svg.line(x(before), y, x(after), y, "axis");
      svg.rect(x(before) - 4, y - 4, 8, 8, "mark pale-red", fmt::format("before: {:.4f}", before));
      svg.rect(x(after) - 4, y - 4, 8, 8, "mark black", fmt::format("after: {:.4f}", after));
    }
  }
  return svg;
}

}  // namespace coppice::experiments
