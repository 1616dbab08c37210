#include "coppice/core/fail.h"
#include "coppice/device/processor.h"
#include "coppice/device/product.h"
#include "coppice/device/signals.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <omp.h>
#include <sys/mman.h>

#include <fmt/format.h>
#include <oneapi/dnnl/dnnl.h>

namespace coppice {

namespace {

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

/// oneDNN 2.6 dies in its AMX kernels on some machines (SIGILL in tilezero), so it is kept below AMX. That holds for
/// the whole process and must be said before its first use; where the environment sets a limit, that one stays.
void limit_instructions() {
  const auto limited = [](const char* name) { return std::getenv(name) != nullptr; };
  if (limited("ONEDNN_MAX_CPU_ISA") || limited("DNNL_MAX_CPU_ISA")) return;
  dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx512_core_bf16);
}

/// Whether there is twice the memory that all kernels take, in the heap and, since code lies elsewhere, beside it.
bool has_room() {
  constexpr std::size_t of_heap = std::size_t{1} << 16U;
  constexpr std::size_t of_system = std::size_t{36} << 20U;
  void* here = std::malloc(of_heap);
  std::free(here);
  void* there = ::mmap(nullptr, of_system, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return here != nullptr && there != MAP_FAILED && ::munmap(there, of_system) == 0;
}

/// Products of every kind that has kernels of its own: with vectors or without, and both layouts.
void compile_kernels() {
  constexpr std::size_t most = 8;
  const std::array<float, most * most> zeros{};
  std::array<float, most * most> result{};
  for (const char a : {'N', 'T'}) {
    for (const char b : {'N', 'T'}) {
      for (const dnnl_dim_t rows : {1, 7}) {
        for (const dnnl_dim_t cols : {1, 7})
          dnnl_sgemm(a, b, rows, cols, 7, 1.0F, zeros.data(), most, zeros.data(), most, 0.0F, result.data(),
                     most);
      }
    }
  }
}

/// oneDNN compiles its kernels when products first need them, and where there is no memory left for that it does not say so
/// but crashes. So all are compiled before the first product, if there is memory; false if there is not.
bool prepare_library() {
  static std::atomic<bool> ready = false;
  static std::mutex mutex;
  if (ready.load(std::memory_order_acquire)) return true;
  const std::lock_guard lock(mutex);
  if (ready) return true;
  if (!has_room()) return false;
  const SignalShield shield;
  const WithoutOpenMp alone;
  limit_instructions();
  compile_kernels();
  ready.store(true, std::memory_order_release);
  return true;
}

}  // namespace

void product_of_library(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  if (!prepare_library()) throw std::bad_alloc();
  const auto letter = [](Op op) { return op == Op::plain ? 'N' : 'T'; };
  const auto size = [](std::size_t n) { return static_cast<dnnl_dim_t>(n); };
  const std::size_t inner = op_a == Op::plain ? a.cols : a.rows;
  const SignalShield shield(static_cast<double>(c.rows * c.cols) * static_cast<double>(inner));
  const WithoutOpenMp alone;
  const dnnl_status_t status =
      dnnl_sgemm(letter(op_a), letter(op_b), size(c.rows), size(c.cols), size(inner), 1.0F, a.data,
                 size(a.stride), b.data, size(b.stride), 0.0F, c.data, size(c.stride));
  if (status == dnnl_out_of_memory) throw std::bad_alloc();
  if (status != dnnl_success) {
    fail("matrix product of {}x{} and {}x{} failed with oneDNN status {}", a.rows, a.cols, b.rows, b.cols,
         static_cast<int>(status));
  }
}

void keep_products_here() {
  omp_set_num_threads(1);
}

void prepare_products() {
  prepare_library();
}

std::string product_library() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
}

std::string library_kernels() {
  prepare_products();  // the limit on instructions is set before they are asked for
  return fmt::format("{} for {:#x}, loops for {}", product_library(),
                     static_cast<unsigned>(dnnl_get_effective_cpu_isa()), vector_level());
}

std::string product_warning() {
  return {};
}

}  // namespace coppice
