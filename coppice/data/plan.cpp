#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/columns.h"
#include "coppice/data/encoding.h"
#include "coppice/data/target.h"
#include "coppice/data/unread_number.h"

#include <algorithm>
#include <unordered_set>

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
  if (!options.weight.empty()) check({options.weight}, "weight", false);
}

/// Many different texts that are no rare exception: ticket numbers with letters in some of them, not slips.
bool mixes_codes(const ColumnFacts& facts) {
  return facts.distinct_texts == ColumnFacts::most_distinct_texts &&
         (facts.present - facts.numeric - facts.unread_numbers) * 10 > facts.present;
}

/// Names, ticket numbers and the like: nearly every row has its own, so nothing can be learned from them.
bool looks_like_identifier(const Column& column) {
  const ColumnFacts& facts = column.facts;
  if (!facts.declared_values.empty()) return false;
  if (column.storage != Column::Storage::codes) return facts.more_distinct;
  return facts.present > 50 && column.texts.size() * 10 > facts.present * 9;
}

/// 0, 1, 2, ... or 1, 2, 3, ... from the first row to the last.
bool counts_rows(const Table& table, const Column& column) {
  constexpr std::size_t fewest = 100;
  if (table.rows() < fewest || !column.facts.whole || column.facts.present < table.rows()) return false;
  const double first = column.value(0);
  if (first != 0 && first != 1) return false;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (column.value(row) != static_cast<double>(row) + first) return false;
  }
  return true;
}

/// Names that people give to row numbers.
bool named_like_an_id(std::string_view name) {
  const std::string small = lowercase(trim(name));
  for (const std::string_view usual :
       {"", "id", "index", "idx", "row", "rows", "rownum", "row_number", "rowid", "rownames", "nr", "no",
        "num", "number", "key", "unnamed: 0", "x", "#"}) {
    if (small == usual) return usual != "x" || name == "X";  // what R writes
  }
  return small.ends_with("_id") || small.ends_with(" id") || small.ends_with("-id") ||
         small.ends_with("_no") || small.ends_with("_nr") || name.ends_with("Id") || name.ends_with("ID");
}

/// Decides what becomes of the columns beside the target.
class InputPlan {
 public:
  InputPlan(const Table& table, const EncodingOptions& options, const std::vector<Derived>& derived,
            std::vector<std::string>& notes)
      : table_(table),
        notes_(notes),
        ids_(name_set(options.ids)),
        ignore_(name_set(options.ignore)),
        split_(options.split.names()),
        categorical_(name_set(options.categorical)),
        weight_(options.weight) {
    for (const Derived& one : derived) {
      if (one.kind != DerivedKind::rank) dates_.insert(one.source);
      if (one.kind == DerivedKind::rank) ranks_.insert(one.names().front());
    }
  }

  ColumnUse use_of(std::size_t column) {
    const std::string& name = table_.column(column).name;
    if (!weight_.empty() && name == weight_) return ColumnUse::skip;
    if (ids_.contains(name)) return ColumnUse::text;
    if (ignore_.contains(name) || std::ranges::count(split_, name) > 0) return ColumnUse::skip;
    if (dates_.contains(name)) return ColumnUse::skip;
    const ColumnUse use = input_use(column);
    if (use != ColumnUse::skip) note_missing(table_.column(column));
    any_input_ = any_input_ || use != ColumnUse::skip;
    return use;
  }

  bool any_input() const { return any_input_; }

  /// Fails on all columns that cannot be used as they are, in one sentence.
  void refuse() const {
    if (bad_.empty()) return;
    if (bad_.size() == 1) refuse_one(bad_.front());
    std::vector<std::string> places;
    std::vector<std::string> names;
    for (const std::size_t index : bad_) {
      const Column& column = table_.column(index);
      const CellSpot& spot = spot_of(column.facts);
      places.push_back(fmt::format("{} in {}, column {} ({})", cited(spot.text), row_text(spot.at), index + 1,
                                   cited(column.name)));
      names.push_back(as_argument(column.name));
    }
    const CellSpot& first = spot_of(table_.column(bad_.front()).facts);
    fail_at({.column = table_.column(bad_.front()).name, .row = first.at.row},
            "{}: {} columns of numbers hold cells that cannot be read as numbers, the first ones {}; correct "
            "them ({}), leave cells empty or write NA if values are missing, or use `categorical` {} for "
            "columns that hold categories",
            table_.name(), bad_.size(), listed(places), readable_format, joined(names, ","));
  }

  void note() const {
    if (!rounded_.empty()) {
      notes_.push_back(
          fmt::format("whole numbers of more than seven digits are rounded to about seven: {}; `categorical` "
                      "keeps numbers "
                      "apart that are names of something",
                      listed(rounded_, 10)));
    }
    if (missing_.empty()) return;
    notes_.push_back(
        fmt::format("cells are missing, so many of {} rows: {}; a number is filled in with the mean and "
                    "marked by one more input, a "
                    "text is a category of its own",
                    table_.rows(), listed(missing_, 10)));
  }

