#include "coppice/analysis/contributions.h"

#include "coppice/device/activation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace coppice {

namespace {

/// Slopes above and below 0 of an activation that has two.
struct Slopes {
  double above = 1;
  double below = 1;
};

Slopes slopes_of(Activation activation) {
  if (activation == Activation::relu) return {.above = 1, .below = 0};
  if (activation == Activation::leaky_relu) return {.above = 1, .below = leaky_slope};
  if (activation == Activation::abs) return {.above = 1, .below = -1};
  return {};
}

void add_scaled(std::span<double> to, std::span<const double> row, double factor) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * row[i];
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The part of the sum that rounding or the integral's steps left out, spread by size.
void spread_rest(std::span<double> parts, double whole) {
  double sum = 0;
  double sizes = 0;
  for (const double part : parts) {
    sum += part;
    sizes += std::abs(part);
  }
  if (sizes == 0) return;
  for (double& part : parts) part += (whole - sum) * std::abs(part) / sizes;
}

}  // namespace

/// The net along the line t x, t from 0 to 1: before every unit stands a + b t, its slope is one of two, and gradients are
/// those of the output by what units give. A unit that changes its slope changes numbers of layers above, gradients below.
class Contributions::Line {
 public:
  Line(const std::vector<DenseLayer>& layers, Slopes slopes, std::span<const double> x, std::size_t output)
      : layers_(layers), slopes_(slopes), hidden_(layers.size() - 1) {
    for (std::size_t l = 0; l < hidden_.size(); ++l) {
      Units& units = hidden_[l];
      units.a = layers[l].bias;
      units.b.resize(units.a.size());
      if (l > 0) run_up(l);
      for (std::size_t j = 0; l == 0 && j < units.b.size(); ++j)
        units.b[j] = dot(layers[0].weights.row(j), x);
      for (std::size_t j = 0; j < units.a.size(); ++j) {
        const bool above = units.a[j] > 0 || (units.a[j] == 0 && units.b[j] > 0);
        units.above.push_back(above);
        units.slope.push_back(above ? slopes.above : slopes.below);
      }
    }
    const auto last = layers.back().weights.row(output);
    hidden_.back().gradient.assign(last.begin(), last.end());
    for (std::size_t l = hidden_.size() - 1; l > 0; --l) run_down(l);
  }

  /// The gradient by what comes before the units of the first layer, integrated.
  std::vector<double> integral() {
    const Units& first = hidden_.front();
    std::vector<double> sum(first.a.size());
    for (double t = 0; t < 1;) {
      const Turn turn = next_turn(t);
      for (std::size_t j = 0; j < sum.size(); ++j)
        sum[j] += (turn.t - t) * first.slope[j] * first.gradient[j];
      t = turn.t;
      if (t < 1) take(turn);
    }
    return sum;
  }

 private:
  struct Units {
    std::vector<double> a, b;  ///< a + b t comes before the nonlinearity
    std::vector<char> above;   ///< 0
    std::vector<double> slope;
    std::vector<double> gradient;  ///< of the output by what the unit gives
  };
  struct Turn {
    double t = 1;
    std::size_t layer = 0;
    std::size_t unit = 0;
  };

  /// The first unit from t on that crosses 0. A unit turns again only after one below it did, so this ends.
  Turn next_turn(double t) const {
    Turn turn;
    for (std::size_t l = 0; l < hidden_.size(); ++l) {
      const Units& units = hidden_[l];
      for (std::size_t j = 0; j < units.a.size(); ++j) {
        const double end = units.a[j] + units.b[j];
        if (units.above[j] != 0 ? end >= 0 : end <= 0) continue;
        const double crossing = std::max(t, -units.a[j] / units.b[j]);
        if (crossing < turn.t) turn = {.t = crossing, .layer = l, .unit = j};
      }
    }
    return turn;
  }

  void take(const Turn& turn) {
    const std::size_t l = turn.layer;
    Units& units = hidden_[l];
    const std::size_t j = turn.unit;
    units.above[j] = units.above[j] != 0 ? 0 : 1;
    const double slope = units.above[j] != 0 ? slopes_.above : slopes_.below;
    const double change = slope - std::exchange(units.slope[j], slope);
    if (l + 1 < hidden_.size()) {
      const auto fan_out = layers_[l + 1].transposed.row(j);
      add_scaled(hidden_[l + 1].a, fan_out, change * units.a[j]);
      add_scaled(hidden_[l + 1].b, fan_out, change * units.b[j]);
    }
    for (std::size_t m = l + 2; m < hidden_.size(); ++m) run_up(m);
    if (l > 0) add_scaled(hidden_[l - 1].gradient, layers_[l].weights.row(j), change * units.gradient[j]);
    for (std::size_t m = l; m > 1; --m) run_down(m - 1);
  }

  /// a and b of a layer from the one below.
  void run_up(std::size_t l) {
    const Units& below = hidden_[l - 1];
    Units& units = hidden_[l];
    units.a = layers_[l].bias;
    std::ranges::fill(units.b, 0.0);
    for (std::size_t i = 0; i < below.a.size(); ++i) {
      if (below.slope[i] == 0) continue;
      add_scaled(units.a, layers_[l].transposed.row(i), below.slope[i] * below.a[i]);
      add_scaled(units.b, layers_[l].transposed.row(i), below.slope[i] * below.b[i]);
    }
  }

