#include "coppice/device/cuda/runtime.h"

#include "tests/gpu.h"

#include <vector>

namespace coppice::cuda {
namespace {

using GpuRuntime = test::OnGpu;

TEST_F(GpuRuntime, TooLittleMemoryIsToldAndForgotten) {
  constexpr std::size_t more_than_any = std::size_t{1} << 50U;
  EXPECT_THROW(Array<float>{more_than_any}, GpuOutOfMemory);
  const Stream stream;
  const Array<int> array(3);
  fill(array.data(), 0xff, array.bytes(), stream);
  EXPECT_NO_THROW(check_launch("nothing"));
  EXPECT_EQ(downloaded(array.data(), 3, stream), std::vector<int>(3, -1));
}

}  // namespace
}  // namespace coppice::cuda
