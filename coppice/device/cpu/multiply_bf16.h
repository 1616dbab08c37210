#pragma once

#include "coppice/device/cpu/pack_bf16.h"

#if COPPICE_BF16_KERNELS

namespace coppice::bf16 {

// c = a * b of packed sides, in two ways.

/// AVX512-BF16, one instruction for 16 sums of two products.
void multiply_by_vectors(const Left& a, const Right& b, View<float> c);
/// Whether the processor has it, at a rate above that of float32: AMD's have twice, Intel's the same.
bool has_vectors();

/// AMX: one instruction for 16 x 16 sums of 32 products.
void multiply_by_tiles(const Left& a, const Right& b, View<float> c);
/// Whether the processor has it and the system lets this process use it.
bool has_tiles();

}  // namespace coppice::bf16

#endif
