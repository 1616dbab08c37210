#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/data/column_names.h"
#include "coppice/data/encoding.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace coppice {

namespace {

/// How the model takes columns, by their names; wide tables have too many to search a list for each.
std::unordered_map<std::string_view, ColumnUse> uses_by_name(const Encoding& encoding) {
  std::unordered_map<std::string_view, ColumnUse> uses;
  for (const InputColumn& column : encoding.columns) {
    uses[column.name] = column.kind == ColumnKind::number ? ColumnUse::number : ColumnUse::text;
  }
  for (const std::string& id : encoding.ids) uses[id] = ColumnUse::text;
  for (const std::string& name : encoding.unused) uses[name] = ColumnUse::skip;
  return uses;
}

/// Inputs the file lacks. In libsvm a column that no row mentions is zero everywhere, so none is missing.
void require_inputs(const TableProfile& profile, const Encoding& encoding) {
  if (profile.source.format == Format::libsvm) return;
  std::unordered_set<std::string_view> there;
  for (const ColumnProfile& column : profile.columns) there.insert(column.name);
  std::vector<std::string> missing;
  for (const InputColumn& column : encoding.columns) {
    if (!there.contains(column.name)) missing.push_back(column.name);
  }
  if (missing.empty()) return;
  const bool one = missing.size() == 1;
  const std::string hint = one ? suggestion(missing.front(), column_names(profile)) : std::string();
  const std::string header =
      profile.source.format == Format::csv && !profile.header ? "; its first line holds no names" : "";
  for (std::string& name : missing) name = cited(name);
  fail("{}: the model needs the column{} {}, which {} missing in the file{}{}; the columns there are {}",
       profile.source.path, one ? "" : "s", listed(missing), one ? "is" : "are", hint, header,
       listed(column_names(profile)));
}

}  // namespace

LoadPlan plan_loading(const TableProfile& profile, const Encoding& encoding, bool with_target,
                      std::vector<std::string>& warnings) {
  require_inputs(profile, encoding);
  const std::string& target = encoding.target.name;
  if (with_target && !find_column(profile, target)) {
    fail("{}: the target column {} is missing in the file{}; add it, the columns there are {}",
         profile.source.path, cited(target), suggestion(target, column_names(profile)),
         listed(column_names(profile)));
  }
  const auto uses = uses_by_name(encoding);
  LoadPlan plan;
  std::vector<std::string> extra;
  for (const ColumnProfile& column : profile.columns) {
    const bool is_target = column.name == target;
    const auto known = uses.find(column.name);
    ColumnUse use = known != uses.end() ? known->second : ColumnUse::skip;
    if (is_target) {
      use = !with_target ? ColumnUse::skip
                         : (encoding.task == Task::classification ? ColumnUse::text : ColumnUse::number);
    } else if (known == uses.end()) {
      extra.push_back(column.name);
    }
    plan.uses.push_back(use);
    plan.required.push_back(is_target && with_target);
  }
  if (!extra.empty()) {
    warnings.push_back(fmt::format("{}: columns that the model does not know are ignored: {}",
                                   profile.source.path, listed(extra)));
  }
  std::vector<std::string> absent;
  std::ranges::copy_if(encoding.ids, std::back_inserter(absent),
                       [&](const std::string& id) { return !find_column(profile, id); });
  if (!absent.empty()) {
    warnings.push_back(fmt::format("{}: id columns that the file lacks are not passed through: {}",
                                   profile.source.path, listed(absent)));
  }
  return plan;
}

}  // namespace coppice
