#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/columns.h"
#include "coppice/data/encoding.h"
#include "coppice/data/target.h"

namespace coppice {

namespace {

void check_names(const Table& table, const EncodingOptions& options, const std::string& target) {
  const auto check = [&](const std::vector<std::string>& names, std::string_view setting, bool target_too) {
    for (const std::string& name : names) {
      require_column(table, name, setting);
      if (name == target && !target_too) {
        fail_option(setting, "{}: `{}` names the target {}; name another column or another `target`",
                    table.name(), setting, cited(name));
      }
    }
  };
  check(options.ignore, "ignore", false);
  check(options.ids, "id", false);
  check(options.categorical, "categorical", true);
}

/// Many different texts that are no rare exception: ticket numbers with letters in some of them, not slips.
bool mixes_codes(const ColumnFacts& facts) {
  return facts.distinct_texts == ColumnFacts::most_distinct_texts &&
         (facts.present - facts.numeric - facts.unread_numbers) * 10 > facts.present;
}

/// Names, ticket numbers and the like: nearly every row has its own, so nothing can be learned from them.
bool looks_like_identifier(const ColumnFacts& facts) {
  if (!facts.declared_values.empty()) return false;
  return facts.more_distinct || (facts.present > 50 && facts.distinct * 10 > facts.present * 9);
}

/// Decides what becomes of the columns beside the target.
class InputPlan {
 public:
  InputPlan(const Table& table, const EncodingOptions& options, std::vector<std::string>& notes)
      : table_(table),
        notes_(notes),
        ids_(name_set(options.ids)),
        ignore_(name_set(options.ignore)),
        categorical_(name_set(options.categorical)) {}

  ColumnUse use_of(std::size_t column) {
    const std::string& name = table_.column(column).name;
    if (ids_.contains(name)) return ColumnUse::text;
    if (ignore_.contains(name)) return ColumnUse::skip;
    const ColumnUse use = input_use(column);
    any_input_ = any_input_ || use != ColumnUse::skip;
    return use;
  }

  bool any_input() const { return any_input_; }

  void warn(std::vector<std::string>& warnings) const {
    if (!empty_.empty()) {
      warnings.push_back(fmt::format("columns without any value are left out: {}", listed(empty_)));
    }
    for (const std::string& name : identifiers_) {
      warnings.push_back(
          fmt::format("column {} looks like an identifier (text that differs in nearly every row) and is "
                      "left out; `id` {} "
                      "passes it through to predictions, `categorical` {} uses it",
                      cited(name), as_argument(name), as_argument(name)));
    }
  }

 private:
  ColumnUse input_use(std::size_t index) {
    const Column& column = table_.column(index);
    if (column.facts.present == 0) {
      empty_.push_back(column.name);
      return ColumnUse::skip;
    }
    if (categorical_.contains(column.name)) return ColumnUse::text;
    if (kind_of(index) == ColumnKind::number) return ColumnUse::number;
    if (!looks_like_identifier(column.facts)) return ColumnUse::text;
    identifiers_.push_back(column.name);
    return ColumnUse::skip;
  }

  /// As declared or given; else numbers if all are; a few texts among numbers are taken for slips, not for categories.
  ColumnKind kind_of(std::size_t index) {
    const Column& column = table_.column(index);
    const ColumnFacts& facts = column.facts;
    if (facts.declared) return *facts.declared;
    if (facts.given_texts) return ColumnKind::text;
    if (facts.all_numbers()) return ColumnKind::number;
    if (!mostly_numbers(facts)) return ColumnKind::text;
    if (mixes_codes(facts)) {
      notes_.push_back(fmt::format(
          "column {} is taken as text: {} of its {} values are no numbers, such as {}", cited(column.name),
          facts.present - facts.numeric, facts.present, cited(facts.stray->text)));
      return ColumnKind::text;
    }
    if (facts.unread_numbers > 0) {
      refuse_unread_numbers(
          table_, index,
          fmt::format(", or use `categorical` {} if these are no numbers", as_argument(column.name)));
    }
    refuse_stray(
        table_, index,
        fmt::format(
            "{} is not a number, but {} of the {} values in this column are; correct it, "
            "leave the cell empty or write NA if the value is missing, or use `categorical` {} if the "
            "column holds categories",
            cited(facts.stray->text), facts.numeric, facts.present, as_argument(column.name)));
  }

  const Table& table_;
  std::vector<std::string>& notes_;
  NameSet ids_;
  NameSet ignore_;
  NameSet categorical_;
  std::vector<std::string> empty_;
  std::vector<std::string> identifiers_;
  bool any_input_ = false;
};

}  // namespace

TrainingPlan plan_training(const Table& table, const EncodingOptions& options,
                           std::vector<std::string>& notes, std::vector<std::string>& warnings) {
  const std::size_t target = find_target(table, options, notes);
  TrainingPlan plan;
  plan.target = table.column(target).name;
  check_names(table, options, plan.target);
  if (table.rows() < 2) {
    fail("{}: the data has {} row{}, but training needs at least two; add rows", table.name(), table.rows(),
         table.rows() == 1 ? "" : "s");
  }
  plan.task = find_task(table, target, options, notes);
  InputPlan inputs(table, options, notes);
  CellCheck check(table);
  for (std::size_t i = 0; i < table.columns(); ++i) {
    const ColumnUse of_target = plan.task == Task::classification ? ColumnUse::text : ColumnUse::number;
    plan.uses.push_back(i == target ? of_target : inputs.use_of(i));
    if (plan.uses.back() == ColumnUse::number) check.numbers(i);
  }
  inputs.warn(warnings);
  if (!inputs.any_input()) {
    fail("{}: no input columns are left beside the target {}; ignore fewer columns or add some", table.name(),
         cited(plan.target));
  }
  check.finish();
  return plan;
}

}  // namespace coppice
