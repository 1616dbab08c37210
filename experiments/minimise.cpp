#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/network/gradient.h"
#include "coppice/network/resize.h"
#include "coppice/training/adarad.h"
#include "coppice/training/sgd.h"

#include "experiments/theory.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace coppice::experiments {

namespace {

/// Dot products of the groups of a layer: fan-ins are rows of the weights, fan-outs columns.
struct Dots {
  double ww = 0;
  double gw = 0;
  double gg = 0;
};

std::vector<Dots> dots_of(const Matrix<double>& weights, const Matrix<double>& gradient,
                          const Regularizer& regularizer) {
  const bool single = regularizer.power == 1;
  const bool rows = regularizer.fan == Fan::fan_in;
  std::vector<Dots> groups(single ? weights.rows() * weights.cols() : rows ? weights.rows() : weights.cols());
  for (std::size_t j = 0; j < weights.rows(); ++j) {
    for (std::size_t i = 0; i < weights.cols(); ++i) {
      Dots& dots = groups[single ? j * weights.cols() + i : rows ? j : i];
      const double w = weights(j, i);
      const double g = gradient(j, i);
      dots.ww += w * w;
      dots.gw += g * w;
      dots.gg += g * g;
    }
  }
  return groups;
}

class Descent {
 public:
  Descent(const Dataset& data, const Minimisation& how)
      : how_(&how), rows_(data.rows()), optimizer_(make(how)) {
    std::iota(rows_.begin(), rows_.end(), 0U);
    std::uint32_t classes = 0;
    for (const std::uint32_t label : data.labels) classes = std::max(classes, label + 1);
    network_ = make_network<double>({.inputs = data.input_count(),
                                     .outputs = classes,
                                     .hidden = how.hidden,
                                     .activation = how.activation,
                                     .norm = Norm::none,
                                     .output_capnorm = false},
                                    how.seed);
    // Where layers have lambdas of their own the start is the same net, as Proposition 1 rescales it.
    for (std::size_t l = 0; l < network_.layers.size(); ++l) times(l, 1 / how.regularizer.factor(l));
    state_ = optimizer_->start(network_);
    gather_batch(pool_, data, rows_, workspace_);
  }

  Minimum run() {
    how_->adarad ? turn() : descend();
    Minimum found{.error = error_and_gradient()};
    found.objective = found.error + penalty();
    found.groups = groups();
    const Network<double> own = network_;
    for (std::size_t l = 0; l < network_.layers.size(); ++l) times(l, how_->regularizer.factor(l));
    found.rescaled = error_and_gradient() + penalty(false);
    network_ = own;
    found.network = std::move(network_);
    return found;
  }

 private:
  static std::unique_ptr<Optimizer<double>> make(const Minimisation& how) {
    if (how.adarad) return std::make_unique<AdaRad<double>>(0.005, 1e-12, how.regularizer);
    return std::make_unique<Sgd<double>>(how.regularizer);
  }

  double error_and_gradient() {
    const double share = 1 / static_cast<double>(rows_.size());
    return compute_gradient(Compute(pool_), network_, share, workspace_).loss * share;
  }

  void times(std::size_t layer, double factor) {
    Matrix<double>& weights = network_.layers[layer].weights;
    for (std::size_t j = 0; j < weights.rows(); ++j)
      for (double& weight : weights.row(j)) weight *= factor;
  }

  double penalty(bool with_factors = true) const {
    double sum = 0;
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const Matrix<double>& weights = network_.layers[l].weights;
      for (const Dots& dots : dots_of(weights, weights, how_->regularizer))
        sum += how_->lambda * (with_factors ? how_->regularizer.factor(l) : 1) * std::sqrt(dots.ww);
    }
    return sum;
  }

