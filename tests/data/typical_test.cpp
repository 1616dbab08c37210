#include "coppice/data/typical.h"

#include <gmock/gmock.h>

namespace coppice {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> texts_in(const Table& column) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < column.rows(); ++row)
    texts.push_back(column.text(column.names().front(), row));
  return texts;
}

struct Typical {
  Table table;
  Encoding encoding;

  Typical() {
    std::vector<float> numbers;
    std::vector<std::string> words;
    std::vector<std::string> dates;
    for (int i = 0; i < 101; ++i) {
      numbers.push_back(static_cast<float>(100 - i));
      words.emplace_back(i % 4 == 0 ? "some" : i % 10 == 1 ? "few" : "many");
      dates.push_back("2024-01-" + std::to_string(10 + i % 20));
    }
    table.add_numbers("n", numbers);
    table.add_texts("w", words);
    table.add_texts("d", dates);
    table.add_numbers("unused", numbers);
    table.add_numbers("empty", std::vector<float>(101, std::numeric_limits<float>::quiet_NaN()));
    encoding.columns = {{.name = "n", .kind = ColumnKind::number, .categories = {}},
                        {.name = "w", .kind = ColumnKind::text, .categories = {"few", "many", "some"}},
                        {.name = "d day", .kind = ColumnKind::number, .categories = {}},
                        {.name = "empty", .kind = ColumnKind::number, .categories = {}}};
    encoding.derived = {{.source = "d", .kind = DerivedKind::date}};
  }
};

TEST(Typical, NumbersAtEqualStepsTextsByFrequencyDatesInOrder) {
  const Typical problem;
  const auto values = [&](const char* column, std::size_t count, std::size_t step = 1) {
    return texts_in(typical_values(problem.table, problem.encoding, column, count, step));
  };
  EXPECT_THAT(values("n", 5), ElementsAre("0", "25", "50", "75", "100"));
  EXPECT_THAT(values("n", 1), ElementsAre("50")) << "the middle";
  EXPECT_THAT(values("n", 9, 50), ElementsAre("0", "50", "100")) << "every 50th row";
  EXPECT_THAT(values("w", 2), ElementsAre("many", "some"));
  EXPECT_THAT(values("w", 1), ElementsAre("many"));
  EXPECT_THAT(values("d", 3), ElementsAre("2024-01-10", "2024-01-19", "2024-01-29"));
}

TEST(Typical, ColumnsThatAreUsedAndHaveValues) {
  const Typical problem;
  const std::vector<TypicalColumn> columns = typical_columns(problem.table, problem.encoding);
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[0].name, "n");
  EXPECT_EQ(columns[0].values.rows(), 21U);
  EXPECT_EQ(columns[0].few.rows(), 8U);
  EXPECT_THAT(texts_in(columns[0].usual), ElementsAre("50"));
  EXPECT_EQ(columns[1].name, "w");
  EXPECT_EQ(columns[2].name, "d");
  EXPECT_EQ(columns[2].values.rows(), 20U);
}

}  // namespace
}  // namespace coppice
