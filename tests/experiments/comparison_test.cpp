#include "experiments/comparison.h"

#include "tests/support.h"
#include "tests/xml.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::HasSubstr;

NetResult net(std::size_t parameters, double error, double lambda = 1) {
  NetResult result;
  result.lambda = lambda;
  result.hidden_units = {parameters / 10, 3};
  result.parameters = parameters;
  result.test_error = error;
  result.phase = "done";
  return result;
}

TEST(Representative, IsNearBothMedians) {
  EXPECT_EQ(representative(std::vector{net(100, 0.02), net(300, 0.03), net(200, 0.025)}), 2U);
  EXPECT_EQ(representative(std::vector{net(200, 0.09), net(210, 0.031), net(100, 0.03), net(900, 0.03)}), 1U)
      << "the median of one number alone is not enough";
  EXPECT_EQ(representative(std::vector{net(100, 0.02)}), 0U);
  EXPECT_EQ(representative(std::vector{net(100, std::nan("")), net(300, 0.03), net(200, 0.02)}), 2U)
      << "one that diverged";
  EXPECT_EQ(representative(std::vector{net(100, 0.02), net(100, 0.02)}), 0U) << "no spread at all";
}

TEST(Comparison, GroupsHoldMediansAndRanges) {
  TrainedNets nets;
  nets.summary.nets = {net(100, 0.02), net(300, 0.04), net(200, 0.03), net(50, 0.5, 2)};
  nets.summary.nets[1].phase = "failed";
  const LambdaSummary group = summary_of(nets, 1);
  EXPECT_EQ(group.sizes.median, 200);
  EXPECT_EQ(group.errors.low, 0.02);
  EXPECT_EQ(group.errors.high, 0.04);
  EXPECT_EQ(group.failed, 1U);
  EXPECT_EQ(group.units, (std::vector<std::size_t>{20, 3}));
  EXPECT_THAT(test::message_of([&] { summary_of(nets, 7); }), HasSubstr("lambda 7"));
}

TEST(Comparison, PicturesAreWellFormedAndShowEveryMark) {
  TrainedNets nets;
  nets.summary.nets = {net(100, 0.02), net(300, 0.04), net(200, 0.03), net(50, 0.5, 2)};
  const Side side{.label = "a < b & c", .colour = "black", .nets = nets};
  const std::vector<Mark> marks = marks_of(side, {1, 2});
  Svg picture = marks_picture("A < B", marks, 400, 300);
  draw_legend(picture, 390, 10, {{"black", "x & y"}, {"red", "z"}});
  const std::string svg = picture.file(picture_style());
  EXPECT_EQ(test::xml_fault(svg), "");
  EXPECT_THAT(svg, HasSubstr("(20-3)"));
  EXPECT_THAT(svg, HasSubstr("(5-3)"));
  EXPECT_THAT(svg, HasSubstr("xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, HasSubstr("fill=\"#fff\""));
}

TEST(Comparison, LabelsOfMarksInOnePlaceDoNotCoverEachOther) {
  std::vector<Mark> marks(3, {.colour = "red",
                              .size = 1000,
                              .error = 0.1,
                              .sizes = {1000, 900, 1100},
                              .errors = {0.1, 0.09, 0.11},
                              .label = "(186-43)"});
  const std::string svg = marks_picture("t", marks, 400, 300).file("");
  std::set<std::string> places;
  for (std::size_t at = svg.find("(186-43)</text>"); at != std::string::npos;
       at = svg.find("(186-43)</text>", at + 1)) {
    const std::size_t begin = svg.rfind("<text", at);
    places.insert(svg.substr(begin, at - begin));
  }
  EXPECT_EQ(places.size(), 3U);
}

