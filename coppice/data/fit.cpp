#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/classes.h"
#include "coppice/data/columns.h"
#include "coppice/data/encoding.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace coppice {

namespace {

using Rows = std::span<const std::uint32_t>;

constexpr std::size_t most_categories = 100;

/// Mean and biased variance of one network input over the training rows, before scaling.
struct Moments {
  double mean = 0;
  double variance = 0;
};

/// Collects the input columns of an encoding and the moments of their inputs.
class Fitter {
 public:
  Fitter(Encoding& encoding, Rows rows) : encoding_(encoding), rows_(rows) {}

  const std::vector<Moments>& moments() const { return moments_; }
  const std::vector<std::string>& constant() const { return constant_; }

  /// A constant with missing cells stays: that a cell is missing may tell something.
  void add_number(const std::string& name, const NumberStatistics& s) {
    const bool some_missing = s.present > 0 && s.present < rows_.size();
    if (s.constant() && !some_missing && encoding_.scaling != Scaling::global) {
      constant_.push_back(name);
      return;
    }
    InputColumn input{.name = name, .kind = ColumnKind::number, .categories = {}};
    input.fill = static_cast<float>(s.mean);
    input.indicator = s.present < rows_.size();
    moments_.push_back({s.mean, s.constant() ? 0 : s.squares / static_cast<double>(rows_.size())});
    if (input.indicator) add_binary(rows_.size() - s.present);
    encoding_.columns.push_back(std::move(input));
  }

  void add_text(const std::string& name, const TextCells& cells) {
    std::vector<std::size_t> counts(cells.size() + 1);  // the last one: missing cells
    for (const std::uint32_t row : rows_) ++counts[std::min<std::size_t>(cells.code(row), cells.size())];
    const std::size_t seen = counts.size() - static_cast<std::size_t>(std::ranges::count(counts, 0U));
    const std::vector<std::size_t> kept = frequent(counts);
    if (seen < 2 || kept.empty()) {
      constant_.push_back(name);
      return;
    }
    InputColumn input{.name = name, .kind = ColumnKind::text, .categories = {}};
    std::size_t others = rows_.size();
    std::vector<std::pair<std::string, std::size_t>> categories;
    categories.reserve(kept.size());
    for (const std::size_t code : kept) {
      categories.emplace_back(code < cells.size() ? cells.text(code) : std::string_view(), counts[code]);
    }
    std::ranges::sort(categories);
    for (auto& [text, count] : categories) {
      input.categories.push_back(std::move(text));
      add_binary(count);
      others -= count;
    }
    add_binary(others);
    encoding_.columns.push_back(std::move(input));
  }

 private:
  /// The codes that get an input of their own: the most frequent ones, ties by first appearance, and always
  /// "missing" if it occurs.
  std::vector<std::size_t> frequent(const std::vector<std::size_t>& counts) const {
    const std::size_t least = rows_.size() >= 100 ? 2 : 1;
    const std::size_t missing = counts.size() - 1;
    std::vector<std::size_t> codes;
    for (std::size_t code = 0; code < missing; ++code) {
      if (counts[code] >= least) codes.push_back(code);
    }
    std::ranges::stable_sort(codes, std::greater{}, [&](std::size_t code) { return counts[code]; });
    if (codes.size() > most_categories) codes.resize(most_categories);
    if (counts[missing] > 0) codes.push_back(missing);
    return codes;
  }

  void add_binary(std::size_t ones) {
    const double p = static_cast<double>(ones) / static_cast<double>(rows_.size());
    moments_.push_back({p, p * (1 - p)});
  }

