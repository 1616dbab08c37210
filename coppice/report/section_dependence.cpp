#include "coppice/report/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr std::size_t coloured_outputs = 6;

/// Mean answers for the values of a column: by value, then by class.
using Means = std::vector<std::vector<double>>;

Means means_of(const Json& rows) {
  Means means;
  for (const Json& row : rows) {
    std::vector<double>& numbers = means.emplace_back();
    for (const Json& value : row) numbers.push_back(value.is_number() ? value.get<double>() : std::nan(""));
  }
  return means;
}

std::vector<std::string> texts_at(const Json& values) {
  std::vector<std::string> texts;
  for (const Json& value : values)
    texts.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  return texts;
}

double range_of(const Means& means, std::size_t output) {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const std::vector<double>& row : means) {
    if (output >= row.size() || !std::isfinite(row[output])) return 0;
    low = std::min(low, row[output]);
    high = std::max(high, row[output]);
  }
  return high - low;
}

/// Which classes are drawn: of two the second, of few all, of many those that the column moves most.
std::vector<std::size_t> drawn_outputs(const Means& means, std::size_t outputs) {
  if (outputs <= 2) return {outputs - 1};
  std::vector<std::size_t> all(outputs);
  for (std::size_t k = 0; k < outputs; ++k) all[k] = k;
  if (outputs <= coloured_outputs) return all;
  std::ranges::stable_sort(all, std::greater{}, [&](std::size_t k) { return range_of(means, k); });
  all.resize(4);
  return all;
}

std::string answer_name(const RunRecord& run) {
  const Json& target = member(member(run.analysis, "data"), "target");
  if (!run.classifies()) return text_at(target, "name");
  return "probability";
}

std::vector<std::string> class_names(const RunRecord& run) {
  std::vector<std::string> names;
  for (const Json& entry : member(run.analysis, "per_class")) names.push_back(text_at(entry, "class"));
  return names;
}

NumberText answer_labels(const RunRecord& run) {
  return run.classifies() ? share_labels() : number_labels();
}

/// Texts that are numbers, as far as the ends do not lie so far out that nothing else would be seen.
std::vector<std::size_t> shown_values(const std::vector<double>& x) {
  std::size_t first = 0;
  std::size_t end = x.size();
  const auto far = [&](double step) { return step > 0.4 * (x[end - 1] - x[first]); };
  while (end - first > 4 && far(x[end - 1] - x[end - 2])) --end;
  while (end - first > 4 && far(x[first + 1] - x[first])) ++first;
  std::vector<std::size_t> shown;
  for (std::size_t v = first; v < end; ++v) shown.push_back(v);
  return shown;
}

std::string number_picture(const RunRecord& run, const std::string& column, const std::vector<double>& x,
                           const Means& means, const std::vector<std::size_t>& outputs, const Scale& y) {
  std::vector<double> seen;
  for (const std::size_t v : shown_values(x)) seen.push_back(x[v]);
  Scale scale = fitting(seen);
  Chart chart(column, {.name = column, .scale = scale, .text = number_labels()},
              {.name = answer_name(run), .scale = y, .text = answer_labels(run)});
  chart.height(200);
  if (run.classifies()) chart.in_percent();
  const std::vector<std::string> names = class_names(run);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Curve curve;
    for (const std::size_t v : shown_values(x)) curve.add(x[v], means[v][outputs[i]]);
    chart.curve(curve, fmt::format("curve s{}", i % coloured_outputs + 1),
                run.classifies() && outputs[i] < names.size() ? names[outputs[i]] : answer_name(run));
  }
  return chart.str();
}

/// Texts: one bar each, of the output that the column moves most.
std::string text_bars(const RunRecord& run, const std::vector<std::string>& values, const Means& means,
                      std::size_t output, const Scale& y) {
  std::string html = "<div class=\"bars\"><ol>";
  for (std::size_t v = 0; v < std::min<std::size_t>(values.size(), 10); ++v) {
    const double share = (means[v][output] - y.low) / (y.high - y.low);
    html += fmt::format(
        "<li><span class=\"key\">{}</span><span class=\"track\"><i style=\"width:{:.1f}%\"></i></span>"
        "<span class=\"value\">{}</span></li>",
        escaped(values[v]), 100 * std::clamp(share, 0.0, 1.0), escaped(answer_labels(run)(means[v][output])));
  }
  return html + "</ol></div>";
}

/// One axis for all columns, so that their effects can be compared.
Scale common_scale(const RunRecord& run) {
  std::vector<double> all;
  for (const Json& entry : member(run.analysis, "dependence")) {
    const Means means = means_of(member(entry, "answers"));
    if (means.empty() || means[0].empty()) continue;
    for (const std::size_t output : drawn_outputs(means, means[0].size()))
      for (const std::vector<double>& row : means) all.push_back(output < row.size() ? row[output] : NAN);
  }
  const Scale scale = fitting(all);
  if (!run.classifies()) return scale;
  return {.low = std::max(0.0, scale.low), .high = std::min(1.0, scale.high)};
}

