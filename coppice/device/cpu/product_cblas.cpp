#include "coppice/device/processor.h"
#include "coppice/device/product.h"

#include <dlfcn.h>

#include <cblas.h>
#include <fmt/format.h>

namespace coppice {

namespace {

/// OpenBLAS reports the processor it has taken this machine for; other CBLAS libraries lack the function.
std::string openblas_core() {
  using Name = char* (*)();
  const auto name = reinterpret_cast<Name>(::dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  return name != nullptr ? name() : "";
}

/// Threads are ours: the library computes each product on the thread that asks for it.
void prepare_library() {
  using SetThreads = void (*)(int);
  static const bool prepared = [] {
    const auto set = reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    if (set != nullptr) set(1);
    return true;
  }();
  static_cast<void>(prepared);
}

}  // namespace

void product_of_library(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  prepare_library();
  const auto flag = [](Op op) { return op == Op::plain ? CblasNoTrans : CblasTrans; };
  const auto size = [](std::size_t n) { return static_cast<int>(n); };
  const std::size_t inner = op_a == Op::plain ? a.cols : a.rows;
  cblas_sgemm(CblasRowMajor, flag(op_a), flag(op_b), size(c.rows), size(c.cols), size(inner), 1.0F, a.data,
              size(a.stride), b.data, size(b.stride), 0.0F, c.data, size(c.stride));
}

void keep_products_here() {}

void prepare_products() {}

std::string product_library() {
  const std::string core = openblas_core();
  return core.empty() ? "CBLAS" : "OpenBLAS (" + core + ")";
}

std::string library_kernels() {
  return fmt::format("{}, loops for {}", product_library(), vector_level());
}

std::string product_warning() {
#if defined(__x86_64__)
  const std::string core = openblas_core();
  const bool old_core = core == "Prescott" || core == "Core2" || core == "Nehalem" || core == "Generic";
  if (old_core && __builtin_cpu_supports("avx2")) {
    return fmt::format(
        "OpenBLAS takes this processor for a {}, which is several times too slow; set OPENBLAS_CORETYPE={} "
        "or build with oneDNN",
        core, __builtin_cpu_supports("avx512f") ? "SKYLAKEX" : "HASWELL");
  }
#endif
  return {};
}

}  // namespace coppice