/// Errors and sizes of five nets each of lambda 1 and 2, in two ways of training.
struct TwoWays {
  double usual = 0;
  double other = 0;
  std::size_t usual_size = 1000;
  std::size_t other_size = 1000;
};
std::vector<Pair> pairs(const std::vector<TwoWays>& ways) {
  std::vector<Side> two(2);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const auto lambda = static_cast<double>(i + 1);
    for (std::size_t seed = 0; seed < 5; ++seed) {
      const double more = 1 + 0.001 * (static_cast<double>(seed) - 2);
      two[0].nets.summary.nets.push_back(net(ways[i].usual_size, ways[i].usual * more, lambda));
      two[1].nets.summary.nets.push_back(net(ways[i].other_size, ways[i].other * more, lambda));
    }
  }
  return pairs_of(two, lambdas_of(two[0].nets));
}
Verdict better(const std::vector<TwoWays>& ways) {
  return usual_is_better("", pairs(ways)).judged.verdict;
}
Verdict alike(const std::vector<TwoWays>& ways) {
  return both_are_alike("", pairs(ways)).judged.verdict;
}

TEST(Comparison, TheUsualNetsAreBetterOnlyIfTheyAreAtEveryLambda) {
  EXPECT_EQ(better({{0.02, 0.0202}, {0.01, 0.02}}), Verdict::holds);
  EXPECT_EQ(better({{0.02, 0.0198}, {0.01, 0.02}}), Verdict::fails);
  EXPECT_EQ(better({{0.02, 0.03}, {0.01, 0.01}}), Verdict::undecided) << "as good";
  const Claim claim = usual_is_better("it is", pairs({{0.02, 0.03}, {0.01, 0.02}}));
  EXPECT_EQ(claim.text, "it is");
  EXPECT_EQ(claim.measured, "lambda 1: 2.00 % and 3.00 %; lambda 2: 1.00 % and 2.00 %");
  EXPECT_EQ(claim.judged.test,
            "Mann-Whitney: lambda 1: lower in 100 % of pairs, p 0.0079; lambda 2: lower in 100 % of pairs, p "
            "0.0079");
}

TEST(Comparison, NetsAreAlikeWithinATenthInErrorAndSize) {
  EXPECT_EQ(alike({{0.02, 0.0215}, {0.02, 0.0185}}), Verdict::holds);
  EXPECT_EQ(alike({{0.02, 0.0225}, {0.02, 0.02}}), Verdict::fails);
  EXPECT_EQ(alike({{0.02, 0.02}, {0.02, 0.0175}}), Verdict::fails);
  EXPECT_EQ(alike({{0.02, 0.022}, {0.02, 0.02}}), Verdict::undecided) << "just a tenth";
  EXPECT_EQ(alike({{0.02, 0.02, 1000, 1290}}), Verdict::fails) << "as good, but larger";
  EXPECT_EQ(alike({{0.02, 0.02, 1000, 800}}), Verdict::fails) << "as good, but smaller";
}

TEST(Comparison, NetsWithoutATestErrorAreWrongInEveryRow) {
  TrainedNets nets;
  nets.summary.nets = {net(100, std::nan("")), net(100, 0.02)};
  EXPECT_EQ(summary_of(nets, 1).test_errors, (std::vector<double>{1, 0.02}));
}

TEST(XmlFault, FindsFaults) {
  EXPECT_EQ(test::xml_fault("<a x=\"1\"><b/>t &amp; u</a>\n"), "");
  for (const char* text :
       {"", "<a>", "<a></b>", "<a x=1/>", "<a>&</a>", "<a/>x", "<a><b></a></b>", "<a></a><b></b>"})
    EXPECT_NE(test::xml_fault(text), "") << text;
}

TEST(Comparison, SeedsAreToldWhereSetsDiffer) {
  EXPECT_EQ(seeds_of_sets({{"MNIST", 10}, {"convex", 10}}, "each"), "10 seeds each");
  EXPECT_EQ(seeds_of_sets({{"MNIST", 10}, {"a", 3}, {"b", 4}}, "per lambda"),
            "10 seeds per lambda (3 on a, 4 on b)");
  EXPECT_EQ(seeds_of_sets({}, "each"), "");
}

}  // namespace
}  // namespace coppice::experiments
