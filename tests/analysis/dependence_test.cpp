#include "coppice/analysis/dependence.h"

#include "tests/analysis/explained_models.h"
#include "tests/support.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using test::message_of;
using test::model_of_all_kinds;
using test::table_of_all_kinds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The table with every cell of a column replaced.
Table with(const Table& table, const std::string& column, const std::string& cell) {
  Table changed;
  for (const std::string& name : table.names()) {
    std::vector<std::string> cells;
    for (std::size_t row = 0; row < table.rows(); ++row)
      cells.push_back(name == column ? cell : table.text(name, row));
    changed.add_texts(name, cells);
  }
  return changed;
}

double mean_probability(const Prediction& prediction, std::size_t label) {
  double sum = 0;
  for (std::size_t row = 0; row < prediction.rows; ++row) sum += prediction.probabilities_of(row)[label];
  return sum / static_cast<double>(prediction.rows);
}

struct Fixture {
  Table table = table_of_all_kinds(60);
  Model model{model_of_all_kinds(table, "kind", {10, 6})};
  Dataset data;
  std::vector<std::uint32_t> rows;
  ThreadPool pool{1};

  Fixture() {
    std::vector<std::string> warnings;
    data = encode(table, model.parts().encoding, false, warnings);
    for (std::uint32_t row = 0; row < table.rows(); ++row) rows.push_back(row);
  }
  Dependence on(const std::vector<std::string>& columns, std::size_t count) {
    std::vector<Table> values;
    for (const std::string& column : columns) values.push_back(typical_values(model, table, column, count));
    return partial_dependence(pool, model, data, rows, values);
  }
};

TEST(Dependence, IsWhatPredictSaysOfChangedTables) {
  Fixture f;
  for (const std::string column : {"age", "income", "city", "size", "when"}) {
    const Dependence dependence = f.on({column}, 4);
    EXPECT_THAT(dependence.columns, ElementsAre(column));
    EXPECT_EQ(dependence.outputs, 3U);
    ASSERT_GE(dependence.values[0].size(), 3U);
    for (std::size_t k = 0; k < dependence.values[0].size(); ++k) {
      const Prediction prediction = f.model.predict(with(f.table, column, dependence.values[0][k]));
      for (std::size_t label = 0; label < 3; ++label)
        EXPECT_NEAR(dependence.answer(k, 0, label), mean_probability(prediction, label), 1e-4) << column << k;
    }
  }
}

TEST(Dependence, TwoColumnsAreAGrid) {
  Fixture f;
  const Dependence grid = f.on({"city", "age"}, 3);
  ASSERT_EQ(grid.answers.size(), 3U * 3 * 3);
  const Table changed = with(with(f.table, "city", grid.values[0][2]), "age", grid.values[1][1]);
  EXPECT_NEAR(grid.answer(2, 1, 0), mean_probability(f.model.predict(changed), 0), 1e-4);
}

TEST(Dependence, NumbersComeInTheTargetsUnits) {
  Fixture f;
  f.model = Model(model_of_all_kinds(f.table, "price", {5}));
  const Dependence dependence = f.on({"age"}, 2);
  EXPECT_EQ(dependence.outputs, 1U);
  const Prediction prediction = f.model.predict(with(f.table, "age", dependence.values[0][1]));
  double mean = 0;
  for (const double value : prediction.values) mean += value / 60;
  EXPECT_NEAR(dependence.answer(1), mean, 1e-3);
}

TEST(TypicalValues, AreSpreadOverTheOrderOrTheMostFrequent) {
  const Table table = table_of_all_kinds(200);
  const Model model(model_of_all_kinds(table, "kind", {3}));
  Table few;
  few.add_numbers("age", std::vector<double>{5, 1, std::nan(""), 3, 2, 4, 1, 1});
  few.add_texts("city", std::vector<std::string>{"Bonn", "Ulm", "Ulm", "", "Kiel", "Ulm", "Kiel", "x"});
  few.add_texts("when", std::vector<std::string>{"2024-03-01", "2024-01-01", "2024-02-01", "2024-02-02",
                                                 "2024-02-03", "2024-02-04", "", "2024-01-02"});
  const auto texts = [&](const std::string& column, std::size_t count) {
    const Table values = typical_values(model, few, column, count);
    std::vector<std::string> all;
    for (std::size_t row = 0; row < values.rows(); ++row) all.push_back(values.text(column, row));
    return all;
  };
  EXPECT_THAT(texts("age", 9), ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(texts("age", 3), ElementsAre("1", "2", "5"));
  EXPECT_THAT(texts("age", 1), ElementsAre("2"));
  EXPECT_THAT(texts("city", 2), ElementsAre("Ulm", "Kiel"));
  EXPECT_THAT(texts("when", 3), ElementsAre("2024-01-01", "2024-02-02", "2024-03-01"));
  EXPECT_THAT(message_of([&] { typical_values(model, few, "ages", 3); }),
              HasSubstr("does not use the column \"ages\" (did you mean \"age\"?)"));
  EXPECT_THAT(message_of([&] { typical_values(model, few, "size", 3); }),
              HasSubstr("\"size\" has no values"));
}

}  // namespace
}  // namespace coppice
