#include "coppice/exports/quantized.h"

#include "coppice/device/activation.h"
#include "coppice/exports/unit_inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace coppice {

namespace {

constexpr double top_level = 255;
constexpr double top_weight = 127;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void take(const Range& other) {
    take(other.low);
    take(other.high);
  }
  /// What one level is worth; of what never varies, anything.
  double step() const { return high > low ? (high - low) / top_level : 1; }
};

double activated(Activation activation, double y) {
  double x = 0;
  with_activation(activation, [&]<Activation A>() { x = activate<A>(y); });
  return x;
}

/// Of the inputs that are numbers; all the same where they are scaled alike.
std::vector<Range> input_ranges(const LoweredModel& model, const Matrix<float>& inputs) {
  std::vector<Range> ranges(inputs.cols());
  for (std::size_t row = 0; row < inputs.rows(); ++row) {
    for (std::size_t i = 0; i < inputs.cols(); ++i) ranges[i].take(inputs(row, i));
  }
  if (by_column(model.scaling)) return ranges;
  const std::vector<bool> unit = unit_inputs(model);
  Range all;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (!unit[i]) all.take(ranges[i]);
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) ranges[i] = unit[i] ? ranges[i] : all;
  return ranges;
}

/// The scales that make levels of what inputs are made of.
std::vector<InputScale> level_scales(const LoweredModel& model, const Matrix<float>& inputs) {
  const std::vector<Range> ranges = input_ranges(model, inputs);
  const std::vector<bool> unit = unit_inputs(model);
  std::vector<InputScale> scales = model.inputs;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (unit[i] || scales[i].factor == 0) {
      scales[i].offset = 0;
      scales[i].factor = static_cast<float>(top_level);
      continue;
    }
    const double low = ranges[i].low / scales[i].factor;
    scales[i].offset = static_cast<float>(scales[i].offset + low);
    scales[i].factor = static_cast<float>(scales[i].factor / ranges[i].step());
  }
  return scales;
}

/// What goes into a layer: as real numbers, and as levels with what they are worth.
struct Signals {
  Matrix<float> real;
  Matrix<std::uint8_t> levels;
  std::vector<double> low;
  std::vector<double> step;
};

/// Turns one layer into 8 bits, looking at what goes into it for the calibration's rows.
class LayerQuantizer {
 public:
  LayerQuantizer(const DenseLayer& layer, const Signals& in) : layer_(layer), in_(in) {
    made_.units = layer.units();
    made_.inputs = layer.weights.cols();
    made_.weights.resize(made_.units * made_.inputs);
    made_.bias.resize(made_.units);
    scale_.resize(made_.units);
    sums_ = Matrix<std::int32_t>(in.levels.rows(), made_.units);
    real_ = Matrix<float>(in.levels.rows(), made_.units);
    for (std::size_t j = 0; j < made_.units; ++j) unit(j);
  }

  QuantizedLayer last() {
    for (const double scale : scale_) made_.scale.push_back(static_cast<float>(scale));
    return std::move(made_);
  }

  /// What goes on from a hidden layer.
  std::pair<QuantizedLayer, Signals> hidden() {
    Signals out{.real = Matrix<float>(real_.rows(), made_.units),
                .levels = Matrix<std::uint8_t>(real_.rows(), made_.units),
                .low = {},
                .step = {}};
    std::vector<double> factors;
    for (std::size_t j = 0; j < made_.units; ++j) {
      const Range range = range_of(j, out.real);
      out.low.push_back(range.low);
      out.step.push_back(range.step());
      const bool looked_up = layer_.activation == Activation::tanh;
      factors.push_back(looked_up ? scale_[j] * tanh_places_per_unit : scale_[j] / range.step());
      if (layer_.activation == Activation::leaky_relu || layer_.activation == Activation::identity)
        made_.zero.push_back(to_level(-range.low / range.step()));
    }
    set_multipliers(factors);
    for (std::size_t j = 0; j < made_.zero.size(); ++j) out.low[j] = -out.step[j] * made_.zero[j];
    for (std::size_t row = 0; row < sums_.rows(); ++row) {
      for (std::size_t j = 0; j < made_.units; ++j)
        out.levels(row, j) = hidden_level(made_, layer_.activation, j, sums_(row, j));
    }
    return {std::move(made_), std::move(out)};
  }

  static std::uint8_t hidden_level(const QuantizedLayer& layer, Activation activation, std::size_t j,
                                   std::int32_t sum);

 private:
  void unit(std::size_t j) {
    double largest = 0;
    double bias = layer_.bias[j];
    for (std::size_t i = 0; i < made_.inputs; ++i) {
      largest = std::max(largest, std::fabs(layer_.weights(j, i) * in_.step[i]));
      bias += layer_.weights(j, i) * in_.low[i];
    }
    constexpr double most_bias = 1 << 29;
    scale_[j] = std::max({largest / top_weight, std::fabs(bias) / most_bias, 1e-30});
    for (std::size_t i = 0; i < made_.inputs; ++i) {
      const double weight = layer_.weights(j, i) * in_.step[i] / scale_[j];
      made_.weights[j * made_.inputs + i] = static_cast<std::int8_t>(std::lround(weight));
    }
    double off = 0;
    for (std::size_t row = 0; row < sums_.rows(); ++row) {
      double real = layer_.bias[j];
      std::int32_t sum = 0;
      for (std::size_t i = 0; i < made_.inputs; ++i) {
        real += static_cast<double>(layer_.weights(j, i)) * in_.real(row, i);
        sum += made_.weights[j * made_.inputs + i] * in_.levels(row, i);
      }
      real_(row, j) = static_cast<float>(real);
      sums_(row, j) = sum;
      off += real - (bias + scale_[j] * sum);
    }
    bias += off / static_cast<double>(sums_.rows());
    const double most = std::numeric_limits<std::int32_t>::max() / 2.0;
    made_.bias[j] = static_cast<std::int32_t>(std::lround(std::clamp(bias / scale_[j], -most, most)));
    for (std::size_t row = 0; row < sums_.rows(); ++row) sums_(row, j) += made_.bias[j];
  }

