#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/product.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// bf16 is the upper half of a float. The processor's instruction multiplies pairs of them, two neighbours along
// the inner dimension, and adds both products to a float; so both sides of a product are packed into pairs, as
// 32-bit words, and odd inner dimensions end with a zero.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define COPPICE_BF16_KERNELS 1
#include <immintrin.h>
#define COPPICE_BF16 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16")))

namespace coppice::bf16 {

constexpr std::size_t pair_lanes = 16;         ///< pairs in a vector register
constexpr std::size_t panel = 2 * pair_lanes;  ///< columns of the right side that lie together

using Words = std::vector<std::uint32_t, AlignedAllocator<std::uint32_t>>;

COPPICE_BF16 inline __m512bh as_pairs(__m512i words) {
  return reinterpret_cast<__m512bh>(words);
}

/// op(a) by rows, each a run of pairs.
class Left {
 public:
  void pack(Op op, View<const float> a);
  const std::uint32_t* operator[](std::size_t row) const { return words_.data() + row * stride_; }
  std::size_t stride() const { return stride_; }

 private:
  std::size_t stride_ = 0;
  Words words_;
};

/// op(b) by panels of 32 columns (the last may be of 16), each a run over pairs of all its columns.
class Right {
 public:
  void pack(Op op, View<const float> b);
  const std::uint32_t* panel_at(std::size_t column) const { return words_.data() + column * pairs_; }
  std::size_t pairs() const { return pairs_; }

 private:
  std::size_t pairs_ = 0;
  Words words_;
};

}  // namespace coppice::bf16

#else
#define COPPICE_BF16_KERNELS 0
#endif
