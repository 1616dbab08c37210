#include "coppice/analysis/dependence_json.h"

#include "coppice/analysis/data_json.h"
#include "coppice/analysis/dependence.h"
#include "coppice/analysis/importance.h"
#include "coppice/core/elementary.h"
#include "coppice/model/parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace coppice {

namespace {

constexpr std::size_t most_columns = 8;
constexpr std::size_t most_paired = 4;  ///< columns, each with each
constexpr std::size_t most_pairs = 2;   ///< shown
constexpr std::size_t most_averaged = 300;
constexpr std::size_t least_averaged = 50;
constexpr double products = 2e10;  ///< under a second on two cores

/// The typical values of those columns, the first ones.
std::vector<const TypicalColumn*> leading(const DataSummary& summary, std::span<const std::string> columns) {
  std::vector<const TypicalColumn*> found;
  for (const std::string& name : columns) {
    const auto typical = std::ranges::find(summary.typical, name, &TypicalColumn::name);
    if (typical == summary.typical.end() || typical->values.rows() < 2) continue;
    found.push_back(&*typical);
    if (found.size() == most_columns) break;
  }
  return found;
}

/// Rows to average over, at even distances; fewer for large nets.
std::vector<std::uint32_t> averaged_rows(const Model& model, const AnalysedData& held, std::size_t answers) {
  const double per_row = static_cast<double>(model.parameters()) * static_cast<double>(answers);
  const auto count = static_cast<std::size_t>(std::clamp(products / std::max(per_row, 1.0),
                                                         static_cast<double>(least_averaged),
                                                         static_cast<double>(most_averaged)));
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < std::min(count, held.rows.size()); ++i)
    rows.push_back(held.rows[i * held.rows.size() / std::min(count, held.rows.size())]);
  return rows;
}

nlohmann::ordered_json column_dependence(const Dependence& dependence, bool number) {
  nlohmann::ordered_json answers = nlohmann::ordered_json::array();
  for (std::size_t v = 0; v < dependence.values[0].size(); ++v) {
    nlohmann::ordered_json& row = answers.emplace_back(nlohmann::ordered_json::array());
    for (std::size_t k = 0; k < dependence.outputs; ++k) row.push_back(rounded(dependence.answer(v, 0, k)));
  }
  return {{"column", dependence.columns[0]},
          {"number", number},
          {"values", dependence.values[0]},
          {"answers", answers}};
}

/// What two columns do together beyond what each does by itself, as the root of the mean square over their values.
double joint_effect(const Dependence& dependence, std::size_t output) {
  const std::size_t rows = dependence.values[0].size();
  const std::size_t cols = dependence.values[1].size();
  std::vector<double> by_first(rows);
  std::vector<double> by_second(cols);
  double mean = 0;
  const auto count = static_cast<double>(rows * cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      const double answer = dependence.answer(i, j, output);
      by_first[i] += answer / static_cast<double>(cols);
      by_second[j] += answer / static_cast<double>(rows);
      mean += answer / count;
    }
  }
  double squares = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j)
      squares +=
          elementary::pow(dependence.answer(i, j, output) - by_first[i] - by_second[j] + mean, 2) / count;
  }
  return std::sqrt(squares);
}

/// Of the output on which the two columns work together most.
nlohmann::ordered_json pair_dependence(const Model& model, const Dependence& dependence) {
  std::size_t output = dependence.outputs == 2 ? 1 : 0;
  for (std::size_t k = 0; k < dependence.outputs && dependence.outputs > 2; ++k)
    if (joint_effect(dependence, k) > joint_effect(dependence, output)) output = k;
  nlohmann::ordered_json answers = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < dependence.values[0].size(); ++i) {
    nlohmann::ordered_json& row = answers.emplace_back(nlohmann::ordered_json::array());
    for (std::size_t j = 0; j < dependence.values[1].size(); ++j)
      row.push_back(rounded(dependence.answer(i, j, output)));
  }
  nlohmann::ordered_json of;
  if (model.task() == Task::classification) of = model.classes()[output];
  return {{"columns", dependence.columns},
          {"values", dependence.values},
          {"class", of},
          {"joint", rounded(joint_effect(dependence, output))},
          {"answers", answers}};
}

std::vector<std::string> texts_of(const Table& column) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < column.rows(); ++row)
    texts.push_back(column.text(column.names().front(), row));
  return texts;
}

}  // namespace

nlohmann::ordered_json dependence_json(ThreadPool& pool, const Model& model, const AnalysedData& held,
                                       std::span<const std::string> columns) {
  const std::vector<const TypicalColumn*> shown = leading(*held.summary, columns);
  const std::size_t paired = std::min(shown.size(), most_paired);
  std::size_t answers = 0;
  for (std::size_t a = 0; a < shown.size(); ++a) {
    answers += shown[a]->values.rows();
    for (std::size_t b = a + 1; b < paired; ++b) answers += shown[a]->few.rows() * shown[b]->few.rows();
  }
  const std::vector<std::uint32_t> rows = averaged_rows(model, held, answers);
  nlohmann::ordered_json alone = nlohmann::ordered_json::array();
  std::vector<nlohmann::ordered_json> pairs;
  for (std::size_t a = 0; a < shown.size(); ++a) {
    const bool number = shown[a]->values.kind(0) == ColumnKind::number;
    alone.push_back(column_dependence(
        partial_dependence(pool, model, *held.held, rows, std::array{shown[a]->values}), number));
    for (std::size_t b = a + 1; b < paired; ++b) {
      pairs.push_back(pair_dependence(model, partial_dependence(pool, model, *held.held, rows,
                                                                std::array{shown[a]->few, shown[b]->few})));
    }
  }
  std::ranges::stable_sort(pairs, std::greater{}, [](const nlohmann::ordered_json& pair) {
    return pair["joint"].is_number() ? pair["joint"].get<double>() : 0.0;
  });
  pairs.resize(std::min(pairs.size(), most_pairs));
  nlohmann::ordered_json typical = nlohmann::ordered_json::array();
  for (const TypicalColumn& column : held.summary->typical) {
    if (std::ranges::find(columns, column.name) == columns.end()) continue;
    typical.push_back({{"column", column.name},
                       {"usual", texts_of(column.usual).front()},
                       {"values", texts_of(column.values)}});
  }
  return {{"averaged", rows.size()}, {"dependence", alone}, {"interactions", pairs}, {"typical", typical}};
}

}  // namespace coppice
