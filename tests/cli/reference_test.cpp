// AdaRad replayed in plain double on what the program was given, compared with the weights that it wrote.
#include "tests/cli/reference.h"

#include "tests/cli/program.h"

#include <cmath>
#include <random>

#include <fmt/format.h>

namespace coppice::test {
namespace {

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
    if (GetParam().scale == "standard") {
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
    ::testing::Values(Case{.name = "relu"}, Case{.name = "scaled", .scale = "standard"},
                      Case{.name = "tanh", .activation = "tanh"},
                      Case{.name = "abs", .activation = "abs", .hidden_layers = 1},
                      Case{.name = "leaky", .activation = "leaky-relu", .hidden_layers = 3},
                      Case{.name = "identity", .activation = "identity"},
                      Case{.name = "uncapped", .output_capnorm = false}, Case{.name = "flat", .prior = false},
                      Case{.name = "regression", .classes = false, .scale = "standard"},
                      Case{.name = "regression_abs", .classes = false, .activation = "abs"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace coppice::test
