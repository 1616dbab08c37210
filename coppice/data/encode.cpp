#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/data/classes.h"
#include "coppice/data/encoding.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace coppice {

namespace {

const Column* find(const Table& table, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name, &Column::name);
  return found == table.columns.end() ? nullptr : &*found;
}

/// How one input column is read from the table. Texts are looked up once per distinct value, not per row.
struct Step {
  const InputColumn* input = nullptr;
  const Column* column = nullptr;
  std::size_t first = 0;           ///< network input
  std::vector<std::size_t> slots;  ///< text: code -> network input; the last one is for missing cells
};

std::vector<std::size_t> slots_of(const InputColumn& input, const Column& column, std::size_t first) {
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t k = 0; k < input.categories.size(); ++k) known.emplace(input.categories[k], first + k);
  const auto slot = [&](std::string_view text) {
    const auto found = known.find(text);
    return found == known.end() ? first + input.categories.size() : found->second;
  };
  std::vector<std::size_t> slots;
  for (const std::string& value : column.values) slots.push_back(slot(value));
  slots.push_back(slot(""));
  return slots;
}

/// A column the table lacks is zero in every row: plan_loading lets only libsvm files lack one.
std::vector<Step> steps_for(const Table& table, const Encoding& encoding) {
  std::vector<Step> steps;
  std::size_t first = 0;
  for (const InputColumn& input : encoding.columns) {
    if (const Column* column = find(table, input.name)) {
      if (column->kind != input.kind) {
        fail("column {} is {}, but the model needs {}; load the table as plan_loading says",
             cited(input.name), column->kind == ColumnKind::text ? "text" : "a number",
             input.kind == ColumnKind::text ? "text" : "a number");
      }
      Step step{.input = &input, .column = column, .first = first, .slots = {}};
      if (input.kind == ColumnKind::text) step.slots = slots_of(input, *column, first);
      steps.push_back(std::move(step));
    }
    first += input.width();
  }
  return steps;
}

/// input = (raw - offset) * factor, in double so that far values do not overflow on the way.
float scaled(const Encoding& encoding, std::size_t i, float raw) {
  return static_cast<float>((static_cast<double>(raw) - encoding.offset[i]) * encoding.factor[i]);
}

void encode_inputs(const Table& table, const Encoding& encoding, Matrix<float>& inputs) {
  std::vector<float> zeros(encoding.inputs());
  std::vector<float> ones(encoding.inputs());
  for (std::size_t i = 0; i < zeros.size(); ++i) {
    zeros[i] = scaled(encoding, i, 0);
    ones[i] = scaled(encoding, i, 1);
  }
  const std::vector<Step> steps = steps_for(table, encoding);
  for (std::size_t row = 0; row < table.rows; ++row) {
    float* out = inputs[row];
    std::ranges::copy(zeros, out);
    for (const Step& step : steps) {
      if (step.input->kind == ColumnKind::text) {
        const std::size_t code = std::min<std::size_t>(step.column->codes[row], step.slots.size() - 1);
        out[step.slots[code]] = ones[step.slots[code]];
        continue;
      }
      const float raw = table.numbers(row, step.column->index);
      const bool missing = std::isnan(raw);
      out[step.first] = scaled(encoding, step.first, missing ? step.input->fill : raw);
      if (missing && step.input->indicator) out[step.first + 1] = ones[step.first + 1];
    }
  }
}

std::vector<std::uint32_t> encode_labels(const Column& column, const Encoding& encoding,
                                         std::vector<std::string>& warnings) {
  const std::vector<std::string>& classes = encoding.target.classes;
  const auto unknown = static_cast<std::uint32_t>(classes.size());
  const ClassIndex index(classes);
  std::vector<std::uint32_t> label_of;
  for (const std::string& value : column.values) label_of.push_back(index.find(value));
  label_of.push_back(unknown);  // missing cells
  std::vector<bool> occurs(label_of.size());
  std::size_t unseen_rows = 0;
  std::vector<std::uint32_t> labels(column.codes.size());
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const std::size_t code = std::min<std::size_t>(column.codes[row], label_of.size() - 1);
    labels[row] = label_of[code];
    if (labels[row] != unknown) continue;
    ++unseen_rows;
    occurs[code] = true;
  }
  std::vector<std::string> unseen;
  for (std::size_t code = 0; code < column.values.size(); ++code) {
    if (occurs[code]) unseen.push_back(cited(column.values[code]));
  }
  if (occurs.back()) unseen.emplace_back("no class");
  if (!unseen.empty()) {
    warnings.push_back(
        fmt::format("{} of {} rows are of a class that training never saw ({}); they count as errors",
                    unseen_rows, labels.size(), listed(unseen, 5)));
  }
  return labels;
}

}  // namespace

Dataset encode(const Table& table, const Encoding& encoding, std::vector<std::string>& warnings) {
  Dataset data;
  data.inputs = Matrix<float>::packed(table.rows, encoding.inputs());
  encode_inputs(table, encoding, data.inputs);
  const Column* target = find(table, encoding.target.name);
  if (target == nullptr) return data;
  if (encoding.task == Task::classification) {
    data.labels = encode_labels(*target, encoding, warnings);
    return data;
  }
  data.targets.resize(table.rows);
  for (std::size_t row = 0; row < table.rows; ++row) {
    const double value = table.numbers(row, target->index);
    data.targets[row] = static_cast<float>((value - encoding.target.mean) / encoding.target.deviation);
  }
  return data;
}

}  // namespace coppice
