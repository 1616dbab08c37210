#include "experiments/grid.h"

#include "tests/cli/program.h"
#include "tests/xml.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A net per cell. The error rises with the distance from alpha_phi 30, a little with every lambda.
GridSet ideal(const std::string& title = "MNIST") {
  GridSet set{.title = title, .validation_rows = 10'000};
  for (const double alpha : {1.0, 30.0, 1000.0}) {
    for (int l = 0; l < 8; ++l) {
      GridCell cell{.alpha = alpha};
      cell.net.lambda = l == 0 ? 3e-4 : 3e-4 / (1 + l);
      cell.net.hidden_units = {4, 2};
      cell.net.parameters = 20;
      cell.net.phase = "done";
      cell.net.validation_error = (alpha == 30 ? 0.015 : 0.05) + 0.0001 * l;
      set.cells.push_back(cell);
    }
  }
  return set;
}

std::vector<Verdict> verdicts(const GridSet& set) {
  std::vector<Verdict> all;
  for (const Claim& claim : grid_claims({set})) {
    EXPECT_FALSE(claim.ours);
    all.push_back(claim.judged.verdict);
  }
  return all;
}

TEST(GridClaims, TheBestAngularStepIsLowerThanEveryOther) {
  EXPECT_THAT(verdicts(ideal()), ElementsAre(Verdict::holds, Verdict::holds));
  GridSet other = ideal();
  for (GridCell& cell : other.cells)
    if (cell.alpha == 1) cell.net.validation_error = 0.001;
  EXPECT_THAT(verdicts(other), ElementsAre(Verdict::fails, Verdict::fails));
  GridSet near = ideal();
  for (GridCell& cell : near.cells)
    if (cell.alpha == 1) cell.net.validation_error = cell.net.lambda == 3e-4 ? 0.0149 : 0.0152;
  EXPECT_THAT(verdicts(near), ElementsAre(Verdict::undecided, Verdict::undecided))
      << "one of 10,000 rows decides nothing";
}

TEST(GridClaims, CellsAsGoodAsThatOfThePaper) {
  GridSet set = ideal();
  ASSERT_NE(reported_cell(set), nullptr);
  EXPECT_EQ(reported_cell(set)->alpha, 30);
  EXPECT_EQ(reported_cell(set)->net.lambda, 3e-4);
  EXPECT_TRUE(as_good_as_reported(set, *set.find(30, 1e-4)));
  EXPECT_FALSE(as_good_as_reported(set, *set.find(1, 3e-4)));
  set.cells[0].net.phase = "failed";
  EXPECT_EQ(set.cells[0].validation_error(), 1) << "a net that failed is wrong in every row";
  set.title = "something else";
  EXPECT_EQ(reported_cell(set), nullptr);
  EXPECT_THAT(verdicts(set), ElementsAre());
}

TEST(GridPage, RowsAreReadAsTheyWereWritten) {
  GridSet second = ideal("convex");
  second.validation_rows = 1'000;
  const std::vector<GridSet> sets{ideal(), second};
  const Rows rows = grid_rows(sets);
  EXPECT_EQ(rows.size(), 1U + 2 * 24);
  const std::vector<GridSet> read = stored_grid({.rows = parse_csv(csv_text(rows))});
  EXPECT_EQ(grid_rows(read), rows);
  EXPECT_EQ(grid_details(read), grid_details(sets));
  EXPECT_THAT(grid_details(sets), HasSubstr("| 0.0003 | 5.00 % (4-2) | **1.50 %** (4-2) | 5.00 % (4-2) |"));
  EXPECT_EQ(test::xml_fault(draw_grid(sets).file("")), "");
}

}  // namespace
}  // namespace coppice::experiments

namespace coppice::test {
namespace {

using GridProgram = Program;

/// On few rows; a second call adds a set to the page and keeps the first, and the page is judged again from what is stored.
TEST_F(GridProgram, SetsAreAddedToAPage) {
  ::unsetenv("COPPICE_DATA");
  const Arguments call{
      "grid",
      "-o",
      "out",
      "--work",
      "work",
      "--device",
      "cpu",
      "--threads",
      "1",
      "--set",
      "rectangles-rows=240,rectangles-test=100,convex-rows=240,convex-test=100,grid-lambdas=2"};
  ok(call + Arguments{"--sets", "convex"});
  const std::string first = read("out/grid.csv");
  EXPECT_THAT(read("out/grid.md"), ::testing::Not(::testing::HasSubstr("## rectangles-images")));
  ok(call + Arguments{"--sets", "rectangles", "--add", "--lanes", "2"});
  const std::string page = read("out/grid.md");
  EXPECT_THAT(page, ::testing::HasSubstr("## rectangles-images"));
  EXPECT_THAT(page, ::testing::HasSubstr("--sets convex --device cpu`, then `./run reproduce grid"));
  EXPECT_THAT(page, ::testing::HasSubstr("| grid-convex-30 |"));
  const std::string second = read("out/grid.csv");
  const std::string of_convex = first.substr(first.find('\n') + 1);
  EXPECT_THAT(second, ::testing::HasSubstr(of_convex)) << "what is kept is kept to the byte";
  ok({"grid", "--stored", "-o", "out"});
  EXPECT_EQ(read("out/grid.md"), page);
  const Outcome other = this->call({"theory", "--add", "-o", "out", "--work", "work"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.errors, ::testing::HasSubstr("and theory does not"));
  const Outcome wrong = this->call({"grid", "--sets", "cats", "-o", "out", "--work", "work"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.errors,
              ::testing::HasSubstr("grid has no such set; those it has are: mnist, rectangles"));
}

}  // namespace
}  // namespace coppice::test
