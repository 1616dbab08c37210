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

constexpr std::size_t pair_lanes = 16;  ///< pairs in a vector register
constexpr std::size_t panel =
    2 * pair_lanes;  ///< columns of the right side, or rows of the left, used together

using Words = std::vector<std::uint32_t, AlignedAllocator<std::uint32_t>>;

/// op(a) by rows, each a run of pairs that zeros fill up to whole vectors. There is memory, with any content,
/// for rows up to a multiple of a panel.
class Left {
 public:
  void pack(Op op, View<const float> a);
  const std::uint32_t* operator[](std::size_t row) const { return words_.data() + row * stride_; }
  std::size_t stride() const { return stride_; }

 private:
  std::size_t stride_ = 0;
  Words words_;
};

/// op(b) by panels of 32 columns (the last may be of 16), each a run over pairs of all its columns; zeros fill
/// the pairs up to whole vectors.
class Right {
 public:
  void pack(Op op, View<const float> b);
  const std::uint32_t* panel_at(std::size_t column) const { return words_.data() + column * room_; }
  std::size_t pairs() const { return pairs_; }

 private:
  std::size_t pairs_ = 0;
  std::size_t room_ = 0;  ///< pairs with the zeros that follow
  Words words_;
};

}  // namespace coppice::bf16

#else
#define COPPICE_BF16_KERNELS 0
#endif
