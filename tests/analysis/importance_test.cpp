#include "coppice/analysis/importance.h"

#include "coppice/analysis/drawing.h"
#include "coppice/analysis/pixel_blocks.h"

#include "tests/model/models.h"

#include <gmock/gmock.h>
#include <numeric>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

/// Two classes told by the sign of the first input; the third input has weights, but never varies.
struct LearnedTable {
  Model model = make_model();
  Dataset data;
  std::vector<std::uint32_t> rows;

  LearnedTable() {
    data.inputs = Matrix<float>(400, 3);
    for (std::uint32_t i = 0; i < 400; ++i) {
      rows.push_back(i);
      data.inputs(i, 0) = i % 2 == 0 ? -1.0F : 1.0F;
      data.inputs(i, 1) = static_cast<float>(i % 7) - 3;
      data.labels.push_back(i % 2);
    }
  }

  static Model make_model() {
    ModelParts model;
    for (const char* name : {"decides", "useless", "constant"}) {
      model.encoding.columns.push_back({.name = name, .kind = ColumnKind::number, .categories = {}});
    }
    model.encoding.offset.resize(3);
    model.encoding.factor.assign(3, 1.0F);
    model.encoding.target.classes = {"n", "p"};
    add_layer(model, {{1, 0, 5}, {-1, 0, 0}});
    add_layer(model, {{-1, 1}, {1, -1}});
    return Model(std::move(model));
  }

  static void add_layer(ModelParts& model, const std::vector<std::vector<float>>& weights) {
    Matrix<float> matrix(weights.size(), weights[0].size());
    for (std::size_t j = 0; j < weights.size(); ++j) std::ranges::copy(weights[j], matrix[j]);
    model.network.layers.push_back({std::move(matrix), std::vector<std::uint32_t>(weights.size())});
    model.statistics.mean.emplace_back(weights.size(), 0.0F);
    model.statistics.divisor.emplace_back(weights.size(), 2.0F);
  }
};

TEST(Importance, ColumnsOfOneTextMoveTogether) {
  EXPECT_THAT(inputs_of(column_groups(small_model().encoding)),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3, 4)));
  Encoding encoding;
  encoding.derived = {{.source = "when", .kind = DerivedKind::date},
                      {.source = "size", .kind = DerivedKind::rank, .order = {"s", "m", "l"}}};
  encoding.columns = {{.name = "size", .kind = ColumnKind::text, .categories = {"s", "m", "l"}},
                      {.name = "age", .indicator = true, .categories = {}, .edges = {1, 2, 3}},
                      {.name = "when day", .categories = {}},
                      {.name = "when month", .categories = {}},
                      {.name = "size rank", .categories = {}}};
  const std::vector<ColumnGroup> groups = column_groups(encoding);
  EXPECT_THAT(inputs_of(groups),
              ElementsAre(ElementsAre(0, 1, 2, 3, 10), ElementsAre(4, 5, 6, 7), ElementsAre(8, 9)));
  EXPECT_EQ(groups[0].name, "size");
  EXPECT_EQ(groups[2].name, "when");
}

TEST(Importance, PermutationFindsWhatDecides) {
  const LearnedTable problem;
  const std::vector<InputGroup> groups = inputs_of(column_groups(problem.model.parts().encoding));
  for (const std::size_t threads : {1, 3}) {
    ThreadPool pool(threads);
    const std::vector<double> rises =
        permutation_importance(pool, problem.model, problem.data, problem.rows, groups, 1);
    ASSERT_EQ(rises.size(), 3U);
    EXPECT_NEAR(rises[0], 0.25, 0.03) << "half of the shuffled rows lose the 0.5 between their two scores";
    EXPECT_EQ(rises[1], 0);
    EXPECT_EQ(rises[2], 0);
  }
}

TEST(Importance, AColumnsNumberDoesNotDependOnTheOthers) {
  const LearnedTable problem;
  ThreadPool pool(2);
  const std::vector<InputGroup> groups = inputs_of(column_groups(problem.model.parts().encoding));
  const std::vector<InputGroup> reversed(groups.rbegin(), groups.rend());
  const auto rises = permutation_importance(pool, problem.model, problem.data, problem.rows, groups, 7);
  const auto backwards = permutation_importance(pool, problem.model, problem.data, problem.rows, reversed, 7);
  EXPECT_EQ(rises.front(), backwards.back());
}

