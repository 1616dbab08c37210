#include "coppice/exports/quantized.h"

#include "coppice/device/activation.h"
#include "coppice/exports/layer_quantizer.h"
#include "coppice/exports/level_range.h"
#include "coppice/exports/unit_inputs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coppice {

namespace {

/// Of the inputs that are numbers; all the same where they are scaled alike.
std::vector<LevelRange> input_ranges(const LoweredModel& model, const Matrix<float>& inputs, double room) {
  std::vector<LevelRange> ranges(inputs.cols());
  for (std::size_t row = 0; row < inputs.rows(); ++row) {
    for (std::size_t i = 0; i < inputs.cols(); ++i) ranges[i].take(inputs(row, i));
  }
  if (by_column(model.scaling)) {
    for (LevelRange& range : ranges) {
      const double more = room * (range.high - range.low);
      range = {.low = range.low - more, .high = range.high + more};
    }
    return ranges;
  }
  const std::vector<bool> unit = unit_inputs(model);
  LevelRange all;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (!unit[i]) all.take(ranges[i]);
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) ranges[i] = unit[i] ? ranges[i] : all;
  return ranges;
}

/// The scales that make levels of what inputs are made of.
std::vector<InputScale> level_scales(const LoweredModel& model, const Matrix<float>& inputs, double top,
                                     double room) {
  const std::vector<LevelRange> ranges = input_ranges(model, inputs, room);
  const std::vector<bool> unit = unit_inputs(model);
  std::vector<InputScale> scales = model.inputs;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (unit[i] || scales[i].factor == 0) {
      scales[i].offset = 0;
      scales[i].factor = static_cast<float>(top);
      continue;
    }
    const double low = ranges[i].low / scales[i].factor;
    scales[i].offset = static_cast<float>(scales[i].offset + low);
    scales[i].factor = static_cast<float>(scales[i].factor / ranges[i].step(top));
  }
  return scales;
}

QuantizedNet quantize_net(const QuantizedModel& model, const LoweredNet& net, const Matrix<float>& levels,
                          double room) {
  QuantizedNet made{.inputs = net.inputs, .layers = {}};
  Signals signals{.real = Matrix<float>(levels.rows(), net.inputs.size()),
                  .levels = Matrix<std::uint16_t>(levels.rows(), net.inputs.size()),
                  .low = std::vector<double>(net.inputs.size(), 0.0),
                  .step = std::vector<double>(net.inputs.size(), 1.0)};
  for (std::size_t row = 0; row < levels.rows(); ++row) {
    const std::vector<std::uint16_t> whole = whole_levels(model, levels.row(row));
    for (std::size_t i = 0; i < net.inputs.size(); ++i) {
      signals.real(row, i) = levels(row, net.inputs[i]);
      signals.levels(row, i) = whole[net.inputs[i]];
    }
  }
  for (const auto& [input, shift] : model.steep) {
    const auto at = std::ranges::lower_bound(net.inputs, input);
    if (at != net.inputs.end() && *at == input)
      signals.step[static_cast<std::size_t>(at - net.inputs.begin())] = std::ldexp(1.0, -shift);
  }
  for (std::size_t l = 0; l < net.layers.size(); ++l) {
    LayerQuantizer quantizer(net.layers[l], signals);
    if (l + 1 == net.layers.size()) {
      made.layers.push_back(quantizer.last());
      break;
    }
    auto [layer, out] = quantizer.hidden(room);
    made.layers.push_back(std::move(layer));
    signals = std::move(out);
  }
  return made;
}

/// The scores of one row of levels are added.
void add_scores(const QuantizedModel& model, const QuantizedNet& net, std::span<const std::uint16_t> levels,
                std::span<float> scores) {
  std::vector<std::uint16_t> x;
  for (const std::uint32_t input : net.inputs) x.push_back(levels[input]);
  for (const QuantizedLayer& layer : net.layers) {
    std::vector<std::uint16_t> next(layer.units);
    for (std::size_t j = 0; j < layer.units; ++j) {
      std::int32_t sum = layer.bias[j];
      const std::int8_t* weights = layer.weights.data() + j * layer.inputs;
      for (std::size_t i = 0; i < layer.inputs; ++i) sum += weights[i] * x[i];
      if (&layer == &net.layers.back()) {
        scores[j] += layer.scale[j] * static_cast<float>(sum);
      } else {
        next[j] = hidden_level(layer, model.activation, j, sum);
      }
    }
    x = std::move(next);
  }
}

}  // namespace

