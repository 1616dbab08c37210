#include "coppice/data/task.h"

#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/data/classes.h"
#include "coppice/data/column_names.h"
#include "coppice/data/stray_cells.h"

#include <algorithm>
#include <cctype>

namespace coppice {

namespace {

constexpr std::size_t most_number_classes = 20;

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_text(const ColumnProfile& target) {
  return target.numeric < target.present;
}

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
bool looks_like_classes(const ColumnProfile& target, const std::vector<std::string>& classes) {
  if (target.more_distinct) return false;
  if (classes.size() <= 2) return true;
  if (!target.whole || classes.size() > most_number_classes) return false;
  return classes.size() * 5 <= target.present || (classes.size() * 2 <= target.present && counts_up(classes));
}

/// A column of numbers with a few texts in it is more likely a slip than a set of classes.
void refuse_stray_text(const TableProfile& profile, const ColumnProfile& target) {
  if (target.declared || !is_text(target) || !mostly_numbers(target)) return;
  const bool few = !target.more_distinct && target.distinct.size() <= most_number_classes;
  if (few && !only_unread_numbers(target)) return;
  if (target.unread_numbers > 0) {
    refuse_unread_numbers(profile, target, ", or say --task classification if these are classes");
  }
  fail(
      "{}: the target {} is not a number, but {} of {} targets are; correct or remove "
      "the row, or say --task classification",
      stray_place(profile, target), cited(target.stray_value), target.numeric, target.present);
}

/// Texts that differ from row to row are names, or numbers in some format that is not known: no net can learn them.
void refuse_names(const TableProfile& profile, const ColumnProfile& target) {
  const std::size_t classes = target.distinct.size();
  if (!is_text(target) || classes <= most_number_classes || classes * 2 <= target.present) return;
  fail(
      "{}: the target {} has {}{} classes for {} rows, such as {}, so it may be an id or a number in a "
      "format "
      "that is not read; name another column with --target, or say --task classification if that is meant",
      profile.source.path, cited(target.name), target.more_distinct ? "more than " : "", classes,
      target.present, cited(target.distinct.front()));
}

Task detect(const TableProfile& profile, const ColumnProfile& target, const EncodingOptions& options,
            const std::vector<std::string>& classes) {
  const bool nominal = target.declared == ColumnKind::text || contains(options.categorical, target.name);
  if (nominal || profile.source.format == Format::idx) return Task::classification;
  refuse_stray_text(profile, target);
  refuse_names(profile, target);
  return is_text(target) || looks_like_classes(target, classes) ? Task::classification : Task::regression;
}

void check(const TableProfile& profile, const ColumnProfile& target, Task task,
           const std::vector<std::string>& classes) {
  const std::string& path = profile.source.path;
  if (target.present == 0) {
    fail("{}: the target {} has no values; name another column with --target", path, cited(target.name));
  }
  if (target.missing_line != 0) {
    fail(
        "{}: line {}, column {} ({}): the target is missing (empty, NA, N/A, NaN, null and ? mean that); "
        "fill it in or "
        "remove the row",
        path, target.missing_line, find_column(profile, target.name).value_or(0) + 1, cited(target.name));
  }
  if (task == Task::regression && is_text(target)) {
    if (target.unread_numbers > 0 && mostly_numbers(target)) refuse_unread_numbers(profile, target, "");
    fail(
        "{}: the target {} is not a number, which --task regression needs; correct it "
        "or use --task classification",
        stray_place(profile, target), cited(target.stray_value));
  }
  if (classes.size() == 1 && !target.more_distinct) {
    fail(
        "{}: the target {} is {} in every row, a single class, so there is nothing to learn; name another "
        "column with --target or add rows of other classes",
        path, cited(target.name), cited(classes.front()));
  }
  // Readers may count fewer distinct numbers in wide tables; only a full count proves that there are too
  // many.
  const bool too_many = target.more_distinct && target.distinct.size() >= ColumnProfile::most_distinct;
  if (task == Task::classification && too_many) {
    fail("{}: the target {} has more than {} distinct values, too many for classes; {}", path,
         cited(target.name), ColumnProfile::most_distinct,
         is_text(target) ? "name another column with --target" : "use --task regression");
  }
}

std::string found(const ColumnProfile& target, Task task, bool asked, std::vector<std::string> classes) {
  const std::string name = cited(target.name);
  const std::string count = fmt::format("{}{}", target.more_distinct ? "more than " : "", classes.size());
  if (task == Task::regression) {
    return fmt::format("target {}: numbers with {} distinct values, {}", name, count,
                       asked ? "regression as asked" : "so regression; --task classification overrides");
  }
  if (all_numbers(classes)) {
    std::ranges::sort(classes, {}, [](const std::string& text) { return *parse_number(text); });
  }
  const char* verdict = "so classification; --task regression overrides";
  if (is_text(target)) verdict = "so classification";
  if (asked) verdict = "classification as asked";
  return fmt::format("target {}: {} classes ({}), {}", name, count, listed(classes, 10), verdict);
}

}  // namespace

std::size_t find_target(const TableProfile& profile, const EncodingOptions& options,
                        std::vector<std::string>& notes) {
  if (!options.target.empty()) return require_column(profile, options.target, "--target");
  if (profile.target) return require_column(profile, *profile.target, "the file's own label");
  const std::vector<std::string> usual{"target", "class", "label", "y"};
  std::vector<std::size_t> matches;
  for (std::size_t i = 0; i < profile.columns.size(); ++i) {
    if (contains(usual, lowered(profile.columns[i].name))) matches.push_back(i);
  }
  if (matches.size() != 1) {
    fail("{}: which column is to be predicted? Name it with --target; the columns are {}",
         profile.source.path, listed(column_names(profile)));
  }
  const std::string& name = profile.columns[matches.front()].name;
  notes.push_back(
      fmt::format("the column {} is taken as the target by its name; --target overrides", cited(name)));
  return matches.front();
}

Task find_task(const TableProfile& profile, const ColumnProfile& target, const EncodingOptions& options,
               std::vector<std::string>& notes) {
  const std::vector<std::string> classes = distinct_classes(target.distinct);
  const Task task = options.task || target.present == 0 ? options.task.value_or(Task::classification)
                                                        : detect(profile, target, options, classes);
  check(profile, target, task, classes);
  notes.push_back(found(target, task, options.task.has_value(), classes));
  return task;
}

}  // namespace coppice