  /// Of what a hidden unit says in real numbers, which are put into `real`, and in 8 bits.
  Range range_of(std::size_t j, Matrix<float>& real) const {
    Range range;
    for (std::size_t row = 0; row < sums_.rows(); ++row) {
      real(row, j) = static_cast<float>(activated(layer_.activation, real_(row, j)));
      range.take(activated(layer_.activation, scale_[j] * sums_(row, j)));
    }
    if (layer_.activation == Activation::tanh) return {.low = -1, .high = 1};
    range.take(0);
    return range;
  }

  /// As large as 32 bits allow, with one shift for all units.
  void set_multipliers(const std::vector<double>& factors) {
    constexpr int most_shift = 50;
    int exponent = 0;
    std::frexp(*std::ranges::max_element(factors), &exponent);  // all are below 2^exponent
    made_.shift = std::clamp(30 - exponent, 1, most_shift);
    for (const double factor : factors)
      made_.multiplier.push_back(static_cast<std::int32_t>(std::lround(std::ldexp(factor, made_.shift))));
  }

  const DenseLayer& layer_;
  const Signals& in_;
  QuantizedLayer made_;
  std::vector<double> scale_;
  Matrix<std::int32_t> sums_;
  Matrix<float> real_;
};

std::uint8_t LayerQuantizer::hidden_level(const QuantizedLayer& layer, Activation activation, std::size_t j,
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

QuantizedNet quantize_net(const LoweredNet& net, const Matrix<float>& levels) {
  QuantizedNet made{.inputs = net.inputs, .layers = {}};
  Signals signals{.real = Matrix<float>(levels.rows(), net.inputs.size()),
                  .levels = Matrix<std::uint8_t>(levels.rows(), net.inputs.size()),
                  .low = std::vector<double>(net.inputs.size(), 0.0),
                  .step = std::vector<double>(net.inputs.size(), 1.0)};
  for (std::size_t row = 0; row < levels.rows(); ++row) {
    for (std::size_t i = 0; i < net.inputs.size(); ++i) {
      signals.real(row, i) = levels(row, net.inputs[i]);
      signals.levels(row, i) = to_level(levels(row, net.inputs[i]));
    }
  }
  for (std::size_t l = 0; l < net.layers.size(); ++l) {
    LayerQuantizer quantizer(net.layers[l], signals);
    if (l + 1 == net.layers.size()) {
      made.layers.push_back(quantizer.last());
      break;
    }
    auto [layer, out] = quantizer.hidden();
    made.layers.push_back(std::move(layer));
    signals = std::move(out);
  }
  return made;
}

/// The scores of one row of levels are added.
void add_scores(const QuantizedModel& model, const QuantizedNet& net, std::span<const std::uint8_t> levels,
                std::span<float> scores) {
  std::vector<std::uint8_t> x;
  for (const std::uint32_t input : net.inputs) x.push_back(levels[input]);
  for (const QuantizedLayer& layer : net.layers) {
    std::vector<std::uint8_t> next(layer.units);
    for (std::size_t j = 0; j < layer.units; ++j) {
      std::int32_t sum = layer.bias[j];
      const std::int8_t* weights = layer.weights.data() + j * layer.inputs;
      for (std::size_t i = 0; i < layer.inputs; ++i) sum += weights[i] * x[i];
      if (&layer == &net.layers.back()) {
        scores[j] += layer.scale[j] * static_cast<float>(sum);
      } else {
        next[j] = LayerQuantizer::hidden_level(layer, model.activation, j, sum);
      }
    }
    x = std::move(next);
  }
}

}  // namespace

std::uint8_t to_level(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::floor(value + 0.5), 0.0, top_level));
}

std::vector<std::uint8_t> tanh_table() {
  std::vector<std::uint8_t> table;
  for (std::size_t k = 0; k < tanh_places; ++k) {
    const double y = (static_cast<double>(k) - tanh_places / 2.0) / tanh_places_per_unit;
    table.push_back(to_level((std::tanh(y) + 1) * top_level / 2));
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

QuantizedModel quantize(const LoweredModel& model, const Matrix<float>& inputs) {
  QuantizedModel made{.lowered = model, .activation = Activation::identity, .nets = {}};
  rescale_inputs(made.lowered, level_scales(model, inputs));
  Matrix<float> levels(inputs.rows(), inputs.cols());
  for (std::size_t row = 0; row < inputs.rows(); ++row)
    std::ranges::copy(levels_of(model, made, inputs.row(row)), levels.row(row).begin());
  for (const LoweredNet& net : made.lowered.nets) {
    if (net.layers.size() > 1) made.activation = net.layers.front().activation;
    made.nets.push_back(quantize_net(net, levels));
  }
  return made;
}

Matrix<float> quantized_scores(const LoweredModel& model, const QuantizedModel& quantized,
                               const Matrix<float>& inputs) {
  Matrix<float> scores(inputs.rows(), model.outputs());
  std::vector<std::uint8_t> rounded(inputs.cols());
  for (std::size_t row = 0; row < inputs.rows(); ++row) {
    std::ranges::transform(levels_of(model, quantized, inputs.row(row)), rounded.begin(), to_level);
    for (const QuantizedNet& net : quantized.nets) add_scores(quantized, net, rounded, scores.row(row));
    for (float& score : scores.row(row)) score /= static_cast<float>(quantized.nets.size());
  }
  return scores;
}

}  // namespace coppice