  Encoding& encoding_;
  Rows rows_;
  std::vector<Moments> moments_;
  std::vector<std::string> constant_;
};

void fit_target(TargetColumn& target, const Table& table, std::size_t column, Rows rows,
                const NumberStatistics* statistics) {
  const auto refuse = [&](const std::string& what) {
    fail_at({.column = target.name}, "{}: the target {} has {}", table.name(), cited(target.name), what);
  };
  if (statistics == nullptr) {
    target.classes =
        learn_classes(TextCells(table, column), table.column(column).facts.declared_values, rows);
    if (target.classes.size() >= 2) return;
    refuse(fmt::format(
        "a single class{} in the training rows, so there is nothing to learn; add rows of other classes",
        target.classes.empty() ? "" : ", " + cited(target.classes.front()) + ","));
  }
  if (statistics->constant()) {
    refuse("the same value in all training rows, so there is nothing to learn; add rows with other values");
  }
  target.mean = statistics->mean;
  target.deviation = std::sqrt(statistics->squares / static_cast<double>(rows.size()));
}

/// 1/deviation, or 0 where there is none to speak of.
double inverse_deviation(double variance) {
  const double factor = 1 / std::sqrt(variance);
  return std::isfinite(static_cast<float>(factor)) ? factor : 0;
}

void append(Encoding& encoding, double offset, double factor) {
  encoding.offset.push_back(static_cast<float>(offset));
  encoding.factor.push_back(static_cast<float>(factor));
}

void scale_column(Encoding& encoding, const InputColumn& column, std::span<const Moments> moments) {
  if (column.kind == ColumnKind::number) {
    append(encoding, moments[0].mean, inverse_deviation(moments[0].variance));
    if (column.indicator) append(encoding, moments[1].mean, 1);
    return;
  }
  double total = 0;
  for (const Moments& input : moments) total += input.variance;
  for (const Moments& input : moments) {
    append(encoding, input.mean, input.variance > 0 ? inverse_deviation(total) : 0);
  }
}

/// The moments of all entries taken together.
Moments pooled(std::span<const Moments> moments) {
  const auto count = static_cast<double>(moments.size());
  Moments all;
  for (const Moments& input : moments) all.mean += input.mean / count;
  for (const Moments& input : moments) {
    const double shift = input.mean - all.mean;
    all.variance += (input.variance + shift * shift) / count;
  }
  return all;
}

/// A number that never varied keeps the common scale (a border pixel is as dark as any other pixel); a
/// category that never occurred has no trained weights and stays off.
void scale_alike(Encoding& encoding, const InputColumn& column, std::span<const Moments> moments,
                 double offset, double factor) {
  for (const Moments& input : moments) {
    const bool used = column.kind == ColumnKind::number || input.variance > 0;
    append(encoding, offset, used ? factor : 0);
  }
}

/// Fills encoding.offset and encoding.factor from the moments of its inputs, one per network input.
/// column: a number gets deviation 1; the inputs of a text column share the factor 1/sqrt(sum p(1-p)), so
/// that the column weighs as much as one number; an indicator is only centred, lest a rare one be blown up.
/// global: one offset and factor from all entries of all inputs. none: offset 0, factor 1.
void set_scaling(Encoding& encoding, std::span<const Moments> moments) {
  encoding.offset.clear();
  encoding.factor.clear();
  const Moments all = encoding.scaling == Scaling::global ? pooled(moments) : Moments{0, 1};
  std::size_t first = 0;
  for (const InputColumn& column : encoding.columns) {
    const auto own = moments.subspan(first, column.width());
    if (encoding.scaling == Scaling::column) {
      scale_column(encoding, column, own);
    } else {
      scale_alike(encoding, column, own, all.mean, inverse_deviation(all.variance));
    }
    first += own.size();
  }
}

Scaling default_scaling(Format format) {
  return format == Format::idx || format == Format::amat ? Scaling::global : Scaling::column;
}

}  // namespace

Encoding fit_encoding(const Table& table, const TrainingPlan& plan, const EncodingOptions& options, Rows rows,
                      std::vector<std::string>& warnings) {
  Encoding encoding;
  encoding.task = plan.task;
  encoding.format = table.info().format;
  encoding.scaling = options.scaling.value_or(default_scaling(encoding.format));
  encoding.target.name = plan.target;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < table.columns(); ++i) {
    if (plan.uses[i] == ColumnUse::number) numbers.push_back(i);
  }
  const std::vector<NumberStatistics> statistics = number_statistics(table, numbers, rows);
  auto next = statistics.begin();
  const NameSet ids = name_set(options.ids);
  Fitter fitter(encoding, rows);
  for (std::size_t i = 0; i < table.columns(); ++i) {
    const std::string& name = table.column(i).name;
    const NumberStatistics* number = plan.uses[i] == ColumnUse::number ? &*next++ : nullptr;
    if (name == plan.target) {
      fit_target(encoding.target, table, i, rows, number);
    } else if (ids.contains(name)) {
      encoding.ids.push_back(name);
    } else if (number != nullptr) {
      fitter.add_number(name, *number);
    } else if (plan.uses[i] == ColumnUse::text) {
      fitter.add_text(name, TextCells(table, i));
    } else {
      encoding.unused.push_back(name);
    }
  }
  const bool any_varies =
      std::ranges::any_of(fitter.moments(), [](const Moments& m) { return m.variance > 0; });
  if (!any_varies) {
    fail(
        "{}: no input column varies in the training rows, so there is nothing to learn from; add columns or "
        "rows",
        table.name());
  }
  if (!fitter.constant().empty()) {
    warnings.push_back(
        fmt::format("{}: columns that do not vary in the training rows (to seven digits) are left out: {}",
                    table.name(), listed(fitter.constant())));
  }
  encoding.unused.insert(encoding.unused.end(), fitter.constant().begin(), fitter.constant().end());
  set_scaling(encoding, fitter.moments());
  return encoding;
}

}  // namespace coppice
