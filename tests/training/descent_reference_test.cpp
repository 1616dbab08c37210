#include "coppice/network/gradient.h"
#include "coppice/training/adam.h"
#include "coppice/training/momentum.h"
#include "coppice/training/sgd.h"

#include "tests/training/problems.h"
#include "tests/training/resizing.h"

#include <functional>
#include <memory>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using Vector = std::vector<double>;

/// A weight and all that any of the rules remembers about it.
struct Weight {
  double value = 0;
  double mean = 0;
  double square = 0;
};

/// How one weight moves; `age` counts the steps of its unit, from 1.
using Rule = std::function<void(Weight& weight, double gradient, double step, int age)>;

constexpr double mean_rate = 0.1;
constexpr double square_rate = 0.005;
constexpr double epsilon = 1e-8;

void plain_rule(Weight& w, double g, double step, int) {
  w.value -= step * g;
}
void momentum_rule(Weight& w, double g, double step, int) {
  w.mean += mean_rate * (g - w.mean);
  w.value -= step * w.mean;
}
void nesterov_rule(Weight& w, double g, double step, int) {
  w.mean += mean_rate * (g - w.mean);
  const double ahead = w.mean + mean_rate * (g - w.mean);
  w.value -= step * ahead;
}
void rmsprop_rule(Weight& w, double g, double step, int age) {
  w.square += square_rate * (g * g - w.square);
  w.value -= step * g / (std::sqrt(w.square / (1 - std::pow(1 - square_rate, age))) + epsilon);
}
void adam_rule(Weight& w, double g, double step, int age) {
  w.mean += mean_rate * (g - w.mean);
  w.square += square_rate * (g * g - w.square);
  const double mean = w.mean / (1 - std::pow(1 - mean_rate, age));
  const double square = w.square / (1 - std::pow(1 - square_rate, age));
  w.value -= step * mean / (std::sqrt(square) + epsilon);
}

/// The rules on plain lists of units, each a list of weights.
struct Reference {
  struct Unit {
    std::vector<Weight> weights;
    int age = 0;
  };
  std::vector<std::vector<Unit>> layers;
  std::size_t removed = 0;

  template <class T>
  explicit Reference(const Network<T>& network) {
    for (const Layer<T>& layer : network.layers) {
      layers.emplace_back(layer.weights.rows());
      for (std::size_t j = 0; j < layer.weights.rows(); ++j) {
        for (const T value : layer.weights.row(j)) layers.back()[j].weights.push_back({.value = value});
      }
    }
  }

  void step(const std::vector<std::vector<Vector>>& gradients, const Rule& rule, double step,
            double shrinkage) {
    for (std::size_t l = 0; l < layers.size(); ++l) {
      for (std::size_t j = 0; j < layers[l].size(); ++j) {
        Unit& unit = layers[l][j];
        ++unit.age;
        double square = 0;
        for (std::size_t i = 0; i < unit.weights.size(); ++i) {
          rule(unit.weights[i], gradients[l][j][i], step, unit.age);
          square += unit.weights[i].value * unit.weights[i].value;
        }
        const double length = std::sqrt(square);
        for (Weight& w : unit.weights) w.value *= length > shrinkage ? (length - shrinkage) / length : 0;
      }
    }
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
      for (std::size_t j = layers[l].size(); j-- > 0;) {
        if (std::ranges::any_of(layers[l][j].weights, [](const Weight& w) { return w.value != 0; })) continue;
        const auto at = static_cast<std::ptrdiff_t>(j);
        layers[l].erase(layers[l].begin() + at);
        for (Unit& unit : layers[l + 1]) unit.weights.erase(unit.weights.begin() + at);
        ++removed;
      }
    }
  }

  void add(std::size_t layer, const Vector& fan_in) {
    layers[layer].emplace_back();
    for (const double value : fan_in) layers[layer].back().weights.push_back({.value = value});
    for (Unit& unit : layers[layer + 1]) unit.weights.emplace_back();
  }
};

template <class T>
double worst_difference(const Network<T>& network, const Reference& reference) {
  double worst = 0;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Matrix<T>& weights = network.layers[l].weights;
    if (weights.rows() != reference.layers[l].size()) return INFINITY;
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      const std::vector<Weight>& unit = reference.layers[l][j].weights;
      if (weights.cols() != unit.size()) return INFINITY;
      for (std::size_t i = 0; i < unit.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(weights(j, i)) - unit[i].value) /
                                    (1 + std::abs(unit[i].value)));
      }
    }
  }
  return worst;
}

/// Trains a small net that grows and shrinks beside the reference; the largest difference ever.
template <class T>
double train_beside_reference(const Optimizer<T>& optimizer, const Rule& rule, int steps, double step,
                              double shrinkage, std::size_t& removed) {
  ThreadPool pool(2);
  const Dataset data = learnable_dataset();
  const std::vector<std::uint32_t> rows = all_rows(data);
  Network<T> network = make_network<T>({.inputs = 5, .outputs = 3, .hidden = {6, 5}}, 2);
  OptimizerStateOf<T> state = optimizer.start(network);
  Reference reference(network);
  Workspace<T> workspace;
  double worst = 0;
  for (int i = 0; i < steps && worst < 1; ++i) {
    gather_batch(pool, data, std::span(rows).subspan(static_cast<std::size_t>(i % 3) * 100, 100), workspace);
    compute_gradient(pool, network, T(1.0 / 300), workspace);
    DeadUnits dead;
    EXPECT_TRUE(optimizer.step(pool, network, workspace,
                               {.angular = 0, .radial = step, .shrinkage = shrinkage}, state, dead));
    reference.step(gradients_of(workspace), rule, step, shrinkage);
    bury(network, state, dead, optimizer);
    if (i % 3 == 2) {
      grow(network, state, static_cast<std::uint32_t>(100 + i),
           [&](std::size_t layer, const Vector& fan_in) { reference.add(layer, fan_in); });
    }
    worst = std::max(worst, worst_difference(network, reference));
  }
  removed = reference.removed;
  return worst;
}

template <class T>
void check(double tolerance, int steps) {
  struct Case {
    const char* name;
    std::unique_ptr<Optimizer<T>> optimizer;
    Rule rule;
    double step;
    double shrinkage;
  };
  std::vector<Case> cases;
  cases.push_back({"sgd", std::make_unique<Sgd<T>>(), plain_rule, 10, 0.02});
  cases.push_back({"momentum", std::make_unique<Momentum<T>>(mean_rate, false), momentum_rule, 10, 0.02});
  cases.push_back({"nesterov", std::make_unique<Momentum<T>>(mean_rate, true), nesterov_rule, 10, 0.02});
  cases.push_back({"rmsprop", std::make_unique<RmsProp<T>>(square_rate, epsilon), rmsprop_rule, 0.003, 0});
  cases.push_back({"adam", std::make_unique<Adam<T>>(mean_rate, square_rate, epsilon), adam_rule, 0.003, 0});
  for (const Case& c : cases) {
    std::size_t removed = 0;
    EXPECT_LT(train_beside_reference(*c.optimizer, c.rule, steps, c.step, c.shrinkage, removed), tolerance)
        << c.name;
    if (c.shrinkage > 0) {
      EXPECT_GT(removed, 20U) << c.name;
    }
  }
}

TEST(Descent, EqualsThePlainRulesInDouble) {
  check<double>(1e-9, 300);
}

TEST(Descent, FollowsThePlainRulesInFloat) {
  check<float>(1e-3, 150);
}

}  // namespace
}  // namespace coppice