  void step(const StepSizes& sizes) {
    if (!optimizer_->step(pool_, network_, workspace_, sizes, state_, dead_))
      fail("theory: a number is not finite; take smaller steps");
    for (std::size_t l = 0; l < dead_.size(); ++l) {
      if (dead_[l].empty()) continue;
      ResizePlan plan{.layer = l, .keep = {}, .added = {}};
      for (std::size_t j = 0; j < network_.layers[l].weights.rows(); ++j)
        if (std::ranges::find(dead_[l], j) == dead_[l].end()) plan.keep.push_back(j);
      resize(network_, plan);
      state_.resize(plan);
    }
  }

  /// The weights go on by so much of the way from `from`.
  void go_on(const Network<double>& from, double share) {
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      Matrix<double>& now = network_.layers[l].weights;
      const Matrix<double>& then = from.layers[l].weights;
      for (std::size_t j = 0; j < now.rows(); ++j)
        for (std::size_t i = 0; i < now.cols(); ++i) now(j, i) += share * (now(j, i) - then(j, i));
    }
  }

  /// Proximal gradient descent with Nesterov's momentum. The objective never rises: where a step would raise it, momentum
  /// begins anew, and without momentum the step is halved.
  void descend() {
    double size = 1;
    double run = 0;  // steps since momentum began
    Network<double> last = network_;
    double before = error_and_gradient() + penalty();
    for (std::size_t t = 0; t < how_->steps; ++t) {
      const Network<double> here = network_;
      if (run > 0 && here.hidden_units() == last.hidden_units()) {
        go_on(last, run / (run + 3));
        error_and_gradient();
      } else {
        run = 0;
      }
      step({.radial = size, .shrinkage = size * how_->lambda});
      const double now = error_and_gradient() + penalty();
      if (now <= before) {
        before = now;
        last = here;
        size *= run == 0 ? 1.1 : 1;
        ++run;
        continue;
      }
      size *= run == 0 ? 0.5 : 1;
      run = 0;
      network_ = here;
      error_and_gradient();
    }
  }

  /// AdaRad's steps, by an angle that falls to a thousandth: with a fixed one directions never come to rest.
  void turn() {
    for (std::size_t t = 0; t < how_->steps; ++t) {
      error_and_gradient();
      const double left = 1 - static_cast<double>(t) / static_cast<double>(how_->steps);
      const double radial = 1 / (50 * how_->lambda);
      step({.angular = 0.05 * left * left * left + 1e-5,
            .radial = radial,
            .shrinkage = radial * how_->lambda,
            .by_angle = true,
            .trust = 2});
    }
  }

  std::vector<Group> groups() const {
    std::vector<Group> all;
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const double lambda = how_->lambda * how_->regularizer.factor(l);
      for (const Dots& dots :
           dots_of(network_.layers[l].weights, workspace_.layers[l].weight_gradient, how_->regularizer)) {
        if (dots.ww == 0) continue;
        const double length = std::sqrt(dots.ww);
        all.push_back({.length = length,
                       .gradient = std::sqrt(dots.gg) / lambda,
                       .radial = -dots.gw / length / lambda});
      }
    }
    return all;
  }

  const Minimisation* how_;
  std::vector<std::uint32_t> rows_;
  ThreadPool pool_{1};
  std::unique_ptr<Optimizer<double>> optimizer_;
  Network<double> network_ = {};
  OptimizerStateOf<double> state_ = {};
  Workspace<double> workspace_ = {};
  DeadUnits dead_ = {};
};

}  // namespace

Minimum minimise(const Dataset& data, const Minimisation& how) {
  return Descent(data, how).run();
}

Dataset dataset_of(const Rows& rows) {
  Dataset data;
  const std::size_t inputs = rows.front().size() - 1;
  data.inputs = Matrix<float>(rows.size() - 1, inputs);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < inputs; ++c)
      data.inputs(r - 1, c) = static_cast<float>(parse_number(rows[r][c]).value_or(0));
    data.labels.push_back(static_cast<std::uint32_t>(parse_number(rows[r][inputs]).value_or(0)));
  }
  return data;
}

}  // namespace coppice::experiments
