#include "coppice/data/target.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/classes.h"
#include "coppice/data/columns.h"

#include <algorithm>
#include <array>

namespace coppice {

namespace {

constexpr std::size_t most_number_classes = 20;

/// The target and what it holds.
struct Target {
  const Table& table;
  std::size_t column;
  DistinctTexts distinct;
  std::vector<std::string> classes;

  Target(const Table& of, std::size_t index)
      : table(of),
        column(index),
        distinct(distinct_texts(of, index)),
        classes(distinct_classes(distinct.texts)) {}

  const ColumnFacts& facts() const { return table.column(column).facts; }
  const std::string& name() const { return table.column(column).name; }
  bool is_text() const { return facts().given_texts || !facts().all_numbers(); }

  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail_at({.column = name()}, "{}: the target {} {}", table.name(), cited(name()),
            fmt::format(format, std::forward<Args>(args)...));
  }
};

/// 0, 1, 2, ... or 1, 2, 3, ...: numbers that someone gave to classes.
bool counts_up(const std::vector<std::string>& classes) {
  std::vector<double> values;
  values.reserve(classes.size());
  for (const std::string& text : classes) values.push_back(parse_number(text).value_or(-1));
  std::ranges::sort(values);
  if (values.front() != 0 && values.front() != 1) return false;
  return values.back() - values.front() == static_cast<double>(values.size() - 1);
}

/// Few whole numbers, each seen several times, are classes; ages and prices are not. Small tables show each
/// class only a few times, so there the numbers must count up.
bool looks_like_classes(const Target& target) {
  const std::size_t classes = target.classes.size();
  const std::size_t present = target.facts().present;
  if (target.distinct.more) return false;
  if (classes <= 2) return true;
  if (!target.facts().whole || classes > most_number_classes) return false;
  return classes * 5 <= present || (classes * 2 <= present && counts_up(target.classes));
}

/// A column of numbers with a few texts in it is more likely a slip than a set of classes.
void refuse_stray_text(const Target& target) {
  const ColumnFacts& facts = target.facts();
  if (facts.declared || facts.all_numbers() || !mostly_numbers(facts)) return;
  const bool few = !target.distinct.more && target.distinct.count <= most_number_classes;
  if (few && !only_unread_numbers(facts)) return;
  if (facts.unread_numbers > 0) {
    refuse_unread_numbers(target.table, target.column, ", or say `task` classification if these are classes");
  }
  refuse_stray(
      target.table, target.column,
      fmt::format(
          "the target {} is not a number, but {} of {} targets are; correct or remove the row, or say "
          "`task` classification",
          cited(facts.stray->text), facts.numeric, facts.present));
}

/// Texts that differ from row to row are names, or numbers in some format that is not known: no net can learn them.
void refuse_names(const Target& target) {
  const std::size_t classes = target.distinct.count;
  if (!target.is_text() || classes <= most_number_classes || classes * 2 <= target.facts().present) return;
  target.refuse(
      "has {}{} classes for {} rows, such as {}, so it may be an id or a number in a format that is not "
      "read; name "
      "another column with `target`, or say `task` classification if that is meant",
      target.distinct.more ? "more than " : "", classes, target.facts().present,
      cited(target.distinct.texts.empty() ? target.facts().stray->text : target.distinct.texts.front()));
}

Task detect(const Target& target, const EncodingOptions& options) {
  const bool nominal = target.facts().declared == ColumnKind::text ||
                       std::ranges::count(options.categorical, target.name()) > 0;
  if (nominal || target.table.info().format == Format::idx) return Task::classification;
  refuse_stray_text(target);
  refuse_names(target);
  return target.is_text() || looks_like_classes(target) ? Task::classification : Task::regression;
}

void check(const Target& target, Task task) {
  const ColumnFacts& facts = target.facts();
  if (facts.present == 0) target.refuse("has no values; name another column with `target`");
  if (facts.missing) {
    place_in(target.table, target.column, facts.missing->at)
        .fail(
            "the target is missing (empty, NA, N/A, NaN, null and ? mean that); fill it in or remove the "
            "row");
  }
  if (task == Task::regression && !facts.all_numbers()) {
    if (facts.unread_numbers > 0 && mostly_numbers(facts))
      refuse_unread_numbers(target.table, target.column, "");
    const CellSpot& text = facts.stray ? *facts.stray : *facts.unread;
    place_in(target.table, target.column, text.at)
        .fail(fmt::format(
            "the target {} is not a number, which `task` regression needs; correct it or use `task` "
            "classification",
            cited(text.text)));
  }
  if (target.classes.size() == 1 && !target.distinct.more) {
    const bool classes = task == Task::classification;
    target.refuse(
        "is {} in every row, a single {}, so there is nothing to learn; name another column with `target` or "
        "add "
        "rows of other {}",
        cited(target.classes.front()), classes ? "class" : "value", classes ? "classes" : "values");
  }
  // Readers may count fewer distinct numbers in wide tables; only a full count proves that there are too
  // many.
  const bool too_many = target.distinct.more && target.distinct.count >= ColumnFacts::most_distinct;
  if (task == Task::classification && too_many) {
    target.refuse("has more than {} distinct values, too many for classes; {}", ColumnFacts::most_distinct,
                  target.is_text() ? "name another column with `target`" : "use `task` regression");
  }
}

std::string found(const Target& target, Task task, bool asked) {
  const std::string name = cited(target.name());
  const std::string count = target.distinct.more ? fmt::format("more than {}", target.distinct.count)
                                                 : std::to_string(target.classes.size());
  if (task == Task::regression) {
    return fmt::format("target {}: numbers with {} distinct values, {}", name, count,
                       asked ? "regression as asked" : "so regression; `task` classification overrides");
  }
  std::vector<std::string> classes = target.classes;
  if (all_numbers(classes)) {
    std::ranges::sort(classes, {}, [](const std::string& text) { return *parse_number(text); });
  }
  const char* verdict = "so classification; `task` regression overrides";
  if (target.is_text()) verdict = "so classification";
  if (asked) verdict = "classification as asked";
  return fmt::format("target {}: {} classes ({}), {}", name, count, listed(classes, 10), verdict);
}

}  // namespace

bool is_usual_target(std::string_view name) {
  constexpr std::array<std::string_view, 4> usual{"target", "class", "label", "y"};
  return name.size() <= 6 && std::ranges::find(usual, lowercase(name)) != usual.end();
}

std::size_t find_target(const Table& table, const EncodingOptions& options, std::vector<std::string>& notes) {
  if (!options.target.empty()) return require_column(table, options.target, "target");
  if (table.info().target) return table.find(*table.info().target).value();
  std::vector<std::size_t> matches;
  for (std::size_t i = 0; i < table.columns(); ++i) {
    if (is_usual_target(table.column(i).name)) matches.push_back(i);
  }
  if (matches.size() != 1) {
    fail_option("target", "{}: which column is to be predicted? Name it with `target`; the columns are {}",
                table.name(), listed(table.names()));
  }
  notes.push_back(fmt::format("the column {} is taken as the target by its name; `target` overrides",
                              cited(table.column(matches.front()).name)));
  return matches.front();
}

Task find_task(const Table& table, std::size_t column, const EncodingOptions& options,
               std::vector<std::string>& notes) {
  const Target target(table, column);
  const Task task = options.task || target.facts().present == 0 ? options.task.value_or(Task::classification)
                                                                : detect(target, options);
  check(target, task);
  notes.push_back(found(target, task, options.task.has_value()));
  return task;
}

}  // namespace coppice
