#include "coppice/data/summary.h"

#include "tests/data/files.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;

DataSummary summary_of(const Table& table, const EncodingOptions& options = {}) {
  std::vector<std::string> notes;
  const TrainingPlan plan = plan_training(table, options, notes, notes);
  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return summarize(table, fit_encoding(table, plan, options, rows, notes, notes));
}

TEST(Summarize, CountsMissingCellsRolesAndClasses) {
  EncodingOptions options;
  options.target = std::string("y");
  options.ids = {"key"};
  options.ignore = {"note"};
  const DataSummary summary = summary_of(
      read_text("d.csv",
                "key,a,flag,colour,note,same,y\nk1,1,0,red,n,5,yes\nk2,NA,1,,,5,no\nk3,4,0,blue,,5,yes\n"
                "k4,?,1,red,n,5,yes\n",
                hints_for(options)),
      options);
  EXPECT_EQ(summary.rows, 4U);
  EXPECT_EQ(summary.columns_total, 6U);
  ASSERT_EQ(summary.columns.size(), 6U);
  std::vector<ColumnRole> roles;
  std::vector<std::size_t> missing;
  std::vector<std::size_t> inputs;
  for (const ColumnSummary& column : summary.columns) {
    roles.push_back(column.role);
    missing.push_back(column.missing);
    inputs.push_back(column.inputs);
  }
  EXPECT_THAT(roles, ElementsAre(ColumnRole::id, ColumnRole::flag, ColumnRole::flag, ColumnRole::category,
                                 ColumnRole::unused, ColumnRole::unused));
  EXPECT_THAT(missing, ElementsAre(0, 2, 0, 1, 2, 0));
  EXPECT_THAT(inputs, ElementsAre(0, 2, 1, 4, 0, 0)) << "value and 'was missing'; red, blue, missing, other";
  EXPECT_DOUBLE_EQ(summary.columns[1].mean, 2.5) << "of the cells that are there";
  EXPECT_DOUBLE_EQ(summary.columns[1].deviation, 1.5);
  EXPECT_THAT(summary.target.class_rows, ElementsAre(1, 3)) << "no, yes";
  EXPECT_FALSE(summary.image.has_value());
}

TEST(Summarize, ANumberTargetHasItsRange) {
  EncodingOptions options;
  options.target = std::string("y");
  options.task = Task::regression;
  const DataSummary summary = summary_of(read_text("d.csv", "a,y\n1,-2\n2,4\n3,4\n5,2\n"), options);
  EXPECT_EQ(summary.columns[0].role, ColumnRole::number) << "four of them are no flag";
  EXPECT_DOUBLE_EQ(summary.target.least, -2);
  EXPECT_DOUBLE_EQ(summary.target.greatest, 4);
  EXPECT_DOUBLE_EQ(summary.target.mean, 2);
  EXPECT_DOUBLE_EQ(summary.target.deviation, std::sqrt(6.0));
}

TEST(Summarize, WideTablesListTheFirstColumnsOnly) {
  std::string text = "y";
  for (int i = 0; i < 300; ++i) text += fmt::format(",c{}", i);
  for (int row = 0; row < 4; ++row) {
    text += fmt::format("\n{}", row % 2 == 0 ? "a" : "b");
    for (int i = 0; i < 300; ++i) text += fmt::format(",{}", row * i);
  }
  EncodingOptions options;
  options.target = std::string("y");
  const DataSummary summary = summary_of(read_text("d.csv", text), options);
  EXPECT_EQ(summary.columns.size(), 200U);
  EXPECT_EQ(summary.columns.back().name, "c199");
  EXPECT_EQ(summary.columns_total, 300U);
}

TEST(Summarize, AnAmatFileOfSquaresIsAnImage) {
  const DataSummary summary = summary_of(read_text("d.amat", "0 1 2 3 0\n1 1 0 0 1\n3 2 1 0 0\n"));
  ASSERT_TRUE(summary.image.has_value());
  EXPECT_EQ(summary.image->rows, 2U);
  EXPECT_EQ(summary.image->cols, 2U);
  EXPECT_THAT(summary.pixels, ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(summary.columns.empty());
  EXPECT_EQ(summary.columns_total, 4U);
  EXPECT_FALSE(summary_of(read_text("e.amat", "0 1 2 0\n1 1 0 1\n3 2 1 0\n")).image.has_value());
}

TEST(Summarize, IdxImagesKeepTheirShape) {
  const auto be = [](unsigned n) { return std::string{0, 0, 0, static_cast<char>(n)}; };
  std::string images = std::string("\0\0\x08\x03", 4) + be(3) + be(2) + be(3);
  for (int i = 0; i < 18; ++i) images += static_cast<char>(i * 7 % 11);
  const std::string labels = std::string("\0\0\x08\x01", 4) + be(3) + std::string("\0\1\1", 3);
  StringStream stream(images);
  StringStream label_stream(labels);
  const TableBytes label_bytes{.stream = label_stream, .name = "labels"};
  const DataSummary summary = summary_of(read_idx({.stream = stream, .name = "images"}, &label_bytes));
  ASSERT_TRUE(summary.image.has_value());
  EXPECT_EQ(summary.image->rows, 2U);
  EXPECT_EQ(summary.image->cols, 3U);
  EXPECT_THAT(summary.target.class_rows, ElementsAre(1, 2));
}

}  // namespace
}  // namespace coppice
