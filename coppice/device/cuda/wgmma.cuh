#pragma once

#include <cstdint>

// Products of a warpgroup, four warps with a part of the first factor in registers each and the second in shared
// memory: what Hopper's tensor cores need to run at full speed. They start at once and end at `wait`.
namespace coppice::cuda {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/// Before the first product, and after registers of one were written otherwise.
__device__ inline void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int Pending>
__device__ inline void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

/// Names rows of 32 numbers, one per column of the product, swizzled by 128 bytes; k: where sums begin.
__device__ inline std::uint64_t wgmma_rows(const float* rows, int k) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(rows + k));
  constexpr std::uint64_t eight_rows = 8 * 128 / 16;
  constexpr std::uint64_t swizzle_128 = 1;
  return (address >> 4U & 0x3fffU) | std::uint64_t{1} << 16U | eight_rows << 32U | swizzle_128 << 62U;
}

// c += a b with 8 products per entry, for each number of columns. c: entries 4 j to 4 j + 3 as FragmentC of columns
// 8 j and on.
// clang-format off
#define COPPICE_REGISTERS_32 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15"
#define COPPICE_REGISTERS_64 COPPICE_REGISTERS_32 ",%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define COPPICE_REGISTERS_96 COPPICE_REGISTERS_64 ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47"
#define COPPICE_REGISTERS_128 COPPICE_REGISTERS_96 ",%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define COPPICE_REGISTERS_160 COPPICE_REGISTERS_128 ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79"
#define COPPICE_REGISTERS_192 COPPICE_REGISTERS_160 ",%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95"
#define COPPICE_REGISTERS_224 COPPICE_REGISTERS_192 ",%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111"
#define COPPICE_REGISTERS_256 COPPICE_REGISTERS_224 ",%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
#define COPPICE_SUMS(i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3]), "+f"(c[i + 4]), "+f"(c[i + 5]), "+f"(c[i + 6]), "+f"(c[i + 7]), "+f"(c[i + 8]), "+f"(c[i + 9]), "+f"(c[i + 10]), "+f"(c[i + 11]), "+f"(c[i + 12]), "+f"(c[i + 13]), "+f"(c[i + 14]), "+f"(c[i + 15])
#define COPPICE_SUMS_32 COPPICE_SUMS(0)
#define COPPICE_SUMS_64 COPPICE_SUMS_32, COPPICE_SUMS(16)
#define COPPICE_SUMS_96 COPPICE_SUMS_64, COPPICE_SUMS(32)
#define COPPICE_SUMS_128 COPPICE_SUMS_96, COPPICE_SUMS(48)
#define COPPICE_SUMS_160 COPPICE_SUMS_128, COPPICE_SUMS(64)
#define COPPICE_SUMS_192 COPPICE_SUMS_160, COPPICE_SUMS(80)
#define COPPICE_SUMS_224 COPPICE_SUMS_192, COPPICE_SUMS(96)
#define COPPICE_SUMS_256 COPPICE_SUMS_224, COPPICE_SUMS(112)
#define COPPICE_WGMMA_TF32(columns, a, b)                                                                 \
  __device__ inline void wgmma_tf32(float (&c)[columns / 2], const std::uint32_t (&f)[4], std::uint64_t rows) { \
    asm volatile(                                                                                          \
        "{.reg .pred add; setp.eq.u32 add, 0, 0;\n"                                                        \
        "wgmma.mma_async.sync.aligned.m64n" #columns "k8.f32.tf32.tf32 {" COPPICE_REGISTERS_##columns      \
        "}, {" a "}, " b ", add, 1, 1;}"                                                                   \
        : COPPICE_SUMS_##columns                                                                           \
        : "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3]), "l"(rows));                                          \
  }
COPPICE_WGMMA_TF32(32, "%16,%17,%18,%19", "%20")
COPPICE_WGMMA_TF32(64, "%32,%33,%34,%35", "%36")
COPPICE_WGMMA_TF32(96, "%48,%49,%50,%51", "%52")
COPPICE_WGMMA_TF32(128, "%64,%65,%66,%67", "%68")
COPPICE_WGMMA_TF32(160, "%80,%81,%82,%83", "%84")
COPPICE_WGMMA_TF32(192, "%96,%97,%98,%99", "%100")
COPPICE_WGMMA_TF32(224, "%112,%113,%114,%115", "%116")
COPPICE_WGMMA_TF32(256, "%128,%129,%130,%131", "%132")
#undef COPPICE_WGMMA_TF32
// clang-format on

#endif

}  // namespace coppice::cuda
