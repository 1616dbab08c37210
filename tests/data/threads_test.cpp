// Large tables are looked at and encoded by several threads: the same comes of it.
#include "coppice/core/random.h"
#include "coppice/data/encoding.h"
#include "coppice/data/worth_threads.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// Wide enough for several parts of columns, long enough for several of rows, neither a multiple of them.
class LargeTable : public ::testing::Test {
 protected:
  static constexpr std::size_t rows = 5'003;
  static constexpr std::size_t columns = 211;

  LargeTable() : values_(rows, columns) {
    Random random(1, Purpose::generator);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        const float number = static_cast<float>(random.normal() * std::exp(static_cast<double>(c % 7)));
        values_(r, c) = random.below(50) == 0 ? std::numeric_limits<float>::quiet_NaN() : number;
      }
      city_.emplace_back(random.below(3) == 0 ? "Ulm" : "Kiel");
      target_.push_back(static_cast<float>(random.normal()));
      rows_.push_back(static_cast<std::uint32_t>(r));
    }
    table_ = Table::matrix(values_.view());
    table_.add_texts("city", city_);
    table_.add_numbers("target", target_);
  }

  Encoding fitted(std::size_t threads, std::span<const float> weights = {}) const {
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
    EncodingOptions options;
    options.target = "target";
    options.task = Task::regression;
    options.encode = Encode::bins;
    const TrainingPlan plan = plan_training(table_, options, notes, warnings);
    return fit_encoding(table_, plan, options, rows_, notes, warnings, weights, threads);
  }

  Matrix<float> values_;
  std::vector<std::string> city_;
  std::vector<float> target_;
  std::vector<std::uint32_t> rows_;
  Table table_;
};

TEST_F(LargeTable, IsWorthThreads) {
  EXPECT_EQ(worth_threads(rows * columns, 4), 4U);
  EXPECT_EQ(worth_threads(rows, 4), 1U);
}

TEST_F(LargeTable, IsEncodedTheSameByAnyNumberOfThreads) {
  const std::vector<float> weights(rows, 1.5F);
  for (const std::span<const float> own : {std::span<const float>{}, std::span<const float>(weights)}) {
    const Encoding one = fitted(1, own);
    EXPECT_GT(one.inputs(), columns) << "there are no bins";
    std::vector<std::string> warnings;
    const Dataset expected = encode(table_, one, true, warnings);
    for (const std::size_t threads : {2, 3, 8}) {
      const Encoding several = fitted(threads, own);
      EXPECT_EQ(several.offset, one.offset) << threads << " threads";
      EXPECT_EQ(several.factor, one.factor) << threads << " threads";
      const Dataset data = encode(table_, several, true, warnings, threads);
      EXPECT_TRUE(data.inputs == expected.inputs) << threads << " threads";
      EXPECT_EQ(data.targets, expected.targets);
    }
  }
}

}  // namespace
}  // namespace coppice
