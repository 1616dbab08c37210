#include "coppice/report/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

bool starts_like_number(const std::string& cell) {
  const std::size_t sign = !cell.empty() && cell[0] == '-' ? 1 : 0;
  return cell.size() == sign || (cell[sign] >= '0' && cell[sign] <= '9');
}

/// Whether it is the chosen net, or one of those that are chosen together.
bool is_chosen(const RunRecord& run, std::size_t net) {
  const std::vector<std::size_t>& members = run.chosen_net().members;
  return net == run.chosen || std::ranges::find(members, net) != members.end();
}

/// Nets shown in detail, the chosen ones first, then the front; more would make the page heavy. An ensemble is shown as
/// its nets.
std::vector<std::size_t> detailed_nets(const RunRecord& run) {
  constexpr std::size_t most = 12;
  std::vector<std::size_t> nets;
  for (std::size_t i = 0; i < run.nets.size(); ++i) {
    if (run.nets[i].members.empty()) nets.push_back(i);
  }
  const auto rank = [&](std::size_t net) {
    return is_chosen(run, net) ? 0 : run.nets[net].dominated ? 2 : 1;
  };
  std::ranges::stable_sort(nets, {}, rank);
  nets.resize(std::min(nets.size(), most));
  return nets;
}

std::string net_selector(const RunRecord& run, const std::vector<std::size_t>& nets) {
  if (nets.size() < 2) return "";
  std::string html = "<label class=\"selector\">Net <select data-selects=\"net\">";
  for (const std::size_t net : nets) {
    const char* role = net == run.chosen ? " (chosen)" : " (in the model)";
    html += fmt::format("<option value=\"{}\">{}{}</option>", net, escaped(net_text(run.nets[net])),
                        is_chosen(run, net) ? (run.fits ? role : " (best)") : "");
  }
  return html + "</select></label>";
}

}  // namespace

std::string caption(const std::string& text) {
  return fmt::format("<p class=\"caption\">{}</p>", escaped(text));
}

std::string area_text(double area) {
  if (!std::isfinite(area)) return "-";
  for (int digits = 3; digits < 6; ++digits) {
    std::string text = fmt::format("{:.{}f}", area, digits);
    if (area >= 1 || text[0] == '0') return text;
  }
  return fmt::format("{:.3f}", area);
}

bool nothing_matters(const RunRecord& run) {
  constexpr double least_shown = 1e-4;
  const Json& rises = member(member(run.analysis, "importance"), "permutation");
  return member(run.analysis, "one_answer") == true && rises.is_array() &&
         std::ranges::none_of(rises,
                              [](const Json& entry) { return number_at(entry, "value") >= least_shown; });
}

std::string not_told() {
  return "<p class=\"empty\">The analysis.json of this run is of an earlier version and does not tell this; "
         "train again "
         "to get it.</p>";
}

std::string rows_text(const RunRecord& run) {
  const std::string count = count_text(number_at(run.analysis, "n"));
  if (text_at(run.analysis, "rows") == "test") return fmt::format("the {} test rows", count);
  if (member(run.analysis, "out_of_fold") == true)
    return fmt::format("{} rows, each answered by one net that did not learn from it", count);
  return fmt::format("the {} validation rows, which also chose the net", count);
}

std::string legend(const Legend& entries) {
  std::string html = "<ul class=\"legend\">";
  for (const auto& [style, text] : entries) {
    const std::string key = style.substr(style.rfind(' ') + 1);
    html += fmt::format("<li data-key=\"{}\"><i class=\"{}\"></i>{}</li>", key, style, escaped(text));
  }
  return html + "</ul>";
}

std::string selected_net(const RunRecord& run, const std::function<std::string(std::size_t net)>& html,
                         const std::string& more) {
  const std::vector<std::size_t> nets = detailed_nets(run);
  std::string all = net_selector(run, nets) + more;
  for (const std::size_t net : nets) {
    all +=
        fmt::format("<div data-net=\"{}\"{}>{}</div>", net, net == nets.front() ? "" : " hidden", html(net));
  }
  return all;
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
  constexpr std::size_t most_narrow = 3;
  const bool wide = heading.size() > most_narrow;
  std::string html = fmt::format("<div class=\"scroll\"><table{}><thead><tr>", wide ? " class=\"wide\"" : "");
  for (std::size_t c = 0; c < heading.size(); ++c) {
    html += fmt::format("<th{}>{}</th>", styles[c], heading[c]);
  }
  html += "</tr></thead><tbody>";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    html += r < row_styles.size() && !row_styles[r].empty() ? fmt::format("<tr class=\"{}\">", row_styles[r])
                                                            : "<tr>";
    for (std::size_t c = 0; c < heading.size(); ++c) {
      const std::string label = wide ? fmt::format(" data-label=\"{}\"", heading[c]) : "";
      html += fmt::format("<td{}{}>{}</td>", styles[c], label, rows[r][c]);
    }
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

NumberText count_labels() {
  return [](double value) { return count_text(value); };
}

NumberText number_labels() {
  return [](double value) { return number_text(value); };
}

NumberText share_labels() {
  return [](double value) { return fmt::format("{:.3g} %", 100 * value); };
}

NumberText error_labels(Task task) {
  return task == Task::classification ? share_labels() : number_labels();
}

}  // namespace coppice
