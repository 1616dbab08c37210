#include "coppice/report/section.h"

#include <algorithm>
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
  const char* size = names.size() > 25   ? "many tiny"
                     : names.size() > 12 ? "many small"
                     : names.size() > 6  ? "many"
                                         : "";
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
  std::size_t actual = 0;
  std::size_t predicted = 0;
  for (std::size_t a = 0; a < counts.size(); ++a) {
    for (std::size_t p = 0; p < counts[a].size(); ++p) {
      if (a == p || counts[a][p] <= most) continue;
      most = counts[a][p];
      actual = a;
      predicted = p;
    }
  }
  std::string text = fmt::format(
      "Made of {}. Each line is an actual class; what is off the diagonal is wrong; the "
      "columns have the order of the lines. ",
      rows_text(run));
  if (most == 0) return text + "There is not one mistake.";
  return text + fmt::format("The most frequent mistake: “{}” taken for “{}” ({} times).", names[actual],
                            names[predicted], count_text(most));
}

/// Of many classes the mistakes that occur most, for a matrix of them is hard to read.
std::string frequent_mistakes(const std::vector<std::string>& names, const Counts& counts) {
  constexpr std::size_t many_classes = 8;
  constexpr std::size_t most_listed = 8;
  struct Mistake {
    double count;
    std::size_t actual, predicted;
  };
  std::vector<Mistake> mistakes;
  for (std::size_t a = 0; a < counts.size(); ++a) {
    for (std::size_t p = 0; p < counts[a].size() && p < names.size(); ++p)
      if (a != p && counts[a][p] > 0) mistakes.push_back({counts[a][p], a, p});
  }
  if (names.size() < many_classes || mistakes.empty()) return "";
  std::ranges::stable_sort(mistakes, std::ranges::greater{}, &Mistake::count);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(mistakes.size(), most_listed); ++i) {
    const Mistake& mistake = mistakes[i];
    rows.push_back({escaped(names[mistake.actual]), escaped(names[mistake.predicted]),
                    count_text(mistake.count), share_text(mistake.count / sum(counts[mistake.actual]))});
  }
  return "<h3>The most frequent mistakes</h3>" +
         table_html({"actual", "taken for", "rows", "of the class"}, rows);
}

std::string class_table(const RunRecord& run) {
  const auto share = [](const Json& entry, const char* key) {
    const double value = number_at(entry, key);
    return std::isfinite(value) ? share_text(value) : std::string("-");
  };
  std::vector<std::vector<std::string>> rows;
  for (const Json& entry : member(run.analysis, "per_class")) {
    const std::string name = text_at(entry, "class");
    double area = std::nan("");
    for (const Json& curve : member(run.analysis, "curves"))
      if (text_at(curve, "class") == name) area = number_at(curve, "auc");
    rows.push_back({escaped(name), count_text(number_at(entry, "rows")), share(entry, "recall"),
                    share(entry, "precision"), share(entry, "f1"), area_text(area)});
  }
  if (rows.empty()) return "";
  // The area of the second of two classes is that of the first.
  if (rows.size() == 2) rows[0][5] = rows[1][5];
  return fmt::format("<details{}><summary>Each class</summary>", rows.size() <= 12 ? " open" : "") +
         table_html({"class", "rows", "found (recall)", "right (precision)", "F1", "AUC"}, rows) +
         "</details>";
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
    return frequent_mistakes(names, counts) + matrix(names, counts) +
           caption(describe_confusion(run, names, counts)) + class_table(run);
  if (!run.analysis.is_object()) return {};
  return "<p class=\"empty\">There are too many classes for a table of mistakes.</p>";
}

}  // namespace coppice
