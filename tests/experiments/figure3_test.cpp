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
  result.test_error = error;
  return result;
}

TrainedNets nets(const std::vector<double>& errors, std::size_t parameters = own_parameters) {
  TrainedNets all;
  for (std::size_t i = 0; i < errors.size(); ++i)
    all.summary.nets.push_back(net_with(1.0 / static_cast<double>(i + 1), errors[i], parameters));
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

/// Lambdas 1, 1/2, ...; `larger`: the best of the random search.
Figure3Panel panel(const std::string& title, const std::vector<Errors>& errors, double larger = 0.02,
                   std::size_t larger_parameters = 1000) {
  Figure3Panel made{.title = title};
  std::vector<double> own;
  for (const Errors& one : errors) own.push_back(one.own);
  made.nonparametric.nets = nets(own);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const NetResult& chosen = made.nonparametric.nets.summary.nets[i];
    made.nonparametric.lambdas.push_back(chosen.lambda);
    made.sizes.push_back({.summary = summary_of(made.nonparametric.nets, chosen.lambda), .chosen = chosen});
    made.sizes.back().parametric.test.median = errors[i].same_size;
  }
  made.larger.push_back({.parameters = larger_parameters, .test = {larger, larger, larger}});
  return made;
}

const Figure3Panel usual_mnist = panel("MNIST", {{0.02, 0.03}, {0.01, 0.02}});
const Figure3Panel usual_rectangles = panel("rectangles-images", {{0.3, 0.2}, {0.1, 0.2}}, 0.2);
const Figure3Panel usual_convex = panel("convex", {{0.3, 0.2}, {0.2, 0.1}});

bool holds(const std::vector<Claim>& claims, const std::string& part) {
  const auto found = std::ranges::find_if(
      claims, [&](const Claim& claim) { return claim.paper.find(part) != std::string::npos; });
  EXPECT_NE(found, claims.end()) << part;
  return found != claims.end() && found->holds.value();
}
bool mnist_holds(const Figure3Panel& mnist, const std::string& part) {
  return holds(figure3_claims(mnist, usual_rectangles, usual_convex), part);
}
bool rectangles_hold(const Figure3Panel& rectangles, const std::string& part) {
  return holds(figure3_claims(usual_mnist, rectangles, usual_convex), part);
}
bool convex_holds(const Figure3Panel& convex, const std::string& part) {
  return holds(figure3_claims(usual_mnist, usual_rectangles, convex), part);
}

TEST(Figure3Claims, OfMnistNetsAreBetterThanThoseOfTheirSizeAtEveryLambda) {
  const char* claim = "MNIST: nonparametric nets substantially outperform";
  EXPECT_TRUE(mnist_holds(usual_mnist, claim));
  EXPECT_FALSE(mnist_holds(panel("MNIST", {{0.02, 0.03}, {0.01, 0.01}}), claim));
  EXPECT_FALSE(mnist_holds(panel("MNIST", {{0.04, 0.03}, {0.01, 0.02}}), claim));
}

TEST(Figure3Claims, OfMnistTheBestNetIsCloseToTheBestAndHalfItsSize) {
  const char* claim = "MNIST: the best nonparametric net is close";
  const std::vector<Errors> errors{{0.02, 0.03}, {0.0109, 0.02}};
  EXPECT_TRUE(mnist_holds(panel("MNIST", errors, 0.01, 201), claim));
  EXPECT_FALSE(mnist_holds(panel("MNIST", errors, 0.01, 200), claim)) << "not less than half";
  EXPECT_FALSE(mnist_holds(panel("MNIST", errors, 0.0099, 201), claim)) << "more than a tenth worse";
}

TEST(Figure3Claims, OfRectanglesLargeLambdasLoseAndSmallOnesWin) {
  const char* claim = "rectangles-images: nonparametric nets are worse";
  EXPECT_TRUE(rectangles_hold(usual_rectangles, claim));
  EXPECT_FALSE(rectangles_hold(panel("r", {{0.1, 0.2}, {0.1, 0.2}}), claim));
  EXPECT_FALSE(rectangles_hold(panel("r", {{0.3, 0.2}, {0.3, 0.2}}), claim));
}

