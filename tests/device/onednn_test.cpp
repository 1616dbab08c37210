#include "coppice/device/product.h"

#include "tests/device/random_matrix.h"

#include <cstdlib>
#include <dlfcn.h>

#include <gtest/gtest.h>

// What is said to oneDNN once for the whole process. Each test is a process of its own.
namespace coppice {
namespace {

// From oneDNN's dnnl_types.h.
constexpr unsigned isa_avx2 = 0x7;
constexpr unsigned isa_below_amx = 0xef;  ///< avx512_core_bf16

/// The instructions that oneDNN may use, fixed by the first product.
unsigned isa_after_a_product() {
  const Matrix<float> a = random_matrix<float>(20, 20, 1);
  Matrix<float> c(20, 20);
  product(Op::plain, a.view(), Op::plain, a.view(), c.view());
  return reinterpret_cast<unsigned (*)()>(::dlsym(RTLD_DEFAULT, "dnnl_get_effective_cpu_isa"))();
}

class OneDnn : public testing::Test {
 protected:
  void SetUp() override {
    if (!product_library().starts_with("oneDNN")) GTEST_SKIP() << "products of this build do without oneDNN";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(OneDnn, ComputesWithoutAmx) {
  const auto compute = [] {
    ::unsetenv("ONEDNN_MAX_CPU_ISA");
    ::unsetenv("DNNL_MAX_CPU_ISA");
    std::_Exit(isa_after_a_product() <= isa_below_amx ? 0 : 1);
  };
  EXPECT_EXIT(compute(), testing::ExitedWithCode(0), "");
}

TEST_F(OneDnn, KeepsALimitOfTheEnvironment) {
  const auto compute = [] {
    ::setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
    std::_Exit(isa_after_a_product() <= isa_avx2 ? 0 : 1);
  };
  EXPECT_EXIT(compute(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace coppice
