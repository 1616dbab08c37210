#include "coppice/report/section.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace coppice {

namespace {

bool starts_like_number(const std::string& cell) {
  const std::size_t sign = !cell.empty() && cell[0] == '-' ? 1 : 0;
  return cell.size() == sign || (cell[sign] >= '0' && cell[sign] <= '9');
}

}  // namespace

std::string chart_html(const std::string& id, const std::string& picture, const std::string& size) {
  return fmt::format(
      R"(<div class="chart {}" id="chart-{}"><div class="static">{}</div><div class="canvas"><canvas></canvas></div></div>)",
      size, id, picture);
}

std::string caption(const std::string& text) {
  return fmt::format("<p class=\"caption\">{}</p>", escaped(text));
}

std::string captions_per_net(const Page& page, const std::vector<std::string>& texts) {
  std::string html;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    html += fmt::format("<p class=\"caption\" data-net=\"{}\"{}>{}</p>", page.nets[i], i > 0 ? " hidden" : "",
                        escaped(texts[i]));
  }
  return html;
}

std::string legend(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string html = "<ul class=\"legend\">";
  for (const auto& [style, text] : entries) {
    html += fmt::format("<li><i class=\"{}\"></i>{}</li>", style, escaped(text));
  }
  return html + "</ul>";
}

std::string net_selector(const RunRecord& run, const Page& page) {
  if (page.nets.size() < 2) return "";
  std::string html = "<label class=\"selector\">Net <select class=\"net-select\">";
  for (const std::size_t net : page.nets) {
    html += fmt::format("<option value=\"{}\">{}{}</option>", net, escaped(net_text(run.nets[net])),
                        net == run.chosen ? (run.fits ? " (chosen)" : " (best)") : "");
  }
  return html + "</select></label>";
}

std::string no_analysis() {
  return "<p class=\"empty\">This run has no analysis.json, so this part cannot be shown; train again with "
         "this "
         "version to get it.</p>";
}

std::string table_html(const std::vector<std::string>& heading,
                       const std::vector<std::vector<std::string>>& rows,
                       const std::vector<std::string>& row_styles) {
  // Columns of numbers are set to the right.
  std::vector<const char*> styles;
  for (std::size_t c = 0; c < heading.size(); ++c) {
    const bool numbers =
        std::ranges::all_of(rows, [&](const auto& row) { return starts_like_number(row[c]); });
    styles.push_back(numbers && c > 0 ? " class=\"n\"" : "");
  }
  std::string html = "<div class=\"scroll\"><table><thead><tr>";
  for (std::size_t c = 0; c < heading.size(); ++c) {
    html += fmt::format("<th{}>{}</th>", styles[c], heading[c]);
  }
  html += "</tr></thead><tbody>";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    html += r < row_styles.size() && !row_styles[r].empty() ? fmt::format("<tr class=\"{}\">", row_styles[r])
                                                            : "<tr>";
    for (std::size_t c = 0; c < heading.size(); ++c)
      html += fmt::format("<td{}>{}</td>", styles[c], rows[r][c]);
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

std::string ordinal(std::size_t number) {
  constexpr std::array<const char*, 6> words{"first", "second", "third", "fourth", "fifth", "sixth"};
  return number >= 1 && number <= words.size() ? words.at(number - 1) : fmt::format("{}th", number);
}

Json curve_json(const Curve& curve) {
  Json x = Json::array();
  Json y = Json::array();
  for (const double value : curve.x) x.push_back(rounded_json(value));
  for (const double value : curve.y) y.push_back(rounded_json(value));
  return {{"x", std::move(x)}, {"y", std::move(y)}};
}

NumberText count_labels() {
  return [](double value) { return count_text(value); };
}

NumberText number_labels() {
  return [](double value) { return number_text(value); };
}

NumberText error_labels(const RunRecord& run) {
  if (!run.classification) return number_labels();
  return [](double value) { return fmt::format("{:.3g} %", 100 * value); };
}

}  // namespace coppice
