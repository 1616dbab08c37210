#include "coppice/device/product.h"

#include "tests/device/random_matrix.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

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

/// 0 if products that find no memory say so, and can be computed when there is some again.
[[noreturn]] void multiply_without_memory() {
  const Matrix<float> a = random_matrix<float>(300, 300, 1);
  Matrix<float> c(300, 300);
  const auto multiply = [&] { product(Op::plain, a.view(), Op::transposed, a.view(), c.view()); };
  std::ifstream pages("/proc/self/statm");
  rlim_t taken = 0;
  pages >> taken;
  rlimit before{};
  ::getrlimit(RLIMIT_AS, &before);
  const rlimit limit{.rlim_cur = taken * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (4U << 20U),
                     .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_AS, &limit);
  try {
    multiply();
    std::_Exit(1);
  } catch (const std::bad_alloc&) {
    ::setrlimit(RLIMIT_AS, &before);
    multiply();
    std::_Exit(0);
  }
}

TEST_F(OneDnn, SaysThatThereIsNoMemory) {
#ifdef COPPICE_SANITIZED
  GTEST_SKIP() << "sanitizers take all addresses there are";
#endif
  EXPECT_EXIT(multiply_without_memory(), testing::ExitedWithCode(0), "");
}

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
