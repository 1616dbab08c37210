#pragma once

#include "coppice/device/gpu.h"

#include <gtest/gtest.h>

namespace coppice::test {

/// Tests that need a GPU and say so where there is none.
class OnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const GpuStatus status = gpu_status();
    if (!status.usable) GTEST_SKIP() << status.text;
  }
};

}  // namespace coppice::test
