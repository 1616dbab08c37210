// AdaRad replayed in plain double on what the program was given, compared with the weights that it wrote.
#include "tests/cli/program.h"

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double activate(const std::string& name, double y) {
  if (name == "tanh") return std::tanh(y);
  if (name == "abs") return std::abs(y);
  if (name == "identity") return y;
  return y > 0 ? y : (name == "relu" ? 0 : 0.01 * y);
}

double slope(const std::string& name, double y) {
  if (name == "tanh") return 1 - std::tanh(y) * std::tanh(y);
  if (name == "abs") return y > 0 ? 1 : -1;
  if (name == "identity") return 1;
  return y > 0 ? 1 : (name == "relu" ? 0 : 0.01);
}

/// A network as METHOD.md has it: layers[l][unit] is a fan-in.
struct Reference {
  std::vector<Rows> layers;
  std::string activation = "relu";
  bool output_capnorm = true;
  Rows inputs;              ///< one per row of data
  std::vector<int> labels;  ///< classification
  Vector targets;           ///< regression, standardised
  Vector offset;            ///< log class frequencies
  double lambda = 1e-3;
  double angular = 30;
  double lifetime = 50;

  // per layer: [unit][row]
  std::vector<Rows> y, x;
  std::vector<Vector> mean, divisor, sigma;
  std::vector<Vector> average, capacity;
  double largest_average = 0;
  double largest_capacity = 0;

  std::size_t rows() const { return inputs.size(); }
  bool capped(std::size_t l) const { return output_capnorm || l + 1 < layers.size(); }

  void forward() {
    const auto n = static_cast<double>(rows());
    y.assign(layers.size(), {});
    x = y;
    mean.assign(layers.size(), {});
    divisor = sigma = mean;
    for (std::size_t l = 0; l < layers.size(); ++l) {
      for (const Vector& w : layers[l]) {
        Vector z(rows());
        for (std::size_t i = 0; i < rows(); ++i) {
          for (std::size_t k = 0; k < w.size(); ++k) z[i] += w[k] * (l == 0 ? inputs[i][k] : x[l - 1][k][i]);
        }
        double mu = 0;
        for (const double v : z) mu += v / n;
        double variance = 0;
        for (const double v : z) variance += (v - mu) * (v - mu) / n;
        sigma[l].push_back(std::sqrt(variance));
        mean[l].push_back(capped(l) ? mu : 0);
        divisor[l].push_back(capped(l) ? std::max(1.0, sigma[l].back()) : 1);
        for (double& v : z) v = (v - mean[l].back()) / divisor[l].back();
        y[l].push_back(z);
        for (double& v : z) v = activate(activation, v);
        x[l].push_back(z);
      }
    }
  }

  /// dE/dscore times 1/n for every output and row.
  Rows loss_gradient() const {
    const auto n = static_cast<double>(rows());
    const Rows& scores = y.back();
    Rows gradient(scores.size(), Vector(rows()));
    for (std::size_t i = 0; i < rows(); ++i) {
      if (labels.empty()) {
        gradient[0][i] = 2 * (scores[0][i] - targets[i]) / n;
        continue;
      }
      double total = 0;
      for (std::size_t k = 0; k < scores.size(); ++k) total += std::exp(scores[k][i] + offset[k]);
      for (std::size_t k = 0; k < scores.size(); ++k) {
        gradient[k][i] =
            (std::exp(scores[k][i] + offset[k]) / total - (labels[i] == static_cast<int>(k) ? 1 : 0)) / n;
      }
    }
    return gradient;
  }

  std::vector<Rows> backward() const {
    const auto n = static_cast<double>(rows());
    std::vector<Rows> gradients(layers.size());
    Rows gy = loss_gradient();
    for (std::size_t l = layers.size(); l-- > 0;) {
      Rows below(l == 0 ? 0 : layers[l - 1].size(), Vector(rows()));
      for (std::size_t j = 0; j < layers[l].size(); ++j) {
        Vector gz = gy[j];
        if (capped(l)) {
          double average_g = 0;
          double average_gy = 0;
          for (std::size_t i = 0; i < rows(); ++i) {
            average_g += gz[i] / n;
            average_gy += gz[i] * y[l][j][i] / n;
          }
          const bool normed = sigma[l][j] > 1;
          for (std::size_t i = 0; i < rows(); ++i) {
            gz[i] = normed ? (gz[i] - average_g - y[l][j][i] * average_gy) / sigma[l][j] : gz[i] - average_g;
          }
        }
        Vector gradient(layers[l][j].size());
        for (std::size_t i = 0; i < rows(); ++i) {
          for (std::size_t k = 0; k < gradient.size(); ++k)
            gradient[k] += gz[i] * (l == 0 ? inputs[i][k] : x[l - 1][k][i]);
          for (std::size_t k = 0; k < below.size(); ++k) below[k][i] += gz[i] * layers[l][j][k];
        }
        gradients[l].push_back(gradient);
      }
      for (std::size_t k = 0; k < below.size(); ++k) {
        for (std::size_t i = 0; i < rows(); ++i) below[k][i] *= slope(activation, y[l - 1][k][i]);
      }
      gy = below;
    }
    return gradients;
  }

