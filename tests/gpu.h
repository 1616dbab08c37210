#pragma once

#include "coppice/device/gpu.h"

#include <cstdlib>

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

/// Whether a tool looks at every access to memory (tools/gpu_sanitize.py): what tests repeat, they then repeat less often, over the same
/// kernels, and they ask for the same bits but not for what is learned only with time.
inline bool under_a_tool() {
  return std::getenv("COPPICE_TEST_SHORT") != nullptr;
}

}  // namespace coppice::test
