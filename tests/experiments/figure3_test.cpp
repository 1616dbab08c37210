#include "experiments/figure3.h"

#include "tests/xml.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t own_parameters = 100;

/// Median test errors of nets at one lambda: those that size themselves, and parametric ones of their size.
struct Errors {
  double own = 0;
  double same_size = 0;
};

NetResult net_with(double lambda, double error, std::size_t parameters = own_parameters) {
  NetResult result;
  result.lambda = lambda;
  result.hidden_units = {8, 3};
  result.parameters = parameters;
  result.validation_error = error;
  result.test_error = error;
  return result;
}

constexpr std::size_t seeds = 6;

/// Around 1: what seeds make of a number.
double of_seed(std::size_t seed) {
  return 1 + 0.001 * (static_cast<double>(seed) - 2.5);
}

TrainedNets nets(const std::vector<double>& errors, std::size_t parameters = own_parameters) {
  TrainedNets all;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    for (std::size_t seed = 0; seed < seeds; ++seed)
      all.summary.nets.push_back(
          net_with(1.0 / static_cast<double>(i + 1), errors[i] * of_seed(seed), parameters));
  }
  return all;
}

TrialResult trial(OptimizerKind optimizer, double error) {
  TrialResult result;
  result.trial.optimizer = optimizer;
  result.trial.hidden = {8, 3};
  result.validation_error = result.criterion = error;
  result.phase = "done";
  return result;
}

/// Parametric nets of some seeds.
TriedSetting setting(double error, std::size_t parameters) {
  TriedSetting made{.parameters = parameters, .test = {error, error, error}};
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    TrialResult run = trial(OptimizerKind::sgd, error);
    run.test_error = error * of_seed(seed);
    run.parameters = parameters;
    made.runs.push_back(run);
  }
  return made;
}

/// Lambdas 1, 1/2, ...; `larger`: the best of the random search.
Figure3Panel panel(const std::string& title, const std::vector<Errors>& errors, double larger = 0.02,
                   std::size_t larger_parameters = 1000) {
  Figure3Panel made{.title = title};
  std::vector<double> own;
  for (const Errors& one : errors) own.push_back(one.own);
  made.nonparametric.nets = nets(own);
  made.nonparametric.lambdas = lambdas_of(made.nonparametric.nets);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double lambda = made.nonparametric.lambdas[i];
    made.sizes.push_back({.summary = summary_of(made.nonparametric.nets, lambda),
                          .chosen = made.nonparametric.nets.of_lambda(lambda).front(),
                          .parametric = setting(errors[i].same_size, own_parameters)});
  }
  made.larger.push_back(setting(larger, larger_parameters));
  return made;
}

const Figure3Panel usual_mnist = panel("MNIST", {{0.02, 0.03}, {0.01, 0.02}});
const Figure3Panel usual_rectangles = panel("rectangles-images", {{0.3, 0.2}, {0.1, 0.2}}, 0.2);
const Figure3Panel usual_convex = panel("convex", {{0.3, 0.2}, {0.2, 0.1}});

Verdict verdict(const std::vector<Claim>& claims, const std::string& part) {
  const auto found = std::ranges::find_if(
      claims, [&](const Claim& claim) { return claim.text.find(part) != std::string::npos; });
  EXPECT_NE(found, claims.end()) << part;
  return found != claims.end() ? found->judged.verdict : Verdict::undecided;
}
Verdict of_mnist(const Figure3Panel& mnist, const std::string& part) {
  return verdict(figure3_claims(mnist, usual_rectangles, usual_convex), part);
}
Verdict of_rectangles(const Figure3Panel& rectangles, const std::string& part) {
  return verdict(figure3_claims(usual_mnist, rectangles, usual_convex), part);
}
Verdict of_convex(const Figure3Panel& convex, const std::string& part) {
  return verdict(figure3_claims(usual_mnist, usual_rectangles, convex), part);
}

TEST(Figure3Claims, OfMnistNetsAreBetterThanThoseOfTheirSizeAtEveryLambda) {
  const char* claim = "MNIST: nonparametric nets substantially outperform";
  EXPECT_EQ(of_mnist(usual_mnist, claim), Verdict::holds);
  EXPECT_EQ(of_mnist(panel("MNIST", {{0.02, 0.03}, {0.01, 0.01}}), claim), Verdict::undecided);
  EXPECT_EQ(of_mnist(panel("MNIST", {{0.04, 0.03}, {0.01, 0.02}}), claim), Verdict::fails);
}