double top_input_level(const LoweredModel& model) {
  return by_column(model.scaling) && fits_sums(model.inputs.size(), top_wide_level) ? top_wide_level
                                                                                    : top_level;
}

std::uint16_t to_level(double value, double top) {
  return static_cast<std::uint16_t>(std::clamp(std::floor(value + 0.5), 0.0, top));
}

std::uint8_t hidden_level(const QuantizedLayer& layer, Activation activation, std::size_t j,
                          std::int32_t sum) {
  static const std::vector<std::uint8_t> table = tanh_table();
  if (activation == Activation::abs && sum < 0) sum = -sum;
  std::int64_t level = static_cast<std::int64_t>(sum) * layer.multiplier[j];
  if (activation == Activation::leaky_relu && sum < 0) level /= static_cast<std::int64_t>(1 / leaky_slope);
  std::int64_t zero = layer.zero.empty() ? 0 : layer.zero[j];
  if (activation == Activation::tanh) zero = tanh_places / 2;
  level += (zero << layer.shift) + (std::int64_t{1} << (layer.shift - 1));
  level = level < 0 ? 0 : level >> layer.shift;
  if (activation == Activation::tanh) {
    constexpr auto last = static_cast<std::int64_t>(tanh_places) - 1;
    return table[static_cast<std::size_t>(std::min(level, last))];
  }
  return static_cast<std::uint8_t>(std::min<std::int64_t>(level, 255));
}

std::vector<std::uint8_t> tanh_table() {
  std::vector<std::uint8_t> table;
  for (std::size_t k = 0; k < tanh_places; ++k) {
    const double y = (static_cast<double>(k) - tanh_places / 2.0) / tanh_places_per_unit;
    table.push_back(static_cast<std::uint8_t>(to_level((std::tanh(y) + 1) * top_level / 2, top_level)));
  }
  return table;
}

std::vector<float> levels_of(const LoweredModel& model, const QuantizedModel& quantized,
                             std::span<const float> inputs) {
  std::vector<float> levels(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const InputScale& before = model.inputs[i];
    const InputScale& after = quantized.lowered.inputs[i];
    if (before.factor == 0) continue;
    const double raw = static_cast<double>(inputs[i]) / before.factor + before.offset;
    levels[i] = static_cast<float>(after(raw));
  }
  return levels;
}

std::vector<std::uint16_t> whole_levels(const QuantizedModel& model, std::span<const float> levels) {
  std::vector<std::uint16_t> whole(levels.size());
  std::ranges::transform(levels, whole.begin(),
                         [&](float level) { return to_level(level, model.top_input_level); });
  for (const auto& [input, shift] : model.steep)
    whole[input] = static_cast<std::uint16_t>(whole[input] << shift);
  return whole;
}

QuantizedModel quantize(const LoweredModel& model, const Matrix<float>& inputs, const LevelRoom& room) {
  const double top = top_input_level(model);
  QuantizedModel made{
      .lowered = model, .activation = Activation::identity, .top_input_level = top, .steep = {}, .nets = {}};
  rescale_inputs(made.lowered, level_scales(model, inputs, top, room.cells));
  Matrix<float> levels(inputs.rows(), inputs.cols());
  for (std::size_t row = 0; row < inputs.rows(); ++row)
    std::ranges::copy(levels_of(model, made, inputs.row(row)), levels.row(row).begin());
  if (top == top_wide_level) made.steep = steep_inputs(made.lowered, levels, top);
  for (const LoweredNet& net : made.lowered.nets) {
    if (net.layers.size() > 1) made.activation = net.layers.front().activation;
    made.nets.push_back(quantize_net(made, net, levels, room.units));
  }
  return made;
}

Matrix<float> quantized_scores(const LoweredModel& model, const QuantizedModel& quantized,
                               const Matrix<float>& inputs) {
  Matrix<float> scores(inputs.rows(), model.outputs());
  for (std::size_t row = 0; row < inputs.rows(); ++row) {
    const std::vector<std::uint16_t> levels =
        whole_levels(quantized, levels_of(model, quantized, inputs.row(row)));
    for (const QuantizedNet& net : quantized.nets) add_scores(quantized, net, levels, scores.row(row));
    for (float& score : scores.row(row)) score /= static_cast<float>(quantized.nets.size());
  }
  return scores;
}

}  // namespace coppice
