#include "coppice/exports/layer_quantizer.h"

#include "coppice/device/activation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coppice {

namespace {

double activated(Activation activation, double y) {
  double x = 0;
  with_activation(activation, [&]<Activation A>() { x = activate<A>(y); });
  return x;
}

}  // namespace

LayerQuantizer::LayerQuantizer(const DenseLayer& layer, const Signals& in)
    : layer_(layer), in_(in), rounding_(in.levels) {
  made_.units = layer.units();
  made_.inputs = layer.weights.cols();
  made_.weights.resize(made_.units * made_.inputs);
  made_.bias.resize(made_.units);
  scale_.resize(made_.units);
  sums_ = Matrix<std::int32_t>(in.levels.rows(), made_.units);
  real_ = Matrix<float>(in.levels.rows(), made_.units);
  for (std::size_t j = 0; j < made_.units; ++j) unit(j);
}

QuantizedLayer LayerQuantizer::last() {
  for (const double scale : scale_) made_.scale.push_back(static_cast<float>(scale));
  return std::move(made_);
}

std::pair<QuantizedLayer, Signals> LayerQuantizer::hidden(double room) {
  Signals out{.real = Matrix<float>(real_.rows(), made_.units),
              .levels = Matrix<std::uint16_t>(real_.rows(), made_.units),
              .low = {},
              .step = {}};
  std::vector<double> factors;
  for (std::size_t j = 0; j < made_.units; ++j) {
    const LevelRange range = range_of(j, room, out.real);
    const double step = range.step(top_level);
    out.low.push_back(range.low);
    out.step.push_back(step);
    const bool looked_up = layer_.activation == Activation::tanh;
    factors.push_back(looked_up ? scale_[j] * tanh_places_per_unit : scale_[j] / step);
    if (layer_.activation == Activation::leaky_relu || layer_.activation == Activation::identity)
      made_.zero.push_back(static_cast<std::uint8_t>(to_level(-range.low / step, top_level)));
  }
  set_multipliers(factors);
  for (std::size_t j = 0; j < made_.zero.size(); ++j) out.low[j] = -out.step[j] * made_.zero[j];
  for (std::size_t row = 0; row < sums_.rows(); ++row) {
    for (std::size_t j = 0; j < made_.units; ++j)
      out.levels(row, j) = hidden_level(made_, layer_.activation, j, sums_(row, j));
  }
  return {std::move(made_), std::move(out)};
}

void LayerQuantizer::unit(std::size_t j) {
  double largest = 0;
  double bias = layer_.bias[j];
  for (std::size_t i = 0; i < made_.inputs; ++i) {
    largest = std::max(largest, std::fabs(layer_.weights(j, i) * in_.step[i]));
    bias += layer_.weights(j, i) * in_.low[i];
  }
  constexpr double most_bias = 1 << 29;
  scale_[j] = std::max({largest / top_weight, std::fabs(bias) / most_bias, 1e-30});
  std::vector<double> weights(made_.inputs);
  for (std::size_t i = 0; i < made_.inputs; ++i) weights[i] = layer_.weights(j, i) * in_.step[i] / scale_[j];
  std::vector<double> wanted(sums_.rows());
  for (std::size_t row = 0; row < sums_.rows(); ++row) {
    double real = layer_.bias[j];
    for (std::size_t i = 0; i < made_.inputs; ++i)
      real += static_cast<double>(layer_.weights(j, i)) * in_.real(row, i);
    real_(row, j) = static_cast<float>(real);
    wanted[row] = real / scale_[j];
  }
  const std::vector<std::int8_t> rounded = rounding_.round(weights, wanted);
  std::ranges::copy(rounded, made_.weights.begin() + static_cast<std::ptrdiff_t>(j * made_.inputs));
  double off = 0;
  for (std::size_t row = 0; row < sums_.rows(); ++row) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < made_.inputs; ++i) sum += rounded[i] * in_.levels(row, i);
    sums_(row, j) = sum;
    off += wanted[row] - sum;
  }
  const double most = std::numeric_limits<std::int32_t>::max() / 2.0;
  const double shift = off / static_cast<double>(sums_.rows());
  made_.bias[j] = static_cast<std::int32_t>(std::lround(std::clamp(shift, -most, most)));
  for (std::size_t row = 0; row < sums_.rows(); ++row) sums_(row, j) += made_.bias[j];
}

LevelRange LayerQuantizer::range_of(std::size_t j, double room, Matrix<float>& real) const {
  LevelRange range;
  for (std::size_t row = 0; row < sums_.rows(); ++row) {
    real(row, j) = static_cast<float>(activated(layer_.activation, real_(row, j)));
    range.take(activated(layer_.activation, scale_[j] * sums_(row, j)));
  }
  if (layer_.activation == Activation::tanh) return {.low = -1, .high = 1};
  range.take(0);
  return {.low = range.low * (1 + room), .high = range.high * (1 + room)};
}

void LayerQuantizer::set_multipliers(const std::vector<double>& factors) {
  constexpr int most_shift = 50;
  int exponent = 0;
  std::frexp(*std::ranges::max_element(factors), &exponent);  // all are below 2^exponent
  made_.shift = std::clamp(30 - exponent, 1, most_shift);
  for (const double factor : factors)
    made_.multiplier.push_back(static_cast<std::int32_t>(std::lround(std::ldexp(factor, made_.shift))));
}

}  // namespace coppice