TEST(Figure3Claims, OfMnistTheBestNetIsCloseToTheBestAndHalfItsSize) {
  const char* claim = "MNIST: the best nonparametric net is close";
  const std::vector<Errors> errors{{0.02, 0.03}, {0.0108, 0.02}};
  EXPECT_EQ(of_mnist(panel("MNIST", errors, 0.01, 201), claim), Verdict::holds);
  EXPECT_EQ(of_mnist(panel("MNIST", errors, 0.01, 200), claim), Verdict::fails) << "not less than half";
  EXPECT_EQ(of_mnist(panel("MNIST", errors, 0.0097, 201), claim), Verdict::fails)
      << "more than a tenth worse";
}

/// The lambda with the lowest validation error is the best; what it does on test rows is what is told.
TEST(Figure3Claims, TestRowsDoNotChooseTheBest) {
  Figure3Panel mnist = panel("MNIST", {{0.02, 0.03}, {0.01, 0.02}});
  mnist.sizes[0].summary.validation.median = 0.001;
  EXPECT_EQ(&mnist.best(), &mnist.sizes[0]);
}

TEST(Figure3Claims, OfRectanglesLargeLambdasLoseAndSmallOnesWin) {
  const char* claim = "rectangles-images: nonparametric nets are worse";
  EXPECT_EQ(of_rectangles(usual_rectangles, claim), Verdict::holds);
  EXPECT_EQ(of_rectangles(panel("r", {{0.1, 0.2}, {0.1, 0.2}}), claim), Verdict::fails);
  EXPECT_EQ(of_rectangles(panel("r", {{0.3, 0.2}, {0.3, 0.2}}), claim), Verdict::fails);
  EXPECT_EQ(of_rectangles(panel("r", {{0.3, 0.2}, {0.2, 0.2}}), claim), Verdict::undecided);
}

TEST(Figure3Claims, OfRectanglesTheBestNetHasTheLowestErrorOfAll) {
  const char* claim = "rectangles-images: the best nonparametric net has the lowest";
  EXPECT_EQ(of_rectangles(usual_rectangles, claim), Verdict::holds);
  EXPECT_EQ(of_rectangles(panel("r", {{0.3, 0.2}, {0.1, 0.2}}, 0.09), claim), Verdict::fails)
      << "a larger net is better";
  EXPECT_EQ(of_rectangles(panel("r", {{0.3, 0.09}, {0.1, 0.2}}, 0.2), claim), Verdict::fails)
      << "one of a net's size is";
  EXPECT_EQ(of_rectangles(panel("r", {{0.3, 0.2}, {0.1, 0.2}}, 0.2, 199), claim), Verdict::fails)
      << "hardly smaller";
}

TEST(Figure3Claims, OfRectanglesTheBestOfOursCounts) {
  const char* claim = "an angle of 0.1 rather than by alpha_phi, the best nonparametric net has the lowest";
  Figure3Panel rectangles = usual_rectangles;
  rectangles.by_angle = nets({0.3, 0.19});
  EXPECT_EQ(of_rectangles(rectangles, claim), Verdict::holds);
  rectangles.by_angle = nets({0.3, 0.21});
  EXPECT_EQ(of_rectangles(rectangles, claim), Verdict::fails);
  rectangles.by_angle = nets({0.3, 0.19}, 500);
  EXPECT_EQ(of_rectangles(rectangles, claim), Verdict::fails) << "not less than half of 1000";
}

TEST(Figure3Claims, OfConvexParametricNetsAreBetterAtEveryLambda) {
  const char* claim = "convex: parametric nets of the same size are substantially better";
  EXPECT_EQ(of_convex(usual_convex, claim), Verdict::holds);
  EXPECT_EQ(of_convex(panel("convex", {{0.3, 0.2}, {0.09, 0.1}}), claim), Verdict::fails);
  EXPECT_EQ(of_convex(panel("convex", {{0.3, 0.2}, {0.1, 0.1}}), claim), Verdict::undecided);
}

