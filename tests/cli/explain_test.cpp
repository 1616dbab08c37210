#include "tests/cli/program.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Explain : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("d.csv", mixed_csv(150));
    write("n.csv", linear_csv(120));
    ok({"train", "d.csv", "--target", "kind", "--id", "id", "--lambda", "1e-3", "--max-epochs", "5", "-o",
        "run", "--quiet"});
    ok({"train", "n.csv", "--task", "regression", "--lambda", "1e-3", "--max-epochs", "60", "-o", "numbers",
        "--quiet"});
  }
};

/// baseline + contributions, where the baseline stands in that column and contributions from the second on.
double sum_of(const std::vector<std::string>& row, std::size_t baseline, std::size_t first) {
  double sum = std::stod(row.at(baseline));
  for (std::size_t k = first; k < row.size(); ++k) sum += std::stod(row[k]);
  return sum;
}

TEST_F(Explain, EveryRowSumsToItsScore) {
  const auto rows = cells_of(ok({"explain", "run", "d.csv"}).out);
  ASSERT_EQ(rows.size(), 151U);
  EXPECT_THAT(rows[0], ElementsAre("id", "prediction", "class", "baseline", "score", "x", "y", "colour"));
  const auto predicted = cells_of(ok({"predict", "run", "d.csv"}).out);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_NEAR(sum_of(rows[i], 3, 5), std::stod(rows[i][4]), 1e-6);
    EXPECT_EQ(rows[i][0], predicted[i][0]);
    EXPECT_EQ(rows[i][1], predicted[i][1]);
    EXPECT_EQ(rows[i][2], rows[i][1]);
  }
}

TEST_F(Explain, NumbersAreExplainedInTheirOwnUnits) {
  ok({"explain", "numbers", "n.csv", "-o", "e.csv"});
  const auto rows = cells_of(read("e.csv"));
  EXPECT_THAT(rows[0], ElementsAre("prediction", "baseline", "score", "x0", "x1"));
  const auto data = cells_of(read("n.csv"));
  double off = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_NEAR(std::stod(rows[i][0]), std::stod(rows[i][2]), 1e-3);
    EXPECT_NEAR(sum_of(rows[i], 1, 3), std::stod(rows[i][2]), 1e-6);
    // y = 3 x0 - 2 x1 + 10: differences of contributions are those of cells, times 3.
    off += std::abs((std::stod(rows[i][3]) - std::stod(rows[1][3])) -
                    3 * (std::stod(data[i][0]) - std::stod(data[1][0])));
  }
  EXPECT_LT(off / 120, 1);
}

TEST_F(Explain, OneRowIsATableWithBars) {
  const std::string text = ok({"explain", "run", "d.csv", "--row", "7"}).out;
  EXPECT_THAT(text, HasSubstr("row 7: "));
  EXPECT_THAT(text, HasSubstr("for the mean input"));
  EXPECT_THAT(text, HasSubstr("contribution"));
  EXPECT_THAT(text, HasSubstr("█"));
  EXPECT_THAT(ok({"explain", "numbers", "n.csv", "--row", "1"}).out, HasSubstr("the value is "));
  ok({"explain", "run", "d.csv", "--row", "7", "-o", "one.csv"});
  EXPECT_EQ(cells_of(read("one.csv")).size(), 2U);
}

TEST_F(Explain, JsonHasTheSameNumbers) {
  const Json json = ok({"explain", "run", "d.csv", "--json", "--row", "3"}).json();
  EXPECT_EQ(json["rows"].size(), 1U);
  const Json& row = json["rows"][0];
  EXPECT_EQ(row["row"], 3);
  const auto cells = cells_of(ok({"explain", "run", "d.csv"}).out)[3];
  EXPECT_EQ(row["prediction"], cells[1]);
  EXPECT_NEAR(row["score"].get<double>(), std::stod(cells[4]), 1e-6);
  for (std::size_t k = 0; k < json["columns"].size(); ++k)
    EXPECT_NEAR(row["contributions"][k].get<double>(), std::stod(cells[5 + k]), 1e-6);
  EXPECT_EQ(ok({"explain", "run", "d.csv", "--json", "--threads", "1"}).out,
            ok({"explain", "run", "d.csv", "--json", "--threads", "3"}).out);
}

TEST_F(Explain, AClassMayBeNamed) {
  const std::string name =
      ok({"inspect", "run/model.coppice", "--json"}).json()["encoding"]["target"]["classes"][1];
  const auto rows = cells_of(ok({"explain", "run", "d.csv", "--class", name}).out);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][2], name);
    EXPECT_EQ(rows[i][3], rows[1][3]) << "one baseline";
  }
}

TEST_F(Explain, MistakesAreSaid) {
  refused({"explain"}, {"MODEL is missing"});
  refused({"explain", "run"}, {"DATA is missing"});
  refused({"explain", "run", "none.csv"}, {"none.csv"});
  refused({"explain", "none", "d.csv"}, {"none"});
  refused({"explain", "run", "n.csv"}, {"n.csv", "the model needs the column"});
  for (const char* row : {"0", "-1", "1.5", "x", ""})
    refused({"explain", "run", "d.csv", "--row", row}, {"--row"});
  refused({"explain", "run", "d.csv", "--row", "151"},
          {"d.csv: there is no row 151; the table has 150 rows"});
  refused({"explain", "run", "d.csv", "--class", "purple"}, {"--class \"purple\"", "its classes are"});
  refused({"explain", "numbers", "n.csv", "--class", "a"}, {"--class \"a\"", "predicts numbers"});
  refused({"explain", "run", "d.csv", "-o", "d.csv"}, {"-o d.csv", "overwrite"});
  refused({"explain", "run", "d.csv", "-o", "run/summary.json"}, {"run/summary.json"});
  refused({"explain", "run", "d.csv", "-o", "e.csv", "--json"}, {"--json"});
  refused({"explain", "run", "d.csv", "-o", "no/such/folder/e.csv"}, {"no/such/folder"});
}

}  // namespace
}  // namespace coppice::test
