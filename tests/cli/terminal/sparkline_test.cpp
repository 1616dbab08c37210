#include "cli/terminal/sparkline.h"

#include "cli/terminal/table.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace coppice::cli {
namespace {

TEST(Sparkline, HasAHeightPerValue) {
  EXPECT_EQ(sparkline(std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7}, 8), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline(std::vector<double>{7, 0}, 8), "█▁") << "no wider than there are values";
  EXPECT_EQ(sparkline(std::vector<double>{3, 3, 3}, 8), "▁▁▁") << "nothing happens";
  EXPECT_EQ(sparkline({}, 8), "");
  EXPECT_EQ(sparkline(std::vector<double>{1, 2}, 0), "");
}

TEST(Sparkline, AveragesWhatHasNoRoom) {
  EXPECT_EQ(sparkline(std::vector<double>{0, 0, 10, 4}, 2), "▁█");
  std::vector<double> many(1000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
  const std::string line = sparkline(many, 17);
  EXPECT_EQ(display_width(line), 17U);
  EXPECT_TRUE(line.starts_with("▁") && line.ends_with("█"));
}

TEST(Sparkline, LeavesGapsForWhatIsNoNumber) {
  EXPECT_EQ(sparkline(std::vector<double>{0, std::nan(""), HUGE_VAL, 1}, 4), "▁  █");
  EXPECT_EQ(sparkline(std::vector<double>{std::nan("")}, 4), " ");
}

TEST(Sparkline, LogarithmsShowOrdersOfMagnitude) {
  EXPECT_EQ(sparkline(std::vector<double>{1, 0.1, 0.01}, 3, SparkScale::logarithmic), "█▅▁");
  EXPECT_EQ(sparkline(std::vector<double>{1, 0.1, 0.01}, 3), "█▂▁");
  EXPECT_EQ(sparkline(std::vector<double>{1, 0}, 3, SparkScale::logarithmic), "█▁") << "0 has no logarithm";
  EXPECT_EQ(sparkline(std::vector<double>{0, 0}, 3, SparkScale::logarithmic), "▁▁");
}

}  // namespace
}  // namespace coppice::cli