TEST(Importance, FanOutLengthsAreFoldedAndWeighted) {
  const LearnedTable problem;
  const std::vector<double> deviations = input_deviations(problem.data, problem.rows);
  EXPECT_NEAR(deviations[0], 1, 1e-9);
  EXPECT_EQ(deviations[2], 0);
  const std::vector<double> strengths = input_strengths(problem.model, deviations);
  // Both units have a folded weight of 1/2 from the first input and a folded fan-out of sqrt(2)/2.
  EXPECT_THAT(strengths, ElementsAre(DoubleNear(0.5, 1e-6), 0, 0));
  EXPECT_THAT(group_strengths(std::vector<double>{3, 4, 1}, std::vector<InputGroup>{{0, 1}, {2}}),
              ElementsAre(5, 1));
}

TEST(PixelBlocks, CutAnImageIntoSquares) {
  const PixelBlocks blocks({.rows = 5, .cols = 6}, 4);
  EXPECT_EQ(blocks.count(), 4U);
  EXPECT_EQ(blocks.block_of(0), 0U);
  EXPECT_EQ(blocks.block_of(3), 0U);
  EXPECT_EQ(blocks.block_of(4), 1U);
  EXPECT_EQ(blocks.block_of(4 * 6 + 5), 3U);
  // The third pixel has two inputs, and one pixel none.
  const std::vector<InputGroup> columns{{0}, {1, 2}, {3}};
  const std::vector<std::uint32_t> pixels{0, 4, 29};
  EXPECT_THAT(blocks.groups(columns, pixels),
              ElementsAre(ElementsAre(0), ElementsAre(1, 2), ElementsAre(), ElementsAre(3)));
}

TEST(PixelBlocks, GrowUntilThereAreFewEnough) {
  EXPECT_EQ(PixelBlocks::at_most({.rows = 28, .cols = 28}, 4, 200).count(), 49U);
  const PixelBlocks large = PixelBlocks::at_most({.rows = 200, .cols = 300}, 4, 200);
  EXPECT_LE(large.count(), 200U);
  EXPECT_GT(large.count(), 150U);
}

TEST(Drawing, ShowsTheStrongestUnitsAndLinks) {
  const LearnedTable problem;
  const std::vector<double> deviations{1, 1, 0};
  const Drawing drawing = draw(problem.model, std::vector<double>{0.5, 0.7, 0}, deviations);
  ASSERT_EQ(drawing.layers.size(), 3U);
  EXPECT_THAT(drawing.layers[0].drawn, ElementsAre(1, 0, 2)) << "by strength";
  EXPECT_TRUE(drawing.layers[0].fan_in.empty());
  EXPECT_THAT(drawing.layers[1].drawn, ElementsAre(0, 1)) << "lengths sqrt(26) and 1";
  EXPECT_THAT(drawing.layers[1].fan_in, ElementsAre(DoubleNear(std::sqrt(26.0), 1e-6), 1));
  EXPECT_TRUE(drawing.layers[2].fan_out.empty());
  ASSERT_EQ(drawing.links.size(), 6U)
      << "two from the first input, none from the others, four to the outputs";
  EXPECT_EQ(drawing.links[0].layer, 0U);
  EXPECT_EQ(drawing.links[0].from, 1U) << "as drawn";
  EXPECT_EQ(drawing.links[0].weight, 0.5) << "folded";
}

TEST(Drawing, LargeNetworksAreCut) {
  const Drawing drawing =
      draw(Model(small_model({90, 60})), std::vector<double>(5, 1), std::vector<double>(5, 1));
  EXPECT_EQ(drawing.layers[1].units, 90U);
  EXPECT_EQ(drawing.layers[1].drawn.size(), Drawing::most_units);
  EXPECT_TRUE(std::ranges::is_sorted(drawing.layers[1].fan_in, std::greater{}));
  EXPECT_THAT(drawing.layers[3].drawn, ElementsAre(0, 1, 2)) << "outputs keep their order";
  EXPECT_EQ(drawing.links.size(), 150U + 150U + 120U);
}

}  // namespace
}  // namespace coppice
