#include "coppice/analysis/explain.h"

#include "coppice/analysis/contributions.h"
#include "coppice/analysis/importance.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/columns.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <thread>

namespace coppice {

namespace {

constexpr std::size_t rows_at_once = 64;  ///< between two questions whether to stop

/// The class whose score is asked for; none: the predicted one.
std::optional<std::uint32_t> wanted_class(const Model& model, const std::string& name) {
  if (name.empty()) return std::nullopt;
  const std::vector<std::string>& classes = model.classes();
  if (classes.empty())
    fail_option("class", "`class` {}: the model predicts numbers, which have no classes; leave it out",
                cited(name));
  const auto found = std::ranges::find(classes, name);
  if (found == classes.end())
    fail_option("class", "`class` {}: the model has no such class{}; its classes are {}", cited(name),
                suggestion(name, classes), listed(classes));
  return static_cast<std::uint32_t>(found - classes.begin());
}

std::vector<std::uint32_t> wanted_rows(const Table& table, const std::vector<std::uint32_t>& rows) {
  for (const std::uint32_t row : rows) {
    if (row >= table.rows())
      fail_option("row", "{}: there is no row {}; the table has {} row{}", table.name(), std::size_t{row} + 1,
                  table.rows(), table.rows() == 1 ? "" : "s");
  }
  if (!rows.empty()) return rows;
  std::vector<std::uint32_t> all(table.rows());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

/// Adds a share of what a net says to the explanation: contributions of inputs by the columns that they are made of.
class NetExplainer {
 public:
  NetExplainer(const FoldedNet& net, const std::vector<ColumnGroup>& groups, double share)
      : contributions_(net), share_(share), column_of_(contributions_.inputs()) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const std::size_t input : groups[g].inputs) column_of_[input] = g;
  }

  void add(std::span<const float> inputs, std::size_t row, Explanation& to) const {
    std::vector<double> parts(inputs.size());
    const std::size_t output = to.classes.empty() ? 0 : to.classes[row];
    contributions_.of(inputs, output, parts);
    const std::span<double> columns =
        std::span(to.contributions).subspan(row * to.columns.size(), to.columns.size());
    for (std::size_t i = 0; i < parts.size(); ++i) columns[column_of_[i]] += share_ * parts[i];
    to.baselines[row] += share_ * contributions_.at_zero(output);
  }

 private:
  Contributions contributions_;
  double share_;
  std::vector<std::size_t> column_of_;
};

/// From outputs of the net to the target's own numbers.
void to_units(const TargetColumn& target, Explanation& explanation) {
  for (double& part : explanation.contributions) part *= target.deviation;
  for (double& baseline : explanation.baselines) baseline = target.mean + target.deviation * baseline;
  explanation.logarithms = target.transform == TargetTransform::log;
}

}  // namespace

Explanation explain(const Model& model, const Table& table, const ExplainOptions& options) {
  const Encoding& encoding = model.parts().encoding;
  const auto wanted = wanted_class(model, options.class_name);
  Explanation all;
  all.row_numbers = wanted_rows(table, options.rows);
  all.rows = all.row_numbers.size();
  all.prediction = model.predict(table, {.threads = options.threads, .stop = options.stop});
  std::vector<std::string> said;  // by predict() already
  const Dataset data = encode(table, encoding, false, said);
  const std::vector<ColumnGroup> groups = column_groups(encoding);
  for (const ColumnGroup& group : groups) all.columns.push_back(group.name);
  all.contributions.resize(all.rows * groups.size());
  all.baselines.resize(all.rows);
  if (model.task() == Task::classification)
    for (const std::uint32_t row : all.row_numbers)
      all.classes.push_back(wanted.value_or(all.prediction.classes[row]));

  ThreadPool pool(options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency()));
  for (const FoldedNet& folded : model.folded()) {
    const NetExplainer net(folded, groups, 1 / static_cast<double>(model.nets()));
    for (std::size_t first = 0; first < all.rows; first += rows_at_once) {
      if (options.stop && options.stop())
        fail_as(ErrorKind::interrupted, "explaining was stopped before its end");
      pool.parallel_for(std::min(rows_at_once, all.rows - first), [&](std::size_t i) {
        net.add(data.inputs.row(all.row_numbers[first + i]), first + i, all);
      });
    }
  }
  if (model.task() == Task::regression) to_units(encoding.target, all);
  for (std::size_t row = 0; row < all.rows; ++row) {
    const auto parts = all.contributions_of(row);
    all.scores.push_back(std::accumulate(parts.begin(), parts.end(), all.baselines[row]));
  }
  return all;
}

}  // namespace coppice
