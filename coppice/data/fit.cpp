#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/data/classes.h"
#include "coppice/data/column_names.h"
#include "coppice/data/encoding.h"
#include "coppice/data/scaling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace coppice {

namespace {

using Rows = std::span<const std::uint32_t>;

constexpr std::size_t most_categories = 100;

/// What the training rows say about one number column; sums in double.
struct NumberStatistics {
  std::size_t present = 0;
  double mean = 0;
  double squares = 0;  ///< sum of squared differences from the mean
  float least = 0;
  float greatest = 0;

  bool constant() const { return least == greatest; }
};

/// For all number columns at once, row by row as they lie in memory: once for the means, once for the
/// squares.
std::vector<NumberStatistics> number_statistics(const Table& table, Rows rows) {
  std::vector<NumberStatistics> all(table.numbers.cols());
  for (const std::uint32_t row : rows) {
    const float* values = table.numbers[row];
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (std::isnan(values[c])) continue;
      NumberStatistics& s = all[c];
      s.least = s.present == 0 ? values[c] : std::min(s.least, values[c]);
      s.greatest = s.present == 0 ? values[c] : std::max(s.greatest, values[c]);
      s.mean += values[c];
      ++s.present;
    }
  }
  for (NumberStatistics& s : all) s.mean /= static_cast<double>(std::max<std::size_t>(s.present, 1));
  for (const std::uint32_t row : rows) {
    const float* values = table.numbers[row];
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (std::isnan(values[c])) continue;
      const double difference = values[c] - all[c].mean;
      all[c].squares += difference * difference;
    }
  }
  return all;
}

/// Collects the input columns of an encoding and the moments of their inputs.
class Fitter {
 public:
  Fitter(Encoding& encoding, const Table& table, Rows rows)
      : encoding_(encoding), rows_(rows), numbers_(number_statistics(table, rows)) {}

  void add(const Column& column) {
    if (column.kind == ColumnKind::number) {
      add_number(column);
    } else {
      add_text(column);
    }
  }
  const NumberStatistics& statistics(const Column& column) const { return numbers_[column.index]; }
  const std::vector<Moments>& moments() const { return moments_; }
  const std::vector<std::string>& constant() const { return constant_; }

 private:
  /// A constant with missing cells stays: that a cell is missing may tell something.
  void add_number(const Column& column) {
    const NumberStatistics& s = statistics(column);
    const bool some_missing = s.present > 0 && s.present < rows_.size();
    if (s.constant() && !some_missing && encoding_.scaling != Scaling::global) {
      constant_.push_back(column.name);
      return;
    }
    InputColumn input{.name = column.name, .kind = ColumnKind::number, .categories = {}};
    input.fill = static_cast<float>(s.mean);
    input.indicator = s.present < rows_.size();
    moments_.push_back({s.mean, s.constant() ? 0 : s.squares / static_cast<double>(rows_.size())});
    if (input.indicator) add_binary(rows_.size() - s.present);
    encoding_.columns.push_back(std::move(input));
  }

  void add_text(const Column& column) {
    std::vector<std::size_t> counts(column.values.size() + 1);  // the last one: missing cells
    for (const std::uint32_t row : rows_)
      ++counts[std::min<std::size_t>(column.codes[row], column.values.size())];
    const std::size_t seen = counts.size() - static_cast<std::size_t>(std::ranges::count(counts, 0U));
    const std::vector<std::size_t> kept = frequent(counts);
    if (seen < 2 || kept.empty()) {
      constant_.push_back(column.name);
      return;
    }
    InputColumn input{.name = column.name, .kind = ColumnKind::text, .categories = {}};
    std::size_t others = rows_.size();
    std::vector<std::pair<std::string, std::size_t>> categories;
    categories.reserve(kept.size());
    for (const std::size_t code : kept) {
      categories.emplace_back(code < column.values.size() ? column.values[code] : std::string(),
                              counts[code]);
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
  std::vector<NumberStatistics> numbers_;
  std::vector<Moments> moments_;
  std::vector<std::string> constant_;
};

void fit_target(Encoding& encoding, const Column& column, const NumberStatistics* statistics,
                const TableProfile& profile, Rows rows) {
  encoding.target.name = column.name;
  if (encoding.task == Task::classification) {
    const std::size_t index = find_column(profile, column.name).value_or(0);
    encoding.target.classes = learn_classes(column, profile.columns.at(index), rows);
    if (encoding.target.classes.size() >= 2) return;
    fail(
        "{}: the target {} has a single class{} in the training rows, so there is nothing to learn; add rows "
        "of other classes",
        profile.source.path, cited(column.name),
        encoding.target.classes.empty() ? "" : ", " + cited(encoding.target.classes.front()) + ",");
  }
  if (statistics->constant()) {
    fail(
        "{}: the target {} has the same value in all training rows, so there is nothing to learn; add rows "
        "with other values",
        profile.source.path, cited(column.name));
  }
  encoding.target.mean = statistics->mean;
  encoding.target.deviation = std::sqrt(statistics->squares / static_cast<double>(rows.size()));
}

Scaling default_scaling(Format format) {
  return format == Format::idx || format == Format::amat ? Scaling::global : Scaling::column;
}

}  // namespace

Encoding fit_encoding(const Table& table, const TrainingPlan& plan, const TableProfile& profile,
                      const EncodingOptions& options, const std::vector<std::uint32_t>& rows,
                      std::vector<std::string>& warnings) {
  Encoding encoding;
  encoding.task = plan.task;
  encoding.format = profile.source.format;
  encoding.scaling = options.scaling.value_or(default_scaling(encoding.format));
  Fitter fitter(encoding, table, rows);
  for (const Column& column : table.columns) {
    if (column.name == plan.target) {
      const bool number = column.kind == ColumnKind::number;
      fit_target(encoding, column, number ? &fitter.statistics(column) : nullptr, profile, rows);
    } else if (contains(options.ids, column.name)) {
      encoding.ids.push_back(column.name);
    } else {
      fitter.add(column);
    }
  }
  const bool any_varies =
      std::ranges::any_of(fitter.moments(), [](const Moments& m) { return m.variance > 0; });
  if (!any_varies) {
    fail(
        "{}: no input column varies in the training rows, so there is nothing to learn from; add columns or "
        "rows",
        profile.source.path);
  }
  if (!fitter.constant().empty()) {
    warnings.push_back(
        fmt::format("{}: columns that do not vary in the training rows (to seven digits) are left out: {}",
                    profile.source.path, listed(fitter.constant())));
  }
  for (std::size_t i = 0; i < profile.columns.size(); ++i) {
    if (plan.load.uses[i] == ColumnUse::skip) encoding.unused.push_back(profile.columns[i].name);
  }
  encoding.unused.insert(encoding.unused.end(), fitter.constant().begin(), fitter.constant().end());
  set_scaling(encoding, fitter.moments());
  return encoding;
}

}  // namespace coppice