  /// One full-batch step (B = n), phi formed and rotated by hand. No unit may vanish.
  void step() {
    constexpr double beta = 0.005;
    forward();
    const std::vector<Rows> gradients = backward();
    if (average.empty()) {
      for (const Rows& layer : layers) average.emplace_back(layer.size());
      capacity = average;
    }
    const double radial = 1 / (lifetime * lambda);
    for (std::size_t l = layers.size(); l-- > 0;) {
      Rows phis;
      for (std::size_t j = 0; j < layers[l].size(); ++j) {
        const Vector& w = layers[l][j];
        const double c = dot(gradients[l][j], w) / dot(w, w);
        Vector phi = gradients[l][j];
        for (std::size_t k = 0; k < phi.size(); ++k) phi[k] -= c * w[k];
        average[l][j] = (1 - beta) * average[l][j] + beta * dot(phi, phi);
        capacity[l][j] = (1 - beta) * capacity[l][j] + beta;
        largest_average = std::max(largest_average, average[l][j]);
        largest_capacity = std::max(largest_capacity, capacity[l][j]);
        phis.push_back(phi);
      }
      for (std::size_t j = 0; j < layers[l].size(); ++j) {
        Vector& w = layers[l][j];
        const Vector& phi = phis[j];
        const double size = std::sqrt(dot(phi, phi));
        const double own = std::sqrt(average[l][j] / capacity[l][j]) + 1e-8;
        const double theta = angular * std::sqrt(largest_average / largest_capacity) / own * size;
        const double c = dot(gradients[l][j], w) / dot(w, w);
        for (double& v : w) v *= 1 - radial * c;
        const double length = std::sqrt(dot(w, w));
        if (size > 0) {
          for (std::size_t k = 0; k < w.size(); ++k) {
            w[k] = std::cos(theta) * w[k] - std::sin(theta) * length * phi[k] / size;
          }
        }
        const double shrink = 1 - radial * lambda / length;
        ASSERT_GT(shrink, 0) << "a unit vanished: choose data where none does";
        for (double& v : w) v *= shrink;
      }
    }
  }
};

void expect_near(const Vector& is, const Vector& expected, const std::string& what) {
  ASSERT_EQ(is.size(), expected.size()) << what;
  double difference = 0;
  for (std::size_t k = 0; k < is.size(); ++k) difference += (is[k] - expected[k]) * (is[k] - expected[k]);
  EXPECT_LE(std::sqrt(difference), 1e-4 * std::sqrt(dot(expected, expected)) + 1e-6) << what;
}

struct Case {
  std::string name;
  bool classes = true;
  std::string activation = "relu";
  std::string scale = "none";
  bool output_capnorm = true;
  bool prior = true;
  std::size_t hidden_layers = 2;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

class ReferenceCheck : public Program, public ::testing::WithParamInterface<Case> {
 protected:
  static constexpr std::size_t rows = 80;
  static constexpr std::size_t inputs = 3;

  /// Fills the reference with data and returns the same data as csv.
  std::string make_data(Reference& reference) const {
    std::mt19937 random(11);
    std::string text = "a,b,c,target\n";
    for (std::size_t i = 0; i < rows; ++i) {
      Vector row;
      for (std::size_t k = 0; k < inputs; ++k) {
        row.push_back(std::round((static_cast<double>(random()) / 4294967296.0 - 0.4) *
                                 (3.0 + static_cast<double>(k)) * 1000) /
                      1000);
        text += fmt::format("{},", row.back());
      }
      if (GetParam().classes) {
        const int label = row[0] * row[1] > 0.3 ? 2 : (row[2] > 0.4 ? 1 : 0);
        reference.labels.push_back(label);
        text += fmt::format("class{}\n", label);
      } else {
        reference.targets.push_back(std::round((row[0] * row[1] - row[2]) * 1000) / 1000 +
                                    0.0005 * static_cast<double>(i));
        text += fmt::format("{}\n", reference.targets.back());
      }
      reference.inputs.push_back(row);
    }
    if (GetParam().scale == "column") {
      for (std::size_t k = 0; k < inputs; ++k) {
        Vector column;
        for (const Vector& row : reference.inputs) column.push_back(row[k]);
        standardise(column);
        for (std::size_t i = 0; i < rows; ++i) reference.inputs[i][k] = column[i];
      }
    }
    if (GetParam().classes) {
      reference.offset.assign(3, 0);
      for (const int label : reference.labels)
        reference.offset[static_cast<std::size_t>(label)] += 1.0 / rows;
      for (double& v : reference.offset) v = GetParam().prior ? std::log(v) : 0;
    } else {
      standardise(reference.targets);
    }
    return text;
  }