TEST(Figure3Claims, OfConvexParametricNetsVaryLessAtEveryLambda) {
  const char* claim = "convex: parametric nets vary less";
  const auto vary = [](std::vector<double>& errors, double by) {
    for (std::size_t i = 0; i < errors.size(); ++i)
      errors[i] = 0.3 + (i % 2 == 0 ? by : -by) * (1 + 0.01 * static_cast<double>(i));
  };
  Figure3Panel convex = usual_convex;
  for (SameSize& size : convex.sizes) vary(size.summary.test_errors, 0.1);
  EXPECT_EQ(of_convex(convex, claim), Verdict::holds);
  vary(convex.sizes.back().summary.test_errors, 1e-9);
  EXPECT_EQ(of_convex(convex, claim), Verdict::fails);
  vary(convex.sizes.back().summary.test_errors, 0.00015);
  EXPECT_EQ(of_convex(convex, claim), Verdict::undecided);
}

TEST(Figure3Claims, OfConvexOurWaysMustBeBetterThanThePapersAtEveryLambda) {
  Figure3Panel convex = usual_convex;
  convex.by_angle = nets({0.29, 0.19});
  convex.defaults = nets({0.29, 0.21});
  EXPECT_EQ(of_convex(convex, "an angle of 0.1 rather than by alpha_phi, nonparametric nets do better"),
            Verdict::holds);
  EXPECT_EQ(of_convex(convex, "default settings nonparametric nets do better"), Verdict::fails);
  convex.by_angle = nets({0.29, 0.2});
  EXPECT_EQ(of_convex(convex, "an angle of 0.1 rather than by alpha_phi, nonparametric nets do better"),
            Verdict::undecided);
  for (const Claim& claim : figure3_claims(usual_mnist, usual_rectangles, convex))
    EXPECT_EQ(claim.ours, claim.text.find("settings") != std::string::npos) << claim.text;
}

TEST(Figure3Claims, RmspropAndAdamDifferByLessThanATenth) {
  const char* claim = "RMSprop and with Adam";
  const auto with_grids = [](Figure3Panel made, double rmsprop, double adam) {
    for (std::size_t i = 0; i < made.sizes.size(); ++i)
      made.sizes[i].grid = {trial(OptimizerKind::rmsprop, rmsprop * of_seed(i)),
                            trial(OptimizerKind::rmsprop, 0.9), trial(OptimizerKind::adam, adam),
                            trial(OptimizerKind::sgd, 1e-3)};
    return made;
  };
  const auto claims = [&](double times) {
    return figure3_claims(with_grids(usual_mnist, 0.02, 0.02 * times),
                          with_grids(usual_rectangles, 0.2, 0.2 * times),
                          with_grids(usual_convex, 0.2, 0.2 * times));
  };
  EXPECT_EQ(verdict(claims(1.05), claim), Verdict::holds);
  EXPECT_EQ(verdict(claims(0.85), claim), Verdict::fails);
  EXPECT_EQ(verdict(claims(1.2), claim), Verdict::fails);
  const std::vector<Claim> without = figure3_claims(usual_mnist, usual_rectangles, usual_convex);
  EXPECT_EQ(without.size(), 6U) << "no claim where one of the optimizers is not in the grid";
}

TEST(Figure3Page, HasARowPerNetAndAMarkPerMedian) {
  Figure3Panel mnist = usual_mnist;
  mnist.nonparametric.data.name = "mnist";
  mnist.by_angle = nets({0.03, 0.02});
  mnist.defaults = nets({0.03, 0.02});
  mnist.random = {trial(OptimizerKind::adam, 0.1)};
  mnist.sizes[0].grid = {trial(OptimizerKind::sgd, 0.1), trial(OptimizerKind::sgd, 0.2)};
  const Rows rows = figure3_rows({mnist});
  EXPECT_EQ(rows.size(), 1U + 3 * 2 * seeds + 2 * seeds + 2 + seeds + 1);
  for (const Cells& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  EXPECT_THAT(figure3_details({mnist}),
              HasSubstr("| MNIST | nonparametric, angle 0.1, lambda 0.5 | 8-3 | 100 |"));
  const std::string svg = draw_figure3({mnist}).file("");
  EXPECT_EQ(test::xml_fault(svg), "");
  for (const char* mark : {"mark black", "mark red", "mark blue", "mark orange", "mark green"})
    EXPECT_THAT(svg, HasSubstr(mark));
}

}  // namespace
}  // namespace coppice::experiments
