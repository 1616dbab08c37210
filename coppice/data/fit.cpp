#include "coppice/core/elementary.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/classes.h"
#include "coppice/data/columns.h"
#include "coppice/data/encoding.h"
#include "coppice/data/number_shape.h"
#include "coppice/data/weights.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace coppice {

namespace {

using Rows = std::span<const std::uint32_t>;
using Weights = std::span<const float>;  ///< of all rows of the table; none: all count the same

constexpr std::size_t most_categories = 100;

/// Collects the input columns of an encoding and the moments of their inputs.
class Fitter {
 public:
  Fitter(Encoding& encoding, Rows rows, Weights weights)
      : encoding_(encoding), rows_(rows), weights_(weights), total_(sum_of_weights(weights, rows)) {}

  const std::vector<Moments>& moments() const { return moments_; }
  const std::vector<std::string>& constant() const { return constant_; }
  /// Columns with texts that have no input of their own, and how much of them has one.
  const std::vector<std::string>& merged() const { return merged_; }
  /// Columns of numbers that have a base, and which.
  const std::vector<std::string>& based() const { return based_; }

  /// A constant with missing cells stays: that a cell is missing may tell something.
  void add_number(const std::string& name, double base, const NumberStatistics& s, const NumberShape& shape) {
    const bool some_missing = s.present > 0 && s.present < rows_.size();
    if (s.constant() && !some_missing && encoding_.scaling != Scaling::global) {
      constant_.push_back(name);
      return;
    }
    InputColumn input{.name = name, .kind = ColumnKind::number, .categories = {}};
    input.base = base;
    if (base != 0) based_.push_back(fmt::format("{} from {}", name, base));
    input.fill = static_cast<float>(s.mean);
    input.indicator = s.present < rows_.size();
    input.squash = shape.squash;
    input.edges = shape.edges;
    moments_.push_back(shape.squash.used() ? shape.value
                                           : Moments{s.mean, s.constant() ? 0 : s.squares / total_});
    if (input.indicator) add_binary(total_ - s.weight);
    moments_.insert(moments_.end(), shape.bins.begin(), shape.bins.end());
    encoding_.columns.push_back(std::move(input));
  }

  void add_text(const std::string& name, const TextCells& cells) {
    std::vector<std::size_t> counts(cells.size() + 1);  // the last one: missing cells
    std::vector<double> shares(counts.size());          // the same by weight
    for (const std::uint32_t row : rows_) {
      const std::size_t code = std::min<std::size_t>(cells.code(row), cells.size());
      ++counts[code];
      shares[code] += weight_at(weights_, row);
    }
    const std::size_t seen = counts.size() - static_cast<std::size_t>(std::ranges::count(counts, 0U));
    const std::vector<std::size_t> kept = frequent(counts, shares);
    if (seen < 2 || kept.empty()) {
      constant_.push_back(name);
      return;
    }
    InputColumn input{.name = name, .kind = ColumnKind::text, .categories = {}};
    std::size_t others = rows_.size();
    double other_weight = total_;
    std::vector<std::pair<std::string, std::size_t>> categories;
    categories.reserve(kept.size());
    for (const std::size_t code : kept) {
      categories.emplace_back(code < cells.size() ? cells.text(code) : std::string_view(), code);
    }
    std::ranges::sort(categories);
    for (auto& [text, code] : categories) {
      input.categories.push_back(std::move(text));
      add_binary(shares[code]);
      others -= counts[code];
      other_weight -= shares[code];
    }
    add_binary(others > 0 ? other_weight : 0);
    if (others > 0) {
      merged_.push_back(fmt::format(
          "{} ({} of {} texts kept, {:.0f} % of the rows)", name, kept.size(), seen,
          100.0 * static_cast<double>(rows_.size() - others) / static_cast<double>(rows_.size())));
    }
    encoding_.columns.push_back(std::move(input));
  }

