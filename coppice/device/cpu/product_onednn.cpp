#include "coppice/core/error.h"
#include "coppice/device/product.h"

#include <cstdint>
#include <mutex>
#include <omp.h>

#include <fmt/format.h>
#include <oneapi/dnnl/dnnl.h>

namespace coppice {

namespace {

/// oneDNN 2.6 dies in its AMX kernels on some machines (SIGILL in tilezero), so it is kept below AMX; it must
/// be told before its first use. Threads are ours: each call runs on the thread that makes it.
void prepare_thread() {
  static std::once_flag once;
  std::call_once(once, [] { dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx512_core_bf16); });
  thread_local bool prepared = false;
  if (!prepared) omp_set_num_threads(1);
  prepared = true;
}

}  // namespace

void product(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  prepare_thread();
  const auto letter = [](Op op) { return op == Op::plain ? 'N' : 'T'; };
  const auto size = [](std::size_t n) { return static_cast<dnnl_dim_t>(n); };
  const std::size_t inner = op_a == Op::plain ? a.cols : a.rows;
  const dnnl_status_t status =
      dnnl_sgemm(letter(op_a), letter(op_b), size(c.rows), size(c.cols), size(inner), 1.0F, a.data,
                 size(a.stride), b.data, size(b.stride), 0.0F, c.data, size(c.stride));
  if (status != dnnl_success) {
    fail("matrix product of {}x{} and {}x{} failed with oneDNN status {}", a.rows, a.cols, b.rows, b.cols,
         static_cast<int>(status));
  }
}

std::string product_library() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
}

std::string product_warning() {
  return {};
}

}  // namespace coppice
