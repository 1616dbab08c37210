#include "coppice/analysis/dependence.h"

#include "coppice/analysis/importance.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/columns.h"
#include "coppice/data/typical.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include <algorithm>
#include <utility>

namespace coppice {

namespace {

/// The network inputs that are made of a column of the user's table.
ColumnGroup group_of(const Encoding& encoding, const std::string& column) {
  std::vector<std::string> names;
  for (ColumnGroup& group : column_groups(encoding)) {
    if (group.name == column) return std::move(group);
    names.push_back(std::move(group.name));
  }
  fail_at({.column = column}, "the model does not use the column {}{}; its columns are {}", cited(column),
          suggestion(column, names), listed(names));
}

/// The encoding of that column alone.
Encoding part_of(const Encoding& encoding, const ColumnGroup& group) {
  Encoding part = encoding;
  std::erase_if(part.derived, [&](const Derived& derived) { return derived.source != group.name; });
  part.ids.clear();
  part.columns.clear();
  part.offset.clear();
  part.factor.clear();
  std::size_t first = 0;
  for (const InputColumn& column : encoding.columns) {
    if (std::ranges::find(group.inputs, first) != group.inputs.end()) part.columns.push_back(column);
    first += column.width();
  }
  for (const std::size_t input : group.inputs) {
    part.offset.push_back(encoding.offset[input]);
    part.factor.push_back(encoding.factor[input]);
  }
  return part;
}

/// A column whose cells are replaced: which inputs, and what they become for each of its values.
struct Replaced {
  ColumnGroup group;
  Matrix<float> inputs;  ///< a row per value

  Replaced(const Encoding& encoding, const Table& values)
      : group(group_of(encoding, values.names().front())) {
    std::vector<std::string> warnings;
    inputs = encode(values, part_of(encoding, group), false, warnings).inputs;
  }

  void put(std::size_t value, View<float> into) const {
    for (std::size_t row = 0; row < into.rows; ++row)
      for (std::size_t i = 0; i < group.inputs.size(); ++i) into(row, group.inputs[i]) = inputs(value, i);
  }
};

/// The mean answer over rows with those scores: a probability for each class, or the value.
void add_answers(const Model& model, View<const float> scores, std::vector<double>& answers) {
  std::vector<double> mean(model.task() == Task::classification ? scores.cols : 1);
  const auto count = static_cast<double>(std::max<std::size_t>(scores.rows, 1));
  std::vector<double> answer(mean.size());
  for (std::size_t row = 0; row < scores.rows; ++row) {
    if (model.task() == Task::classification) {
      probabilities(scores.row(row), model.temperature(), answer);
    } else {
      answer[0] = model.parts().encoding.target.value(scores(row, 0));
    }
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += answer[k] / count;
  }
  answers.insert(answers.end(), mean.begin(), mean.end());
}

/// Inputs of one call: many values are asked about at once, since a call costs more than a few hundred rows.
constexpr std::size_t inputs_of_call = std::size_t{1} << 20U;

}  // namespace

Table typical_values(const Model& model, const Table& table, const std::string& column, std::size_t count) {
  const Encoding& encoding = model.parts().encoding;
  group_of(encoding, column);
  const auto place = table.find(column);
  if (!place || table.column(*place).facts.present == 0)
    fail_at({.column = column}, "{}: the column {} has no values", table.name(), cited(column));
  return typical_values(table, encoding, column, count);
}

Dependence partial_dependence(ThreadPool& pool, const Model& model, const Dataset& data,
                              std::span<const std::uint32_t> rows, std::span<const Table> values) {
  Dependence dependence;
  std::vector<Replaced> replaced;
  for (const Table& table : values) {
    const Replaced& one = replaced.emplace_back(model.parts().encoding, table);
    dependence.columns.push_back(one.group.name);
    std::vector<std::string>& texts = dependence.values.emplace_back();
    for (std::size_t row = 0; row < table.rows(); ++row) texts.push_back(table.text(one.group.name, row));
  }
  if (model.task() == Task::classification) dependence.outputs = model.classes().size();
  const Matrix<float> original = inputs_of(data, rows);
  const std::size_t count = original.rows();
  const std::size_t width = replaced.size() > 1 ? replaced[1].inputs.rows() : 1;
  const std::size_t cells = replaced[0].inputs.rows() * width;
  const std::size_t at_once = std::clamp<std::size_t>(
      inputs_of_call / std::max<std::size_t>(count * original.cols(), 1), 1, std::max<std::size_t>(cells, 1));
  for (std::size_t begin = 0; begin < cells; begin += at_once) {
    const std::size_t end = std::min(begin + at_once, cells);
    Dataset changed;
    changed.inputs = Matrix<float>::packed((end - begin) * count, original.cols());
    for (std::size_t cell = begin; cell < end; ++cell) {
      const View<float> block = changed.inputs.view().block((cell - begin) * count, count);
      for (std::size_t row = 0; row < count; ++row)
        std::ranges::copy(original.row(row), block.row(row).begin());
      replaced[0].put(cell / width, block);
      if (replaced.size() > 1) replaced[1].put(cell % width, block);
    }
    const Matrix<float> scores = predict_scores(pool, model.folded(), changed);
    for (std::size_t cell = begin; cell < end; ++cell)
      add_answers(model, scores.view().block((cell - begin) * count, count), dependence.answers);
  }
  return dependence;
}

}  // namespace coppice
