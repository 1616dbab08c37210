#include "coppice/report/section.h"
#include "coppice/report/svg.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr std::size_t bars_shown = 15;

struct Ranked {
  std::string column;
  double value = 0;
};

std::vector<Ranked> ranked(const Json& importance, const char* key) {
  std::vector<Ranked> all;
  for (const Json& entry : member(importance, key)) {
    const double value = number_at(entry, "value");
    if (std::isfinite(value)) all.push_back({.column = text_at(entry, "column"), .value = value});
  }
  return all;
}

std::string bars(const std::string& title, const std::vector<Ranked>& entries, const NumberText& label) {
  double most = 1e-30;
  for (const Ranked& entry : entries) most = std::max(most, entry.value);
  std::string html = fmt::format("<div class=\"bars\"><h3>{}</h3><ol>", escaped(title));
  for (std::size_t i = 0; i < std::min(entries.size(), bars_shown); ++i) {
    html += fmt::format(
        "<li><span class=\"key\">{}</span><span class=\"track\"><i style=\"width:{:.1f}%\"></i></span>"
        "<span class=\"value\">{}</span></li>",
        escaped(entries[i].column), 100 * std::max(entries[i].value, 0.0) / most,
        escaped(label(entries[i].value)));
  }
  html += "</ol>";
  if (entries.size() > bars_shown)
    html += fmt::format("<p class=\"more\">and {} more</p>", entries.size() - bars_shown);
  return html + "</div>";
}

/// Cells of one shade are one path.
std::string heat_map(const std::string& title, const std::vector<double>& values, std::size_t rows,
                     std::size_t cols) {
  constexpr std::size_t shades = 24;
  double most = 1e-30;
  for (const double value : values) most = std::max(most, std::isfinite(value) ? value : 0);
  std::array<std::string, shades + 1> paths;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] > 0)) continue;
    const auto shade = static_cast<std::size_t>(std::lround(values[i] / most * shades));
    paths.at(std::min(shade, shades)) += fmt::format("M{} {}h1v1h-1z", i % cols, i / cols);
  }
  Svg svg(static_cast<double>(cols), static_cast<double>(rows), title);
  svg.rect(0, 0, static_cast<double>(cols), static_cast<double>(rows), "heat-ground");
  for (std::size_t s = 1; s <= shades; ++s) {
    svg.opacity(static_cast<double>(s) / shades);
    svg.path(paths.at(s), "heat");
  }
  return fmt::format("<figure class=\"heat-map\"><figcaption>{}</figcaption>{}</figure>", escaped(title),
                     svg.str());
}

std::string heat_maps(const Json& image) {
  const double rows = number_at(image, "rows");
  const double cols = number_at(image, "cols");
  if (!(rows >= 1 && cols >= 1)) return "";
  std::string html;
  for (const auto& [key, title] :
       {std::pair("fan_out", "by the weights that leave a pixel"),
        std::pair("permutation", "by the rise of the log-loss when pixels are shuffled")}) {
    const std::vector<double> values = numbers_at(image, key);
    if (static_cast<double>(values.size()) != rows * cols) continue;
    html += heat_map(title, values, static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
  }
  return html.empty() ? html : "<div class=\"pair\">" + html + "</div>";
}

}  // namespace

std::string importance_html(const RunRecord& run) {
  const Json& importance = member(run.analysis, "importance");
  const std::vector<Ranked> fan_out = ranked(importance, "fan_out");
  const std::vector<Ranked> permutation = ranked(importance, "permutation");
  std::string html;
  if (!permutation.empty() && nothing_matters(run))
    return "<p class=\"empty\">The model says the same of every row: no column matters to it.</p>";
  if (!fan_out.empty() || !permutation.empty()) {
    const bool by_loss = run.classifies();
    const NumberText rise = [&run](double value) {
      if (!run.classifies()) return fmt::format("{:+.2f} pts", 100 * value);
      return fmt::format("{:+.4f}", value);
    };
    html = "<div class=\"pair\">" +
           bars(by_loss ? "By shuffling: rise of the log-loss"
                        : "By shuffling: rise of the unexplained variance",
                permutation, rise) +
           bars("By weights: strength of the fan-out", fan_out, number_labels()) + "</div>";
    const std::string first = permutation.empty() ? fan_out.front().column : permutation.front().column;
    html += caption(
        fmt::format("“{}” matters most. First: how much the {} rises when the values of one column are "
                    "shuffled among rows ({}). Then: how strongly the weights of the net spread a column’s "
                    "values. Columns that tell the same can each look unimportant by shuffling.",
                    first, by_loss ? "log-loss" : "unexplained variance", rows_text(run)));
  } else {
    html = heat_maps(member(run.analysis, "image_importance"));
    if (!html.empty()) {
      html += caption(
          "The stronger the colour of a pixel, the more the net depends on it: on the left by the weights "
          "that leave it, on the right by how much the log-loss rises when a square of pixels is shuffled "
          "among "
          "images.");
    }
  }
  return html;
}

}  // namespace coppice