  static void standardise(Vector& values) {
    const auto n = static_cast<double>(values.size());
    double mean = 0;
    for (const double v : values) mean += v / n;
    double variance = 0;
    for (const double v : values) variance += (v - mean) * (v - mean) / n;
    for (double& v : values) v = (v - mean) / std::sqrt(variance);
  }

  Json layers_after(const std::string& steps, const Reference& reference) const {
    const Case& c = GetParam();
    ok({"train",
        "d.csv",
        "--validation",
        "d.csv",
        "--target",
        "target",
        "--batch-size",
        std::to_string(rows),
        "--add-units",
        "0",
        "--max-steps",
        steps,
        "--keep",
        "last",
        "--activation",
        c.activation,
        "--scale",
        c.scale,
        "--output-capnorm",
        c.output_capnorm ? "on" : "off",
        "--prior-offset",
        c.prior ? "on" : "off",
        "--hidden-layers",
        std::to_string(c.hidden_layers),
        "--start-units",
        "6",
        "--seed",
        "4",
        "--quiet",
        "--lambda",
        fmt::format("{}", reference.lambda),
        "--angular-step",
        fmt::format("{}", reference.angular),
        "--unit-lifetime",
        fmt::format("{}", reference.lifetime),
        "-o",
        "run-" + steps});
    return ok({"inspect", "run-" + steps + "/model.coppice", "--json", "--weights"}).json().at("layers");
  }

  /// Trains with the program and with the reference; both must end with the same net.
  void compare(Reference reference, int steps) const {
    write("d.csv", make_data(reference));
    reference.activation = GetParam().activation;
    reference.output_capnorm = GetParam().output_capnorm;
    for (const Json& layer : layers_after("0", reference)) {
      reference.layers.push_back(layer.at("fan_in").get<Rows>());
    }
    const auto start = reference.layers;
    for (int i = 0; i < steps; ++i) reference.step();
    ASSERT_FALSE(HasFatalFailure());
    reference.forward();
    const Json after = layers_after(std::to_string(steps), reference);
    ASSERT_EQ(after.size(), reference.layers.size());
    for (std::size_t l = 0; l < after.size(); ++l) {
      const auto weights = after[l].at("fan_in").get<Rows>();
      ASSERT_EQ(weights.size(), reference.layers[l].size());
      for (std::size_t j = 0; j < weights.size(); ++j) {
        expect_near(weights[j], reference.layers[l][j], fmt::format("layer {}, unit {}", l, j));
        EXPECT_GT(std::abs(weights[j][0] - start[l][j][0]), 0) << "nothing was trained";
      }
      expect_near(after[l].at("mean").get<Vector>(), reference.mean[l], fmt::format("means of layer {}", l));
      expect_near(after[l].at("divisor").get<Vector>(), reference.divisor[l],
                  fmt::format("divisors of layer {}", l));
    }
  }
};

TEST_P(ReferenceCheck, ThreeStepsOfTheProgramAreThreeStepsInDouble) {
  Reference reference;
  reference.lambda = 2e-2;
  reference.angular = 3;
  compare(reference, 3);
}

TEST_P(ReferenceCheck, OneStepWithThePapersStepSizes) {
  Reference reference;
  reference.lambda = 2e-3;
  compare(reference, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Nets, ReferenceCheck,
    ::testing::Values(Case{.name = "relu"}, Case{.name = "scaled", .scale = "column"},
                      Case{.name = "tanh", .activation = "tanh"},
                      Case{.name = "abs", .activation = "abs", .hidden_layers = 1},
                      Case{.name = "leaky", .activation = "leaky-relu", .hidden_layers = 3},
                      Case{.name = "identity", .activation = "identity"},
                      Case{.name = "uncapped", .output_capnorm = false}, Case{.name = "flat", .prior = false},
                      Case{.name = "regression", .classes = false, .scale = "column"},
                      Case{.name = "regression_abs", .classes = false, .activation = "abs"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace coppice::test