 private:
  /// The codes that get an input of their own: the most frequent ones, ties by first appearance, and always
  /// "missing" if it occurs.
  std::vector<std::size_t> frequent(const std::vector<std::size_t>& counts,
                                    const std::vector<double>& shares) const {
    const std::size_t least = rows_.size() >= 100 ? 2 : 1;
    const std::size_t missing = counts.size() - 1;
    std::vector<std::size_t> codes;
    for (std::size_t code = 0; code < missing; ++code) {
      if (counts[code] >= least) codes.push_back(code);
    }
    std::ranges::stable_sort(codes, std::greater{}, [&](std::size_t code) { return shares[code]; });
    if (codes.size() > most_categories) codes.resize(most_categories);
    if (counts[missing] > 0) codes.push_back(missing);
    return codes;
  }

  void add_binary(double ones) {
    const double p = ones / total_;
    moments_.push_back({p, p * (1 - p)});
  }

  Encoding& encoding_;
  Rows rows_;
  Weights weights_;
  double total_;
  std::vector<Moments> moments_;
  std::vector<std::string> constant_;
  std::vector<std::string> merged_;
  std::vector<std::string> based_;
};

void fit_target(TargetColumn& target, const Table& table, std::size_t column, Rows rows, Weights weights,
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
  target.mean = table.column(column).base + statistics->mean;
  target.deviation = std::sqrt(statistics->squares / sum_of_weights(weights, rows));
  target.spread = target.deviation;
}

/// Whether numbers are better learned as logarithms: all above 0, far more on one side than the other, and their
/// logarithms not.
bool logarithms_pay(std::span<const double> values, std::span<const double> logarithms,
                    std::span<const double> weights) {
  constexpr double skewed = 2;
  constexpr double even = 1;
  return skewness(values, weights) > skewed && std::abs(skewness(logarithms, weights)) < even;
}

/// The target's logarithms instead of its numbers, if that is wanted or pays.
void fit_transform(TargetColumn& target, const Table& table, std::size_t column, Rows rows, Weights weights,
                   const EncodingOptions& options, std::vector<std::string>& notes) {
  if (options.transform == TargetTransform::none) return;
  const bool asked = options.transform == TargetTransform::log;
  std::vector<double> values;
  std::vector<double> own_weights;
  for (const std::uint32_t row : rows) {
    values.push_back(table.column(column).learned(row));
    own_weights.push_back(weight_at(weights, row));
  }
  const double least = *std::ranges::min_element(values);
  if (!(least > 0)) {
    if (!asked) return;
    fail_option("target-transform",
                "{}: `target-transform` log needs numbers above 0, but the target {} goes down to {:g}; use "
                "`target-transform` none",
                table.name(), cited(target.name), least);
  }
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(elementary::log(value));
  if (!asked && !logarithms_pay(values, logarithms, own_weights)) return;
  const double count = sum_of_weights(weights, rows);
  double mean = 0;
  double squares = 0;
  for (std::size_t i = 0; i < logarithms.size(); ++i) mean += own_weights[i] * logarithms[i] / count;
  for (std::size_t i = 0; i < logarithms.size(); ++i) {
    const double difference = logarithms[i] - mean;
    squares += own_weights[i] * (difference * difference) / count;
  }
  if (!(squares > 0)) return;
  target.transform = TargetTransform::log;
  target.mean = mean;
  target.deviation = std::sqrt(squares);
  notes.push_back(fmt::format(
      "target {}: its logarithm is learned{}; predictions are numbers as before", cited(target.name),
      asked ? " as asked"
            : ", since few numbers lie far above the others; `target-transform` none overrides"));
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
    for (const Moments& bin : moments.subspan(column.first_bin()))
      append(encoding, bin.mean, inverse_deviation(bin.variance));
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
/// column, standard: a number gets deviation 1, so does each of its bins; the inputs of a text column share the factor
/// 1/sqrt(sum p(1-p)), so that the column weighs as much as one number; an indicator is only centred, lest a rare one be
/// blown up. global: one offset and factor from all entries of all inputs. none: offset 0, factor 1.
void set_scaling(Encoding& encoding, std::span<const Moments> moments) {
  encoding.offset.clear();
  encoding.factor.clear();
  const Moments all = encoding.scaling == Scaling::global ? pooled(moments) : Moments{0, 1};
  std::size_t first = 0;
  for (const InputColumn& column : encoding.columns) {
    const auto own = moments.subspan(first, column.width());
    if (by_column(encoding.scaling)) {
      scale_column(encoding, column, own);
    } else {
      scale_alike(encoding, column, own, all.mean, inverse_deviation(all.variance));
    }
    first += own.size();
  }
}

Scaling default_scaling(Format format, Scaling tables) {
  return format == Format::idx || format == Format::amat ? Scaling::global : tables;
}

/// Of the number columns among the inputs; the others' are empty.
std::vector<NumberShape> shapes_for(const Table& table, const Encoding& encoding, Encode encode,
                                    std::span<const std::size_t> numbers,
                                    std::span<const NumberStatistics> statistics, Rows rows, Weights weights,
                                    std::size_t threads) {
  const ShapeOptions wanted{.squash = encoding.scaling == Scaling::column, .bins = encode == Encode::bins};
  std::vector<NumberShape> shapes(numbers.size());
  if (!by_column(encoding.scaling) || !(wanted.squash || wanted.bins)) return shapes;
  std::vector<std::size_t> places;
  std::vector<std::size_t> columns;
  std::vector<float> fills;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (statistics[k].constant() || table.column(numbers[k]).name == encoding.target.name) continue;
    places.push_back(k);
    columns.push_back(numbers[k]);
    fills.push_back(static_cast<float>(statistics[k].mean));
  }
  std::vector<NumberShape> made = number_shapes(table, columns, fills, rows, wanted, weights, threads);
  for (std::size_t i = 0; i < places.size(); ++i) shapes[places[i]] = std::move(made[i]);
  return shapes;
}

}  // namespace

