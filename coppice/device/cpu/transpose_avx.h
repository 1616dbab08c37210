// Included behind a choice of instructions, like multiply_chains.h.

namespace coppice::chains {

namespace {

struct TransposeAvx {
  static constexpr std::size_t square = 8;

  /// to(j, i) = from(i, j) of a square: pairs of rows, of pairs, of halves change places.
  static void transpose(const float* from, std::size_t from_stride, float* to, std::size_t to_stride) {
    __m256 s[square];
    __m256 t[square];
    for (std::size_t i = 0; i < square; ++i) s[i] = _mm256_loadu_ps(from + i * from_stride);
    for (std::size_t i = 0; i < square; i += 2) {
      t[i] = _mm256_unpacklo_ps(s[i], s[i + 1]);
      t[i + 1] = _mm256_unpackhi_ps(s[i], s[i + 1]);
    }
    for (std::size_t i = 0; i < square; i += 4) {
      s[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
      s[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xEE);
      s[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
      s[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xEE);
    }
    for (std::size_t i = 0; i < square / 2; ++i) {
      _mm256_storeu_ps(to + i * to_stride, _mm256_permute2f128_ps(s[i], s[i + 4], 0x20));
      _mm256_storeu_ps(to + (i + 4) * to_stride, _mm256_permute2f128_ps(s[i], s[i + 4], 0x31));
    }
  }
};

}  // namespace

}  // namespace coppice::chains
