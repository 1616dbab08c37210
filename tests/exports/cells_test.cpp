#include "coppice/exports/cells.h"

#include "tests/exports/exported_models.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using ::testing::ElementsAre;
using ::testing::NanSensitiveFloatEq;

TEST(Cells, HoldARowWithoutTexts) {
  const Table table = test::table_of_all_kinds(100);
  const LoweredModel model = lower(Model(test::model_of_all_kinds(table, "kind", {3})));
  const Table rows = test::odd_rows();
  const auto cells = [&](std::size_t row) { return cells_of_row(model, rows, row); };
  const float none = std::numeric_limits<float>::quiet_NaN();
  const auto gone = NanSensitiveFloatEq(none);
  EXPECT_THAT(cells(0), ElementsAre(gone, gone, gone, gone, gone, gone, gone, gone));
  const auto origin = static_cast<float>(model.features[5].origin);
  // age, income, city (Rome is none of four), size (LARGE is none of three), its rank, 1969-12-31: a Wednesday
  EXPECT_THAT(cells(1), ElementsAre(-1e6F, 1e6F, 4, 3, 2, -1 - origin, 12, 3));
  EXPECT_THAT(cells(2), ElementsAre(1e20F, -1e20F, 3, 3, gone, 21'973 - origin, 2, 4));
}

TEST(Cells, RowsToTryHaveGapsAndOtherTexts) {
  const Table table = test::table_of_all_kinds(100);
  const LoweredModel model = lower(Model(test::model_of_all_kinds(table, "kind", {3})));
  const Table rows = trial_rows(model, 60);
  ASSERT_EQ(rows.rows(), 60U);
  ASSERT_EQ(rows.columns(), model.columns.size());
  std::vector<std::vector<float>> seen(model.features.size());
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::vector<float> cells = cells_of_row(model, rows, row);
    for (std::size_t f = 0; f < cells.size(); ++f) seen[f].push_back(cells[f]);
  }
  for (std::size_t f = 0; f < seen.size(); ++f) {
    SCOPED_TRACE(model.features[f].name);
    EXPECT_GT(std::ranges::count_if(seen[f], [](float x) { return std::isnan(x); }), 0);
    std::erase_if(seen[f], [](float x) { return std::isnan(x); });
    std::ranges::sort(seen[f]);
    const auto different = std::unique(seen[f].begin(), seen[f].end()) - seen[f].begin();
    EXPECT_GE(different, 3);
    if (model.features[f].part == CellPart::category) {
      EXPECT_EQ(seen[f].at(static_cast<std::size_t>(different) - 1),
                static_cast<float>(model.features[f].categories.size()));
    }
  }
}

}  // namespace
}  // namespace coppice