Encoding fit_encoding(const Table& given, const TrainingPlan& plan, const EncodingOptions& options, Rows rows,
                      std::vector<std::string>& notes, std::vector<std::string>& warnings, Weights weights,
                      std::size_t threads) {
  const Table table = plan.derived.empty() ? given : with_derived(given, plan.derived);
  Encoding encoding;
  encoding.derived = plan.derived;
  encoding.task = plan.task;
  encoding.format = table.info().format;
  encoding.scaling = options.scaling.value_or(default_scaling(encoding.format, options.tables));
  const Encode encode = options.encode.value_or(Encode::automatic);
  if (encode == Encode::bins && !by_column(encoding.scaling)) {
    fail_option("encode",
                "{}: `encode` bins: bins are made of columns that are scaled one by one, and here `scale` is "
                "{}{}; leave one of the two out or use `scale` column",
                table.name(), name_of(encoding.scaling), options.scaling ? "" : ", as for all images");
  }
  encoding.target.name = plan.target;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < table.columns(); ++i) {
    if (plan.uses[i] == ColumnUse::number) numbers.push_back(i);
  }
  const std::vector<NumberStatistics> statistics = number_statistics(table, numbers, rows, weights, threads);
  const std::vector<NumberShape> shapes =
      shapes_for(table, encoding, encode, numbers, statistics, rows, weights, threads);
  std::size_t next = 0;
  const NameSet ids = name_set(options.ids);
  Fitter fitter(encoding, rows, weights);
  for (std::size_t i = 0; i < table.columns(); ++i) {
    const std::string& name = table.column(i).name;
    const std::size_t k = plan.uses[i] == ColumnUse::number ? next++ : next;
    const NumberStatistics* number = plan.uses[i] == ColumnUse::number ? &statistics[k] : nullptr;
    if (name == plan.target) {
      fit_target(encoding.target, table, i, rows, weights, number);
      if (number != nullptr) fit_transform(encoding.target, table, i, rows, weights, options, notes);
    } else if (ids.contains(name)) {
      encoding.ids.push_back(name);
    } else if (number != nullptr) {
      fitter.add_number(name, table.column(i).base, *number, shapes[k]);
    } else if (plan.uses[i] == ColumnUse::text) {
      expect_cells(table.column(i));
      fitter.add_text(name, TextCells(table, i));
      release_cells(table);
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
  if (!fitter.merged().empty()) {
    notes.push_back(fmt::format("texts that are rare, or beyond the {} most frequent, share one input: {}",
                                most_categories, listed(fitter.merged(), 10)));
  }
  if (!fitter.based().empty()) {
    notes.push_back(
        fmt::format("numbers that differ beyond their seventh digit are counted from the least: {}",
                    listed(fitter.based(), 10)));
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
