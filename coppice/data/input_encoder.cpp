#include "coppice/data/input_encoder.h"

#include "coppice/data/number_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace coppice {

namespace {

std::vector<std::size_t> slots_of(const InputColumn& input, const TextCells& cells) {
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t k = 0; k < input.categories.size(); ++k) known.emplace(input.categories[k], k);
  const auto slot = [&](std::string_view text) {
    const auto found = known.find(text);
    return found == known.end() ? input.categories.size() : found->second;
  };
  std::vector<std::size_t> slots;
  for (std::size_t code = 0; code < cells.size(); ++code) slots.push_back(slot(cells.text(code)));
  slots.push_back(slot(""));
  return slots;
}

/// input = (raw - offset) * factor, in double so that far values do not overflow on the way.
struct Scale {
  Scale(const Encoding& encoding, std::size_t i) : offset(encoding.offset[i]), factor(encoding.factor[i]) {}
  float operator()(double raw) const { return static_cast<float>((raw - offset) * factor); }

  double offset;
  double factor;
};

/// The inputs of numbers that are all there: the first, and the bins.
void encode_present(const InputColumn& input, const Encoding& encoding, std::size_t first,
                    std::span<const float> numbers, View<float> own) {
  const Scale scale(encoding, first);
  if (input.squash.used()) {
    const Squash squash = input.squash;
    for (std::size_t r = 0; r < own.rows; ++r) own(r, 0) = scale(squash(numbers[r]));
  } else {
    for (std::size_t r = 0; r < own.rows; ++r) own(r, 0) = scale(numbers[r]);
  }
  for (std::size_t t = 0; t < input.bins(); ++t) {
    const std::size_t i = input.first_bin() + t;
    const Scale bin(encoding, first + i);
    const float low = input.edges[t];
    const float high = input.edges[t + 1];
    for (std::size_t r = 0; r < own.rows; ++r) own(r, i) = bin(bin_value(numbers[r], low, high));
  }
}

}  // namespace

InputEncoder::InputEncoder(const Table& table, const Encoding& encoding, const InputPlaces& places)
    : encoding_(encoding), zeros_(1, encoding.inputs()) {
  ones_.reserve(encoding.inputs());
  for (std::size_t i = 0; i < encoding.inputs(); ++i) {
    zeros_(0, i) = Scale(encoding, i)(0);
    ones_.push_back(Scale(encoding, i)(1));
  }
  steps_.reserve(places.size());
  std::size_t first = 0;
  for (std::size_t c = 0; c < places.size(); ++c) {
    const InputColumn& input = encoding.columns[c];
    Step& step = steps_.emplace_back(Step{.input = &input, .first = first, .width = input.width()});
    first += step.width;
    if (input.kind == ColumnKind::number) {
      encode_present(input, encoding, step.first, std::array{static_cast<float>(0 - input.base)},
                     zeros_.view().columns(step.first, step.width));
    }
    if (!places[c]) continue;
    step.column = &table.column(*places[c]);
    if (input.kind != ColumnKind::text) continue;
    step.texts.emplace(table, *places[c]);
    step.slots = slots_of(input, *step.texts);
  }
}

void InputEncoder::encode(std::size_t row, View<float> inputs) const {
  for (std::size_t r = 0; r < inputs.rows; ++r) std::ranges::copy(zeros_.row(0), inputs[r]);
  for (const Step& step : steps_) {
    if (step.column != nullptr) encode(step, row, inputs.columns(step.first, step.width));
  }
}

void InputEncoder::encode(const Step& step, std::size_t row, View<float> own) const {
  if (step.texts) {
    for (std::size_t r = 0; r < own.rows; ++r) {
      const std::size_t slot = step.slot(row + r);
      own(r, slot) = ones_[step.first + slot];
    }
    return;
  }
  std::array<float, most_rows> numbers{};
  const std::span<float> some = std::span(numbers).first(own.rows);
  step.column->numbers(row, some, step.input->base);
  encode_numbers(step, some, own);
}

void InputEncoder::encode_numbers(const Step& step, std::span<float> numbers, View<float> own) const {
  for (std::size_t r = 0; r < own.rows; ++r) {
    if (!std::isnan(numbers[r])) continue;
    numbers[r] = step.input->fill;
    if (step.input->indicator) own(r, 1) = ones_[step.first + 1];
  }
  encode_present(*step.input, encoding_, step.first, numbers, own);
}

}  // namespace coppice
