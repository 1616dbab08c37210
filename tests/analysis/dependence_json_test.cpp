#include "coppice/analysis/dependence_json.h"

#include "coppice/analysis/data_json.h"
#include "coppice/analysis/dependence.h"

#include "tests/analysis/explained_models.h"

#include <array>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using ::testing::ElementsAre;

struct Looked {
  Table table = test::table_of_all_kinds(80);
  Model model;
  Dataset data;
  DataSummary summary;
  AnalysedData held;

  explicit Looked(const std::string& target, Activation activation = Activation::relu)
      : model(test::model_of_all_kinds(table, target, {8, 5}, activation)) {
    std::vector<std::string> warnings;
    data = encode(table, model.parts().encoding, false, warnings);
    summary = summarize(table, model.parts().encoding);
    held.held = &data;
    held.summary = &summary;
    for (std::uint32_t row = 0; row < table.rows(); ++row) held.rows.push_back(row);
  }
  nlohmann::ordered_json json(const std::vector<std::string>& columns) const {
    ThreadPool pool(2);
    return dependence_json(pool, model, held, columns);
  }
};

TEST(DependenceJson, TellsThePartialDependenceOfTheFirstColumns) {
  const Looked looked("kind");
  const nlohmann::ordered_json json = looked.json({"when", "age", "city", "size", "income"});
  ASSERT_EQ(json["dependence"].size(), 5U);
  EXPECT_EQ(json["averaged"], 80);
  EXPECT_EQ(json["dependence"][0]["column"], "when");
  EXPECT_EQ(json["dependence"][0]["number"], false);
  EXPECT_EQ(json["dependence"][1]["number"], true);
  ThreadPool pool(1);
  const Table values = typical_values(looked.model, looked.table, "age", 21);
  const Dependence expected =
      partial_dependence(pool, looked.model, looked.data, looked.held.rows, std::array{values});
  ASSERT_EQ(json["dependence"][1]["answers"].size(), expected.values[0].size());
  for (std::size_t v = 0; v < expected.values[0].size(); ++v) {
    EXPECT_EQ(json["dependence"][1]["values"][v], expected.values[0][v]);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(json["dependence"][1]["answers"][v][k], rounded(expected.answer(v, 0, k)));
  }
}

TEST(DependenceJson, TypicalValuesAreThoseOfTheColumnsInUse) {
  const nlohmann::ordered_json json = Looked("kind").json({"age", "city"});
  ASSERT_EQ(json["typical"].size(), 2U);
  EXPECT_EQ(json["typical"][1]["column"], "city");
  EXPECT_EQ(json["typical"][1]["values"][0], json["typical"][1]["usual"]);
}

TEST(DependenceJson, ColumnsOfASumDoNotWorkTogether) {
  const nlohmann::ordered_json sum = Looked("price", Activation::identity).json({"age", "city", "income"});
  ASSERT_EQ(sum["interactions"].size(), 2U) << "of three pairs";
  EXPECT_LT(sum["interactions"][0]["joint"], 1e-3);
  const nlohmann::ordered_json bent = Looked("price").json({"age", "city", "income"});
  EXPECT_GT(bent["interactions"][0]["joint"], 0.01);
  EXPECT_GE(bent["interactions"][0]["joint"], bent["interactions"][1]["joint"]) << "the strongest first";
  EXPECT_TRUE(bent["interactions"][0]["class"].is_null());
  EXPECT_EQ(bent["interactions"][0]["answers"].size(), bent["interactions"][0]["values"][0].size());
}

TEST(DependenceJson, OfImagesThereIsNone) {
  const nlohmann::ordered_json json = Looked("kind").json({});
  EXPECT_TRUE(json["dependence"].empty());
  EXPECT_TRUE(json["typical"].empty());
}

}  // namespace
}  // namespace coppice