  /// " (...)": the columns that were left out unasked, and why; empty if there are none.
  std::string left_out() const {
    std::vector<std::string> why;
    if (!empty_.empty()) why.push_back(fmt::format("without any value: {}", listed(empty_)));
    if (!row_numbers_.empty()) why.push_back(fmt::format("counting the rows: {}", listed(row_numbers_)));
    if (!identifiers_.empty()) {
      std::vector<std::string> arguments;
      for (const std::string& name : identifiers_) arguments.push_back(as_argument(name));
      why.push_back(
          fmt::format("texts that differ in nearly every row, as identifiers do: {}, which `categorical` {} "
                      "uses",
                      listed(identifiers_), joined(arguments, ",")));
    }
    return why.empty() ? std::string() : fmt::format(" ({})", joined(why, "; "));
  }

  void warn(std::vector<std::string>& warnings) const {
    if (!empty_.empty()) {
      warnings.push_back(fmt::format("columns without any value are left out: {}", listed(empty_)));
    }
    for (const std::string& name : row_numbers_) {
      warnings.push_back(
          fmt::format("column {} counts the rows and is left out; `id` {} passes it through to predictions",
                      cited(name), as_argument(name)));
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
    if (kind_of(index) == ColumnKind::number) return number_use(index);
    if (!looks_like_identifier(column)) return ColumnUse::text;
    identifiers_.push_back(column.name);
    return ColumnUse::skip;
  }

  /// A column that counts the rows says nothing about new ones. Where it may be a time that goes on, it stays.
  ColumnUse number_use(std::size_t index) {
    const Column& column = table_.column(index);
    if (column.facts.rounded) rounded_.push_back(column.name);
    if (!counts_rows(table_, column)) return ColumnUse::number;
    if (index == 0 || named_like_an_id(column.name)) {
      row_numbers_.push_back(column.name);
      return ColumnUse::skip;
    }
    notes_.push_back(
        fmt::format("column {} counts the rows; `ignore` {} leaves it out if that is all it does",
                    cited(column.name), as_argument(column.name)));
    return ColumnUse::number;
  }

  void note_missing(const Column& column) {
    const std::size_t missing = table_.rows() - column.facts.present;
    if (missing == 0 || ranks_.contains(column.name)) return;
    missing_.push_back(fmt::format("{} {}", column.name, missing));
  }

  static const CellSpot& spot_of(const ColumnFacts& facts) {
    return facts.unread_numbers > 0 ? *facts.unread : *facts.stray;
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
    bad_.push_back(index);
    return ColumnKind::number;
  }

  [[noreturn]] void refuse_one(std::size_t index) const {
    const Column& column = table_.column(index);
    const ColumnFacts& facts = column.facts;
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
  std::vector<std::string> split_;
  NameSet categorical_;
  std::string weight_;
  std::vector<std::string> empty_;
  NameSet dates_;
  std::unordered_set<std::string> ranks_;
  std::vector<std::string> identifiers_;
  std::vector<std::string> row_numbers_;
  std::vector<std::string> rounded_;
  std::vector<std::string> missing_;
  std::vector<std::size_t> bad_;
  bool any_input_ = false;
};

}  // namespace

TrainingPlan plan_training(const Table& given, const EncodingOptions& options,
                           std::vector<std::string>& notes, std::vector<std::string>& warnings) {
  const std::size_t target = find_target(given, options, notes);
  TrainingPlan plan;
  plan.target = given.column(target).name;
  plan.derived = find_derived(given, options, plan.target, notes);
  const Table table = plan.derived.empty() ? given : with_derived(given, plan.derived);
  check_names(table, options, plan.target);
  if (table.rows() < 2) {
    fail("{}: the data has {} row{}, but training needs at least two; add rows", table.name(), table.rows(),
         table.rows() == 1 ? "" : "s");
  }
  plan.task = find_task(table, target, options, notes);
  InputPlan inputs(table, options, plan.derived, notes);
  CellCheck check(table);
  for (std::size_t i = 0; i < table.columns(); ++i) {
    const ColumnUse of_target = plan.task == Task::classification ? ColumnUse::text : ColumnUse::number;
    plan.uses.push_back(i == target ? of_target : inputs.use_of(i));
    if (plan.uses.back() == ColumnUse::number) check.numbers(i);
  }
  inputs.refuse();
  inputs.note();
  inputs.warn(warnings);
  if (!inputs.any_input()) {
    fail("{}: no input columns are left beside the target {}{}; ignore fewer columns or add some",
         table.name(), cited(plan.target), inputs.left_out());
  }
  check.finish();
  return plan;
}

}  // namespace coppice