  /// Gradients of the layer below from those of this one.
  void run_down(std::size_t l) {
    const Units& units = hidden_[l];
    std::vector<double>& gradient = hidden_[l - 1].gradient;
    gradient.assign(hidden_[l - 1].a.size(), 0.0);
    for (std::size_t j = 0; j < units.a.size(); ++j)
      add_scaled(gradient, layers_[l].weights.row(j), units.slope[j] * units.gradient[j]);
  }

  const std::vector<DenseLayer>& layers_;
  Slopes slopes_;
  std::vector<Units> hidden_;
};

Contributions::Contributions(const FoldedNet& net) : activation_(net.network.activation) {
  for (std::size_t l = 0; l < net.network.layers.size(); ++l) {
    const Matrix<float>& weights = net.network.layers[l].weights;
    DenseLayer layer{.weights = Matrix<double>(weights.rows(), weights.cols()),
                     .transposed = Matrix<double>(weights.cols(), weights.rows()),
                     .bias = {}};
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      for (std::size_t i = 0; i < weights.cols(); ++i)
        layer.weights(j, i) = layer.transposed(i, j) = weights(j, i);
      layer.bias.push_back(-static_cast<double>(net.statistics.mean[l][j]));
    }
    layers_.push_back(std::move(layer));
  }
  std::vector<double>& last = layers_.back().bias;
  for (std::size_t k = 0; k < net.network.offset.size(); ++k) last[k] += net.network.offset[k];
  at_zero_ = forward(std::vector<double>(inputs()));
}

double Contributions::at_zero(std::size_t output) const {
  return at_zero_[output];
}

std::vector<double> Contributions::forward(std::vector<double> x) const {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    std::vector<double> next = layers_[l].bias;
    for (std::size_t j = 0; j < next.size(); ++j) next[j] += dot(layers_[l].weights.row(j), x);
    if (l + 1 < layers_.size()) {
      with_activation(activation_, [&]<Activation A>() {
        for (double& y : next) y = activate<A>(y);
      });
    }
    x = std::move(next);
  }
  return x;
}

/// The gradient by what comes before the units of the first layer, at one point.
std::vector<double> Contributions::slopes_at(std::span<const double> x, std::size_t output) const {
  std::vector<std::vector<double>> slopes;
  std::vector<double> below(x.begin(), x.end());
  for (std::size_t l = 0; l + 1 < layers_.size(); ++l) {
    std::vector<double> y = layers_[l].bias;
    std::vector<double>& slope_of = slopes.emplace_back(y.size());
    with_activation(activation_, [&]<Activation A>() {
      for (std::size_t j = 0; j < y.size(); ++j) {
        const double before = y[j] + dot(layers_[l].weights.row(j), below);
        y[j] = activate<A>(before);
        slope_of[j] = slope<A>(before, y[j]);
      }
    });
    below = std::move(y);
  }
  const auto last = layers_.back().weights.row(output);
  std::vector<double> gradient(last.begin(), last.end());
  for (std::size_t l = slopes.size(); l > 0; --l) {
    for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] *= slopes[l - 1][j];
    if (l == 1) break;
    std::vector<double> lower(slopes[l - 2].size());
    for (std::size_t j = 0; j < gradient.size(); ++j)
      add_scaled(lower, layers_[l - 1].weights.row(j), gradient[j]);
    gradient = std::move(lower);
  }
  return gradient;
}

/// Gauss-Legendre: eight points in each quarter of the line.
std::vector<double> Contributions::integrate(std::span<const double> x, std::size_t output) const {
  constexpr std::array<std::pair<double, double>, 4> rule{{{0.1834346424956498, 0.3626837833783620},
                                                           {0.5255324099163290, 0.3137066458778873},
                                                           {0.7966664774136267, 0.2223810344533745},
                                                           {0.9602898564975363, 0.1012285362903763}}};
  constexpr std::size_t quarters = 4;
  std::vector<double> sum(layers_.front().bias.size());
  std::vector<double> point(x.size());
  for (std::size_t q = 0; q < quarters; ++q) {
    for (const auto& [away, weight] : rule) {
      for (const double side : {-1.0, 1.0}) {
        const double t = (static_cast<double>(q) + (1 + side * away) / 2) / quarters;
        for (std::size_t i = 0; i < x.size(); ++i) point[i] = t * x[i];
        add_scaled(sum, slopes_at(point, output), weight / (2 * quarters));
      }
    }
  }
  return sum;
}

void Contributions::of(std::span<const float> given, std::size_t output, std::span<double> into) const {
  const std::vector<double> x(given.begin(), given.end());
  std::ranges::fill(into, 0.0);
  if (layers_.size() == 1) {
    add_scaled(into, layers_[0].weights.row(output), 1);
  } else {
    const bool smooth = activation_ == Activation::tanh;
    const std::vector<double> integral =
        smooth ? integrate(x, output) : Line(layers_, slopes_of(activation_), x, output).integral();
    for (std::size_t j = 0; j < integral.size(); ++j)
      if (integral[j] != 0) add_scaled(into, layers_[0].weights.row(j), integral[j]);
  }
  for (std::size_t i = 0; i < into.size(); ++i) into[i] *= x[i];
  spread_rest(into, forward(x)[output] - at_zero_[output]);
}

}  // namespace coppice
