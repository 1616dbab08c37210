#include "coppice/exports/steep_inputs.h"

#include "coppice/exports/quantized.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace coppice {

namespace {

/// A unit of a first layer. Its weights are rounded to steps of the largest over 127.
struct FirstUnit {
  std::size_t net = 0;
  std::vector<double> weights;  ///< of the net's inputs, without signs, as the shifts have made them
  double variance = 0;          ///< of its sum
  std::size_t largest = 0;      ///< which weight is
  double second = 0;            ///< how large the next one is
};

class SteepSearch {
 public:
  SteepSearch(const LoweredModel& model, const Matrix<float>& levels, double top)
      : model_(model), top_(top), shifts_(model.inputs.size()) {
    measure(levels);
    for (std::size_t n = 0; n < model.nets.size(); ++n) {
      const Matrix<float>& weights = model.nets[n].layers.front().weights;
      for (std::size_t j = 0; j < weights.rows(); ++j) add_unit(n, j, levels);
    }
  }

  std::vector<SteepInput> find() {
    while (const auto doubled = best_to_double()) apply(*doubled);
    std::vector<SteepInput> found;
    for (std::size_t i = 0; i < shifts_.size(); ++i) {
      if (shifts_[i] > 0)
        found.push_back(
            {.input = static_cast<std::uint16_t>(i), .shift = static_cast<std::uint8_t>(shifts_[i])});
    }
    return found;
  }

 private:
  /// Variances of the levels.
  void measure(const Matrix<float>& levels) {
    const auto rows = static_cast<double>(levels.rows());
    for (std::size_t i = 0; i < levels.cols(); ++i) {
      double sum = 0;
      for (std::size_t row = 0; row < levels.rows(); ++row) sum += levels(row, i);
      double squares = 0;
      for (std::size_t row = 0; row < levels.rows(); ++row) {
        const double off = levels(row, i) - sum / rows;
        squares += off * off;
      }
      variances_.push_back(squares / rows);
    }
    for (const LoweredNet& net : model_.nets) {
      double noise = 0;
      for (const std::uint32_t input : net.inputs) noise += variances_[input];
      noise_.push_back(noise);
    }
  }

  void add_unit(std::size_t n, std::size_t j, const Matrix<float>& levels) {
    const LoweredNet& net = model_.nets[n];
    const DenseLayer& layer = net.layers.front();
    FirstUnit unit{.net = n, .weights = {}, .variance = 0, .largest = 0, .second = 0};
    double sum = 0;
    double squares = 0;
    for (std::size_t row = 0; row < levels.rows(); ++row) {
      double real = 0;
      for (std::size_t i = 0; i < net.inputs.size(); ++i)
        real += static_cast<double>(layer.weights(j, i)) * levels(row, net.inputs[i]);
      sum += real;
      squares += real * real;
    }
    const auto rows = static_cast<double>(levels.rows());
    unit.variance = squares / rows - sum / rows * (sum / rows);
    // A sum that never varies is a bias, however its weights are rounded.
    if (!(unit.variance > 1e-9 * squares / rows)) return;
    for (std::size_t i = 0; i < net.inputs.size(); ++i)
      unit.weights.push_back(std::fabs(layer.weights(j, i)));
    find_largest(unit);
    units_.push_back(std::move(unit));
  }

  static void find_largest(FirstUnit& unit) {
    unit.largest = static_cast<std::size_t>(std::ranges::max_element(unit.weights) - unit.weights.begin());
    unit.second = 0;
    for (std::size_t i = 0; i < unit.weights.size(); ++i) {
      if (i != unit.largest) unit.second = std::max(unit.second, unit.weights[i]);
    }
  }

  std::size_t largest_input(const FirstUnit& unit) const {
    return model_.nets[unit.net].inputs[unit.largest];
  }

  /// How far off all units are, in units of what they vary.
  double off() const {
    double sum = 0;
    for (const FirstUnit& unit : units_)
      sum += square(unit.weights[unit.largest]) * noise_[unit.net] / unit.variance;
    return sum;
  }

  /// By how much that changes if an input had twice the levels that it has; 0 of those that are no unit's largest.
  std::vector<double> changes() const {
    std::vector<double> steepness(model_.nets.size());
    for (const FirstUnit& unit : units_)
      steepness[unit.net] += square(unit.weights[unit.largest]) / unit.variance;
    std::vector<double> changed(shifts_.size());
    for (const FirstUnit& unit : units_) {
      const std::size_t input = largest_input(unit);
      if (changed[input] == 0) changed[input] = more_noise(input, steepness);
      const double largest = unit.weights[unit.largest];
      const double then = std::max(largest / 2, unit.second);
      changed[input] -=
          (square(largest) - square(then)) * (noise_[unit.net] + added_noise(input)) / unit.variance;
    }
    return changed;
  }

  /// Levels that are twice as large vary four times as much.
  double added_noise(std::size_t input) const {
    return 3 * std::ldexp(variances_[input], 2 * shifts_[input]);
  }

  double more_noise(std::size_t input, const std::vector<double>& steepness) const {
    double sum = 0;
    for (std::size_t n = 0; n < model_.nets.size(); ++n) {
      if (takes(n, input)) sum += steepness[n];
    }
    return sum * added_noise(input);
  }

  bool takes(std::size_t n, std::size_t input) const {
    return std::ranges::binary_search(model_.nets[n].inputs, input);
  }

  static double square(double value) { return value * value; }

  bool may_double(std::size_t input) const {
    const auto steep =
        static_cast<std::size_t>(std::ranges::count_if(shifts_, [](int shift) { return shift > 0; }));
    if (shifts_[input] == 0 && steep >= most_steep(shifts_.size())) return false;
    if (shifts_[input] == most_shift_of_levels) return false;
    double most = top_ * std::ldexp(1.0, shifts_[input]);
    for (const int shift : shifts_) most += top_ * std::ldexp(1.0, shift);
    return fits_sums(1, most);
  }

  /// The input that is best given twice the levels, if that helps anywhere.
  std::optional<std::size_t> best_to_double() const {
    std::optional<std::size_t> best;
    double least = -least_gain * off();
    const std::vector<double> changed = changes();
    for (std::size_t input = 0; input < changed.size(); ++input) {
      if (changed[input] >= least || !may_double(input)) continue;
      least = changed[input];
      best = input;
    }
    return best;
  }

  void apply(std::size_t input) {
    for (std::size_t n = 0; n < model_.nets.size(); ++n) {
      if (takes(n, input)) noise_[n] += added_noise(input);
    }
    ++shifts_[input];
    for (FirstUnit& unit : units_) {
      const std::vector<std::uint32_t>& inputs = model_.nets[unit.net].inputs;
      const auto at = std::ranges::lower_bound(inputs, input);
      if (at == inputs.end() || *at != input) continue;
      unit.weights[static_cast<std::size_t>(at - inputs.begin())] /= 2;
      find_largest(unit);
    }
  }

  /// What costs flash must pay.
  static constexpr double least_gain = 0.01;

  const LoweredModel& model_;
  double top_;
  std::vector<int> shifts_;
  std::vector<double> variances_;  ///< of levels before they are shifted
  std::vector<double> noise_;      ///< of each net, the variances of its levels, added
  std::vector<FirstUnit> units_;
};

}  // namespace

std::vector<SteepInput> steep_inputs(const LoweredModel& model, const Matrix<float>& levels, double top) {
  return SteepSearch(model, levels, top).find();
}

}  // namespace coppice
