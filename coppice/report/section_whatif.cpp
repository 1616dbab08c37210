#include "coppice/model/parts.h"
#include "coppice/report/page_model.h"
#include "coppice/report/section.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace coppice {

namespace {

/// About 1.3 MB of the page.
constexpr std::size_t most_weights = 250'000;

const Json& typical_of(const RunRecord& run, const std::string& column) {
  static const Json nothing;
  for (const Json& entry : member(run.analysis, "typical"))
    if (text_at(entry, "column") == column) return entry;
  return nothing;
}

/// "date", "moment", "time", "text" or "number": how a cell is typed in.
std::string kind_of(const Encoding& encoding, const ModelColumn& column) {
  for (const Derived& derived : encoding.derived) {
    if (derived.source == column.name && derived.kind != DerivedKind::rank)
      return std::string(name_of(derived.kind));
  }
  return column.kind == ColumnKind::number ? "number" : "text";
}

/// Categories, then typical values that have no input of their own.
std::vector<std::string> choices(const ModelColumn& column, const Json& typical) {
  std::vector<std::string> all = column.categories;
  for (const Json& value : member(typical, "values")) {
    if (value.is_string() && std::ranges::find(all, value.get<std::string>()) == all.end())
      all.push_back(value.get<std::string>());
  }
  return all;
}

/// A column's place in the list of importance; those that are not in it come last.
std::size_t place_of(const RunRecord& run, const std::string& column) {
  std::size_t place = 0;
  for (const Json& entry : member(member(run.analysis, "importance"), "permutation")) {
    if (text_at(entry, "column") == column) return place;
    ++place;
  }
  return place;
}

/// What can be set, the most important column first; nothing if some column has no typical values.
Json fields_of(const RunRecord& run) {
  std::vector<ModelColumn> columns = run.model->columns();
  std::ranges::stable_sort(columns, {},
                           [&](const ModelColumn& column) { return place_of(run, column.name); });
  Json fields = Json::array();
  for (const ModelColumn& column : columns) {
    const Json& typical = typical_of(run, column.name);
    if (typical.is_null()) return {};
    const std::string kind = kind_of(run.model->parts().encoding, column);
    Json field{{"column", column.name}, {"kind", kind}, {"usual", text_at(typical, "usual")}};
    if (kind == "text") {
      field["values"] = choices(column, typical);
    } else {
      field["values"] = member(typical, "values");
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

std::string left_out(const std::string& why) {
  return fmt::format("<p class=\"empty\">{}</p>", escaped(why));
}

}  // namespace

std::string whatif_html(const RunRecord& run) {
  if (!run.analysis.is_object()) return {};
  if (!member(run.analysis, "typical").is_array()) return not_told();
  if (!run.model) return left_out("The run directory has no file of this model, so it cannot run here.");
  if (run.model->parameters() > most_weights) {
    return left_out(
        fmt::format("The model has {} parameters, too many to carry in this page; use coppice predict.",
                    count_text(run.model->parameters())));
  }
  const Json fields = fields_of(run);
  if (fields.empty())
    return left_out(
        "Typical values of some columns are not known, so the model cannot run here; use coppice predict.");
  Json model = page_model(*run.model, member(run.analysis, "typical"));
  model["fields"] = fields;
  return "<p class=\"empty needs-script\">This part needs scripts, which are off.</p>" +
         fmt::format("<div class=\"what-if\" data-model=\"{}\"></div>",
                     escaped(model.dump(-1, ' ', false, Json::error_handler_t::replace))) +
         caption(
             "The model itself runs in this page, on what is set here; it starts from the middle of each "
             "number and the most frequent text. An empty number is a missing one. The thin lines show how "
             "the answer would change with that column alone.");
}

}  // namespace coppice
