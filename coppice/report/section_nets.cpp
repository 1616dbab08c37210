#include "coppice/report/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

/// More nets than this are shown as the front and the others.
constexpr std::size_t most_at_once = 12;

std::string spread_text(const Json& point, const char* key, const NumberText& text) {
  const Json& spread = member(point, key);
  const double median = number_at(spread, "median");
  if (!std::isfinite(median)) return "-";
  return fmt::format("{} <small>({}–{})</small>", text(median), text(number_at(spread, "low")),
                     text(number_at(spread, "high")));
}

/// Median and range over the seeds of each lambda; empty where every lambda has one net.
std::string points_table(const RunRecord& run) {
  std::vector<std::vector<std::string>> rows;
  bool several = false;
  const NumberText error = [&run](double value) { return error_text(run.task, value); };
  for (const Json& point : member(run.summary, "points")) {
    several = several || member(point, "nets").size() > 1;
    const bool fixed = text_at(point, "kind") == name_of(NetKind::fixed);
    rows.push_back({sizing_text(fixed ? NetKind::fixed : NetKind::grown, number_at(point, "lambda")),
                    std::to_string(member(point, "nets").size()),
                    spread_text(point, "parameters", count_labels()),
                    spread_text(point, "validation_error", error), spread_text(point, "test_error", error)});
  }
  if (!several) return "";
  return "<h3>By lambda: median and range over seeds</h3>" +
         table_html({"lambda", "nets", "parameters", "validation error", "test error"}, rows);
}

}  // namespace

std::string nets_html(const RunRecord& run) {
  const bool tested =
      std::ranges::any_of(run.nets, [](const NetResult& net) { return net.test_error.has_value(); });
  const bool sized = std::ranges::any_of(run.nets, [](const NetResult& net) { return net.bytes > 0; });
  const bool inputs_differ = std::ranges::any_of(run.nets, [&](const NetResult& net) {
    return net.members.empty() && net.inputs != run.nets.front().inputs;
  });
  std::vector<std::string> heading{"lambda", "seed"};
  if (inputs_differ) heading.emplace_back("inputs");
  heading.insert(heading.end(), {"units", "parameters"});
  if (sized) heading.emplace_back("file");
  heading.emplace_back("train loss");
  heading.emplace_back("validation error");
  if (tested) heading.emplace_back("test error");
  heading.insert(heading.end(), {"epochs", "end", ""});
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> styles;
  std::vector<std::vector<std::string>> others;
  std::vector<std::string> other_styles;
  for (std::size_t i = 0; i < run.nets.size(); ++i) {
    const NetResult& net = run.nets[i];
    const bool many = !net.members.empty();
    std::vector<std::string> row{many ? "" : sizing_text(net.kind, net.lambda),
                                 many ? "" : std::to_string(net.seed)};
    if (inputs_differ) row.push_back(many ? "" : count_text(net.inputs));
    row.insert(row.end(), {units_text(net), count_text(net.parameters)});
    if (sized) row.push_back(bytes_text(static_cast<double>(net.bytes)));
    row.push_back(number_text(net.train_loss));
    row.push_back(error_text(run.task, net.validation_error));
    if (std::isfinite(net.standard_error)) {
      row.back() += fmt::format(" <small>± {}</small>", error_text(run.task, net.standard_error));
    }
    if (tested) row.push_back(net.test_error ? error_text(run.task, *net.test_error) : "-");
    row.push_back(count_text(net.epochs));
    row.push_back(escaped(end_text(net)));
    std::string place = net.fold > 0    ? fmt::format("fold {}", net.fold + 1)
                        : net.dominated ? "dominated"
                                        : "front";
    if (i == run.chosen) place = run.fits ? "<b>chosen</b>" : "<b>best</b>";
    if (net.warm_from && !net.refit) place += ", warm start";
    row.push_back(std::move(place));
    const bool leads =
        i == run.chosen || run.nets.size() <= most_at_once || (net.fold == 0 && !net.dominated);
    (leads ? rows : others).push_back(std::move(row));
    (leads ? styles : other_styles)
        .emplace_back(i == run.chosen ? "is-chosen"
                      : net.dominated ? "is-dominated"
                                      : "");
  }
  std::string html = points_table(run) + table_html(heading, rows, styles);
  if (others.empty()) return html;
  return html + fmt::format("<details><summary>The other {} nets</summary>{}</details>", others.size(),
                            table_html(heading, others, other_styles));
}

}  // namespace coppice
