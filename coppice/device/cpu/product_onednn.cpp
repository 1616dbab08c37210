#include "coppice/core/fail.h"
#include "coppice/device/product.h"
#include "coppice/device/signals.h"

#include <cstdlib>
#include <mutex>
#include <omp.h>

#include <fmt/format.h>
#include <oneapi/dnnl/dnnl.h>

namespace coppice {

namespace {

/// oneDNN 2.6 dies in its AMX kernels on some machines (SIGILL in tilezero), so it is kept below AMX. That holds for
/// the whole process and must be said before its first use; where the environment sets a limit, that one stays.
void prepare_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    const auto limited = [](const char* name) { return std::getenv(name) != nullptr; };
    if (limited("ONEDNN_MAX_CPU_ISA") || limited("DNNL_MAX_CPU_ISA")) return;
    dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx512_core_bf16);
  });
}

/// While one lives, what this thread starts with OpenMP runs on this thread alone: the threads are ours. The number
/// that belongs to the calling program, one per thread, comes back afterwards.
class WithoutOpenMp {
 public:
  WithoutOpenMp() : before_(omp_get_max_threads()) {
    if (before_ != 1) omp_set_num_threads(1);
  }
  ~WithoutOpenMp() {
    if (before_ != 1) omp_set_num_threads(before_);
  }
  WithoutOpenMp(const WithoutOpenMp&) = delete;
  WithoutOpenMp& operator=(const WithoutOpenMp&) = delete;

 private:
  int before_;
};

}  // namespace

void product(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  prepare_library();
  const auto letter = [](Op op) { return op == Op::plain ? 'N' : 'T'; };
  const auto size = [](std::size_t n) { return static_cast<dnnl_dim_t>(n); };
  const std::size_t inner = op_a == Op::plain ? a.cols : a.rows;
  const SignalShield shield(static_cast<double>(c.rows * c.cols) * static_cast<double>(inner));
  const WithoutOpenMp alone;
  const dnnl_status_t status =
      dnnl_sgemm(letter(op_a), letter(op_b), size(c.rows), size(c.cols), size(inner), 1.0F, a.data,
                 size(a.stride), b.data, size(b.stride), 0.0F, c.data, size(c.stride));
  if (status != dnnl_success) {
    fail("matrix product of {}x{} and {}x{} failed with oneDNN status {}", a.rows, a.cols, b.rows, b.cols,
         static_cast<int>(status));
  }
}

void keep_products_here() {
  omp_set_num_threads(1);
}

std::string product_library() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
}

std::string product_warning() {
  return {};
}

}  // namespace coppice
