#pragma once

#include <cstdint>
#include <cuda.h>

// Hopper's copy engine: one thread asks for a block of a matrix, everybody waits for it. What it writes the tensor
// cores see without a fence.
namespace coppice::cuda {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/// Counts the bytes of a stage that arrived; begins anew when all of them did.
class Arrivals {
 public:
  __device__ void init() {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address()) : "memory");
  }
  /// After every `init`, before the barrier that shows them to the block.
  __device__ static void show_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
  __device__ void expect(unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address()), "r"(bytes)
                 : "memory");
  }
  /// turn: how often, modulo 2, the stage was waited for before.
  __device__ void wait(unsigned turn) {
    asm volatile(
        "{.reg .pred done;\n"
        "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again;}" ::"r"(address()),
        "r"(turn)
        : "memory");
  }
  __device__ unsigned address() { return static_cast<unsigned>(__cvta_generic_to_shared(&state_)); }

 private:
  std::uint64_t state_;
};

/// Starts copying the block of `map` that begins at (row, col).
__device__ inline void bulk_copy(float* to, const CUtensorMap& map, int row, int col, Arrivals& arrivals) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], "
      "[%2];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(&map), "r"(arrivals.address()), "r"(col), "r"(row)
      : "memory");
}

#endif

}  // namespace coppice::cuda
