#include "coppice/report/section.h"

#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

using Counts = std::vector<std::vector<double>>;

Counts counts_of(const Json& confusion) {
  Counts counts;
  for (const Json& row : member(confusion, "counts")) {
    std::vector<double> numbers;
    for (const Json& value : row) numbers.push_back(value.is_number() ? value.get<double>() : 0);
    counts.push_back(std::move(numbers));
  }
  return counts;
}

double sum(const std::vector<double>& row) {
  double total = 0;
  for (const double value : row) total += value;
  return total;
}

/// A cell's shade is its share of the row; roots make rare mistakes visible.
std::string cell(double count, double total, bool right, const std::string& title) {
  const double share = total > 0 ? count / total : 0;
  const double shade = right ? share : std::sqrt(share);
  return fmt::format("<td class=\"{}{}\" style=\"--v:{:.2f}\" title=\"{}\">{}</td>",
                     right ? "right" : "wrong", shade > 0.55 ? " strong" : "",
                     count > 0 ? 0.06 + 0.94 * shade : 0, escaped(title), count > 0 ? count_text(count) : "");
}

std::string matrix(const std::vector<std::string>& names, const Counts& counts) {
  const char* size = names.size() > 25 ? "tiny" : names.size() > 12 ? "small" : "";
  std::string html = fmt::format(
      "<div class=\"scroll\"><table class=\"matrix {}\"><thead><tr><th>actual ↓ predicted →</th>", size);
  for (const std::string& name : names) html += fmt::format("<th><span>{}</span></th>", escaped(name));
  html += "<th>right</th></tr></thead><tbody>";
  for (std::size_t a = 0; a < names.size(); ++a) {
    const std::vector<double>& row = counts[a];
    const double total = sum(row);
    html += fmt::format("<tr><th>{}</th>", escaped(names[a]));
    for (std::size_t p = 0; p < names.size(); ++p) {
      const double count = p < row.size() ? row[p] : 0;
      html += cell(count, total, a == p,
                   fmt::format("{} rows of {} taken for {}", count_text(count), names[a], names[p]));
    }
    const double right = a < row.size() ? row[a] : 0;
    html += fmt::format("<td class=\"sum\">{}</td></tr>", total > 0 ? share_text(right / total) : "-");
  }
  return html + "</tbody></table></div>";
}

std::string describe_confusion(const RunRecord& run, const std::vector<std::string>& names,
                               const Counts& counts) {
  double most = 0;
  double total = 0;
  std::size_t actual = 0;
  std::size_t predicted = 0;
  for (std::size_t a = 0; a < counts.size(); ++a) {
    total += sum(counts[a]);
    for (std::size_t p = 0; p < counts[a].size(); ++p) {
      if (a == p || counts[a][p] <= most) continue;
      most = counts[a][p];
      actual = a;
      predicted = p;
    }
  }
  std::string text =
      fmt::format("{} {} rows. Each line is an actual class; what is off the diagonal is wrong. ",
                  count_text(total), text_at(run.analysis, "rows"));
  if (most == 0) return text + "There is not one mistake.";
  return text + fmt::format("The most frequent mistake: “{}” taken for “{}” ({} times).", names[actual],
                            names[predicted], count_text(most));
}

}  // namespace

std::string confusion_html(const RunRecord& run) {
  const Json& confusion = member(run.analysis, "confusion");
  std::vector<std::string> names;
  for (const Json& name : member(confusion, "classes")) {
    names.push_back(name.is_string() ? name.get<std::string>() : name.dump());
  }
  const Counts counts = counts_of(confusion);
  if (!names.empty() && counts.size() == names.size())
    return matrix(names, counts) + caption(describe_confusion(run, names, counts));
  if (!run.analysis.is_object()) return {};
  return "<p class=\"empty\">There are too many classes for a table of mistakes.</p>";
}

}  // namespace coppice
