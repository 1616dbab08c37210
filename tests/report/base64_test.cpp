#include "coppice/report/base64.h"

#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(Base64, NumbersAreLittleEndian) {
  EXPECT_EQ(base64(std::vector<float>{}), "");
  EXPECT_EQ(base64(std::vector<float>{1}), "AACAPw==");
  EXPECT_EQ(base64(std::vector<float>{1, -2.5F}), "AACAPwAAIMA=");
  EXPECT_EQ(base64(std::vector<float>{1, -2.5F, 0}), "AACAPwAAIMAAAAAA");
}

}  // namespace
}  // namespace coppice
