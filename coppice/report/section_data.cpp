#include "coppice/report/section.h"

#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

std::string cell_number(const Json& object, const char* key) {
  const double value = number_at(object, key);
  return std::isfinite(value) ? number_text(value) : "";
}

std::string columns_table(const Json& data) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& column : member(data, "columns")) {
    const double missing = number_at(column, "missing");
    rows.push_back({escaped(text_at(column, "name")), escaped(text_at(column, "kind")),
                    missing > 0 ? count_text(missing) : "", cell_number(column, "inputs"),
                    cell_number(column, "mean"), cell_number(column, "deviation")});
  }
  if (rows.empty()) return "";
  const double total = number_at(data, "columns_total");
  std::string html = fmt::format("<details{}><summary>Columns</summary>", rows.size() <= 30 ? " open" : "");
  html += table_html({"column", "kind", "missing", "inputs", "mean", "deviation"}, rows);
  if (total > static_cast<double>(rows.size())) {
    html += caption(fmt::format("The first {} of {} columns.", rows.size(), count_text(total)));
  }
  return html + "</details>";
}

std::string target_html(const Json& target) {
  const Json& classes = member(target, "classes");
  if (!classes.is_array()) {
    return caption(fmt::format("Target “{}”: numbers from {} to {}, mean {}, deviation {}.",
                               text_at(target, "name"), number_text(number_at(target, "min")),
                               number_text(number_at(target, "max")), number_text(number_at(target, "mean")),
                               number_text(number_at(target, "deviation"))));
  }
  double total = 0;
  for (const Json& entry : classes) total += std::max(number_at(entry, "rows"), 0.0);
  std::vector<std::vector<std::string>> rows;
  for (const Json& entry : classes) {
    const double count = number_at(entry, "rows");
    rows.push_back(
        {escaped(text_at(entry, "name")), count_text(count), share_text(count / std::max(total, 1.0))});
  }
  return fmt::format("<details{}><summary>Classes of “{}”</summary>{}</details>",
                     rows.size() <= 12 ? " open" : "", escaped(text_at(target, "name")),
                     table_html({"class", "rows", "share"}, rows));
}

}  // namespace

std::string data_html(const RunRecord& run) {
  const Json& data = member(run.analysis, "data");
  if (!data.is_object()) return {};
  const Json& rows = member(data, "rows");
  const Json& image = member(data, "image");
  const std::string where = run.in_memory()
                                ? "A table in memory"
                                : fmt::format("{} ({})", text_at(data, "file"), text_at(data, "format"));
  std::string text = fmt::format(
      "{}: {} rows to train, {} to validate, {} to test.", where, count_text(number_at(rows, "train")),
      count_text(number_at(rows, "validation")), count_text(number_at(rows, "test")));
  if (image.is_object()) {
    text += fmt::format(" Images of {} x {} pixels.", number_text(number_at(image, "rows")),
                        number_text(number_at(image, "cols")));
  }
  return caption(text) + "<div class=\"pair uneven\">" + columns_table(data) +
         target_html(member(data, "target")) + "</div>";
}

}  // namespace coppice