std::string column_html(const RunRecord& run, const Json& entry, const Scale& y) {
  const std::string column = text_at(entry, "column");
  const std::vector<std::string> values = texts_at(member(entry, "values"));
  const Means means = means_of(member(entry, "answers"));
  if (means.empty() || means.size() != values.size() || means[0].empty()) return "";
  for (const std::vector<double>& row : means)
    if (row.size() != means[0].size()) return "";
  std::vector<std::size_t> outputs = drawn_outputs(means, means[0].size());
  const std::vector<std::string> names = class_names(run);
  std::vector<double> x;
  for (const std::string& value : values)
    if (const auto number = parse_number(value); number && std::isfinite(*number)) x.push_back(*number);
  const bool number = member(entry, "number") == true && x.size() == values.size() && x.size() > 1;
  if (!number) {
    std::ranges::stable_sort(outputs, std::greater{}, [&](std::size_t k) { return range_of(means, k); });
    outputs.resize(1);
  }
  std::string html = fmt::format("<div><h3>{}</h3>", escaped(column));
  if (means[0].size() > 2) {
    Legend entries;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      entries.emplace_back(fmt::format("stroke s{}", i % coloured_outputs + 1),
                           outputs[i] < names.size() ? names[outputs[i]] : "");
    }
    html += legend(entries);
  }
  const Scale whole{.low = run.classifies() ? 0 : y.low, .high = y.high};
  html += number ? number_picture(run, column, x, means, outputs, y)
                 : text_bars(run, values, means, outputs[0], whole);
  return html + "</div>";
}

/// "12.3k".
std::string compact(double value) {
  constexpr double thousand = 1000;
  if (std::abs(value) >= thousand * thousand) return fmt::format("{:.3g}M", value / (thousand * thousand));
  if (std::abs(value) >= thousand) return fmt::format("{:.3g}k", value / thousand);
  return fmt::format("{:.3g}", value);
}

/// A number as short as a cell of a table needs it.
std::string short_value(const std::string& text) {
  const auto number = parse_number(text);
  return number && std::isfinite(*number) ? compact(*number) : text;
}

std::string pair_html(const RunRecord& run, const Json& pair) {
  const std::vector<std::string> columns = texts_at(member(pair, "columns"));
  const Json& values = member(pair, "values");
  if (columns.size() != 2 || !values.is_array() || values.size() != 2) return "";
  const std::vector<std::string> down = texts_at(values[0]);
  const std::vector<std::string> across = texts_at(values[1]);
  const Means means = means_of(member(pair, "answers"));
  if (means.size() != down.size()) return "";
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const std::vector<double>& row : means) {
    if (row.size() != across.size()) return "";
    for (const double value : row) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const std::string of = text_at(pair, "class");
  std::string html = fmt::format(
      "<div><h3>{} and {}</h3><div class=\"scroll\"><table class=\"matrix small heat\"><thead><tr><th>{} ↓ "
      "{} "
      "→</th>",
      escaped(columns[0]), escaped(columns[1]), escaped(columns[0]), escaped(columns[1]));
  for (const std::string& value : across)
    html += fmt::format("<th><span>{}</span></th>", escaped(short_value(value)));
  html += "</tr></thead><tbody>";
  for (std::size_t i = 0; i < down.size(); ++i) {
    html += fmt::format("<tr><th>{}</th>", escaped(short_value(down[i])));
    for (const double value : means[i]) {
      const double share = high > low ? (value - low) / (high - low) : 0;
      html += fmt::format("<td class=\"right{}\" style=\"--v:{:.2f}\">{}</td>", share > 0.55 ? " strong" : "",
                          0.04 + 0.96 * share,
                          run.classifies() ? fmt::format("{:.0f} %", 100 * value) : compact(value));
    }
    html += "</tr>";
  }
  const double joint = number_at(pair, "joint");
  return html + "</tbody></table></div>" +
         caption(fmt::format(
             "Mean {}{}; typically {} away from what the two columns do one by one.",
             run.classifies() ? "probability of " : answer_name(run), run.classifies() ? "“" + of + "”" : "",
             run.classifies() ? fmt::format("{:.1f} points", 100 * joint) : number_text(joint))) +
         "</div>";
}

}  // namespace

std::string dependence_html(const RunRecord& run) {
  const Json& dependence = member(run.analysis, "dependence");
  if (!run.analysis.is_object()) return {};
  if (!dependence.is_array()) return not_told();
  if (nothing_matters(run))
    return "<p class=\"empty\">The model says the same of every row: no column does anything.</p>";
  const Scale y = common_scale(run);
  std::string charts;
  for (const Json& entry : dependence) charts += column_html(run, entry, y);
  if (charts.empty()) return "<p class=\"empty\">No column has values to compare.</p>";
  const Json& target = member(run.analysis, "thresholds");
  const std::string what = !run.classifies() ? "What the model says"
                           : target.is_object()
                               ? fmt::format("The probability of “{}”", text_at(target, "class"))
                               : std::string("Probabilities");
  std::string html =
      "<div class=\"pair effects\">" + charts + "</div>" +
      caption(fmt::format(
          "{} on average over {} {} rows when all of them get the same value in one column (partial "
          "dependence); the most important columns. Where columns go together in the data, some of these "
          "rows "
          "are unlike any real one.",
          what, count_text(number_at(run.analysis, "averaged")), text_at(run.analysis, "rows")));
  std::string pairs;
  for (const Json& pair : member(run.analysis, "interactions")) pairs += pair_html(run, pair);
  if (!pairs.empty())
    html += "<h3 class=\"together\">Columns that work together</h3><div class=\"pair\">" + pairs + "</div>";
  return html;
}

}  // namespace coppice