TEST(Figure3Claims, OfRectanglesTheBestNetHasTheLowestErrorOfAll) {
  const char* claim = "rectangles-images: the best nonparametric net has the lowest";
  EXPECT_TRUE(rectangles_hold(usual_rectangles, claim));
  EXPECT_FALSE(rectangles_hold(panel("r", {{0.3, 0.2}, {0.1, 0.2}}, 0.09), claim))
      << "a larger net is better";
  EXPECT_FALSE(rectangles_hold(panel("r", {{0.3, 0.09}, {0.1, 0.2}}, 0.2), claim))
      << "one of a net's size is";
  EXPECT_FALSE(rectangles_hold(panel("r", {{0.3, 0.2}, {0.1, 0.2}}, 0.2, 199), claim)) << "hardly smaller";
}

TEST(Figure3Claims, OfRectanglesOneLambdaOfOursIsEnough) {
  const char* claim = "an angle of 0.1 rather than by alpha_phi, a nonparametric net has the lowest";
  Figure3Panel rectangles = usual_rectangles;
  rectangles.by_angle = nets({0.3, 0.19});
  EXPECT_TRUE(rectangles_hold(rectangles, claim));
  rectangles.by_angle = nets({0.3, 0.21});
  EXPECT_FALSE(rectangles_hold(rectangles, claim));
  rectangles.by_angle = nets({0.3, 0.19}, 500);
  EXPECT_FALSE(rectangles_hold(rectangles, claim)) << "not less than half of 1000";
}

TEST(Figure3Claims, OfConvexNoNetIsBetterThanThoseOfItsSize) {
  const char* claim = "convex: parametric nets of the same size are substantially better";
  EXPECT_TRUE(convex_holds(usual_convex, claim));
  EXPECT_FALSE(convex_holds(panel("convex", {{0.3, 0.2}, {0.09, 0.1}}), claim));
}

TEST(Figure3Claims, OfConvexParametricNetsVaryLessAtEveryLambda) {
  const char* claim = "convex: parametric nets vary less";
  Figure3Panel convex = usual_convex;
  for (SameSize& size : convex.sizes) {
    size.summary.errors = {0.3, 0.2, 0.4};
    size.parametric.test = {0.2, 0.15, 0.25};
  }
  EXPECT_TRUE(convex_holds(convex, claim));
  convex.sizes.back().parametric.test = {0.2, 0.05, 0.35};
  EXPECT_FALSE(convex_holds(convex, claim));
}

TEST(Figure3Claims, OfConvexOurWaysMustBeBetterThanThePapersAtEveryLambda) {
  Figure3Panel convex = usual_convex;
  convex.by_angle = nets({0.29, 0.19});
  convex.defaults = nets({0.29, 0.21});
  EXPECT_TRUE(convex_holds(convex, "an angle of 0.1 rather than by alpha_phi, nonparametric nets do better"));
  EXPECT_FALSE(convex_holds(convex, "default settings nonparametric nets do better"));
}

TEST(Figure3Claims, RmspropAndAdamDifferByLessThanATenthInEveryGrid) {
  const char* claim = "RMSprop and with Adam";
  const auto with_grids = [](Figure3Panel made, double rmsprop, double adam) {
    for (SameSize& size : made.sizes)
      size.grid = {trial(OptimizerKind::rmsprop, rmsprop), trial(OptimizerKind::rmsprop, 0.9),
                   trial(OptimizerKind::adam, adam), trial(OptimizerKind::sgd, 1e-3)};
    return made;
  };
  const auto claims = [&](double last) {
    return figure3_claims(with_grids(usual_mnist, 0.02, 0.0215), with_grids(usual_rectangles, 0.2, 0.2),
                          with_grids(usual_convex, 0.2, last));
  };
  EXPECT_TRUE(holds(claims(0.21), claim));
  EXPECT_FALSE(holds(claims(0.17), claim));
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
  EXPECT_EQ(rows.size(), 1U + 3 * 2 + 2 + 1);
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
