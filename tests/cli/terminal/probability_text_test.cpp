#include "cli/probability_text.h"

#include "coppice/core/random.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coppice::test {
namespace {

std::string text_of(double p) {
  std::string text;
  cli::append_probability(text, p);
  return text;
}

TEST(ProbabilityText, IsThatOfSixDecimals) {
  for (const double p : {0.0, -0.0, 1.0, 0.5, 0.9999995, 0.9999996, 0.99999949, 1e-7, 5e-7, 4.9e-7, 5e-300,
                         0.0000005, 0.0000015, 0.0000025, 1.5, -0.25, 0x1p-20, 3 * 0x1p-21})
    EXPECT_EQ(text_of(p), fmt::format("{:.6f}", p));
  Random random(1, Purpose::generator);
  for (int i = 0; i < 100'000; ++i) {
    const double p = random.uniform();
    ASSERT_EQ(text_of(p), fmt::format("{:.6f}", p)) << p;
    const double middle = (static_cast<double>(random.below(1'000'000)) + 0.5) / 1e6;
    ASSERT_EQ(text_of(middle), fmt::format("{:.6f}", middle)) << middle;
  }
}

}  // namespace
}  // namespace coppice::test
