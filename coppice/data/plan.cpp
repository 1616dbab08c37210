#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/data/column_names.h"
#include "coppice/data/encoding.h"
#include "coppice/data/stray_cells.h"
#include "coppice/data/task.h"

#include <algorithm>

namespace coppice {

namespace {

void check_names(const TableProfile& profile, const EncodingOptions& options, const std::string& target) {
  const auto check = [&](const std::vector<std::string>& names, std::string_view flag, bool target_too) {
    for (const std::string& name : names) {
      require_column(profile, name, flag);
      if (name == target && !target_too) {
        fail("{}: {} names the target {}; name another column or another --target", profile.source.path, flag,
             cited(name));
      }
    }
  };
  check(options.ignore, "--ignore", false);
  check(options.ids, "--id", false);
  check(options.categorical, "--categorical", true);
}

/// Many different texts that are no rare exception: ticket numbers with letters in some of them, not slips.
bool mixes_codes(const ColumnProfile& column) {
  return column.distinct_texts == ColumnProfile::most_distinct_texts &&
         (column.present - column.numeric - column.unread_numbers) * 10 > column.present;
}

/// As declared; else numbers if all are; a few texts among numbers are taken for slips, not for categories.
ColumnKind kind_of(const TableProfile& profile, const ColumnProfile& column,
                   std::vector<std::string>& notes) {
  if (column.declared) return *column.declared;
  if (column.numeric == column.present) return ColumnKind::number;
  if (!mostly_numbers(column)) return ColumnKind::text;
  if (mixes_codes(column)) {
    notes.push_back(fmt::format("column {} is taken as text: {} of its {} values are no numbers, such as {}",
                                cited(column.name), column.present - column.numeric, column.present,
                                cited(column.stray_value)));
    return ColumnKind::text;
  }
  if (column.unread_numbers > 0) {
    refuse_unread_numbers(
        profile, column,
        fmt::format(", or use --categorical {} if these are no numbers", as_argument(column.name)));
  }
  fail(
      "{}: {} is not a number, but {} of the {} values in this column are; correct it, "
      "leave the cell empty or write NA if the value is missing, or use --categorical {} if the column holds "
      "categories",
      stray_place(profile, column), cited(column.stray_value), column.numeric, column.present,
      as_argument(column.name));
}

/// Names, ticket numbers and the like: nearly every row has its own, so nothing can be learned from them.
bool looks_like_identifier(const ColumnProfile& column) {
  if (!column.declared_values.empty()) return false;
  return column.more_distinct || (column.present > 50 && column.distinct.size() * 10 > column.present * 9);
}

struct Dropped {
  std::vector<std::string> empty;
  std::vector<std::string> identifiers;
};

ColumnUse input_use(const TableProfile& profile, const ColumnProfile& column, const EncodingOptions& options,
                    Dropped& dropped, std::vector<std::string>& notes) {
  if (column.present == 0) {
    dropped.empty.push_back(column.name);
    return ColumnUse::skip;
  }
  if (contains(options.categorical, column.name)) return ColumnUse::text;
  if (kind_of(profile, column, notes) == ColumnKind::number) return ColumnUse::number;
  if (!looks_like_identifier(column)) return ColumnUse::text;
  dropped.identifiers.push_back(column.name);
  return ColumnUse::skip;
}

void warn(const Dropped& dropped, std::vector<std::string>& warnings) {
  if (!dropped.empty.empty()) {
    warnings.push_back(fmt::format("columns without any value are left out: {}", listed(dropped.empty)));
  }
  for (const std::string& name : dropped.identifiers) {
    warnings.push_back(fmt::format(
        "column {} looks like an identifier (text that differs in nearly every row) and is left out; --id {} "
        "passes it through to predictions, --categorical {} uses it",
        cited(name), as_argument(name), as_argument(name)));
  }
}

}  // namespace

TrainingPlan plan_training(const TableProfile& profile, const EncodingOptions& options,
                           std::vector<std::string>& notes, std::vector<std::string>& warnings) {
  const std::size_t target = find_target(profile, options, notes);
  TrainingPlan plan;
  plan.target = profile.columns[target].name;
  check_names(profile, options, plan.target);
  if (profile.rows < 2) {
    fail("{}: the data has {} row{}, but training needs at least two; add rows", profile.source.path,
         profile.rows, profile.rows == 1 ? "" : "s");
  }
  plan.task = find_task(profile, profile.columns[target], options, notes);

  Dropped dropped;
  bool any_input = false;
  plan.load.required.assign(profile.columns.size(), false);
  plan.load.required[target] = true;
  for (std::size_t i = 0; i < profile.columns.size(); ++i) {
    const ColumnProfile& column = profile.columns[i];
    ColumnUse use = ColumnUse::skip;
    if (i == target) {
      use = plan.task == Task::classification ? ColumnUse::text : ColumnUse::number;
    } else if (contains(options.ids, column.name)) {
      use = ColumnUse::text;
    } else if (!contains(options.ignore, column.name)) {
      use = input_use(profile, column, options, dropped, notes);
      any_input = any_input || use != ColumnUse::skip;
    }
    plan.load.uses.push_back(use);
  }
  warn(dropped, warnings);
  if (!any_input) {
    fail("{}: no input columns are left beside the target {}; ignore fewer columns or add some",
         profile.source.path, cited(plan.target));
  }
  return plan;
}

}  // namespace coppice
