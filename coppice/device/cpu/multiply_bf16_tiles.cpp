#include "coppice/device/cpu/multiply_bf16.h"

#include <algorithm>
#include <sys/syscall.h>
#include <unistd.h>

#if COPPICE_BF16_KERNELS

#define COPPICE_AMX __attribute__((target("amx-tile,amx-bf16")))

namespace coppice::bf16 {

namespace {

/// Eight tile registers of 16 rows with 64 bytes each: four hold sums (32 x 32 of c), two the left side and two
/// the right.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t bytes_per_row[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

/// 32 rows by 32 columns of c, or by 16 if the panel has no more.
COPPICE_AMX void tile_product(const std::uint32_t* a, std::size_t a_stride, const std::uint32_t* b,
                              std::size_t pairs, bool wide, float* c, std::size_t c_stride) {
  const auto a_bytes = static_cast<int>(a_stride * sizeof(std::uint32_t));
  const auto c_bytes = static_cast<int>(c_stride * sizeof(float));
  const std::size_t width = wide ? panel : pair_lanes;
  const auto b_bytes = static_cast<int>(width * sizeof(std::uint32_t));
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (std::size_t p = 0; p < pairs; p += pair_lanes) {
    _tile_loadd(4, a + p, a_bytes);
    _tile_loadd(5, a + 16 * a_stride + p, a_bytes);
    _tile_loadd(6, b + p * width, b_bytes);
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(2, 5, 6);
    if (!wide) continue;
    _tile_loadd(7, b + p * width + pair_lanes, b_bytes);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_stored(0, c, c_bytes);
  _tile_stored(2, c + 16 * c_stride, c_bytes);
  if (!wide) return;
  _tile_stored(1, c + pair_lanes, c_bytes);
  _tile_stored(3, c + 16 * c_stride + pair_lanes, c_bytes);
}

COPPICE_AMX void load_shapes() {
  static const TileShapes shapes;
  _tile_loadconfig(&shapes);
}

COPPICE_AMX void release() {
  _tile_release();
}

}  // namespace

bool has_tiles() {
  if (!__builtin_cpu_supports("amx-bf16") || !__builtin_cpu_supports("avx512bf16")) return false;
  constexpr long request_permission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long tile_data = 18;
  return ::syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

void multiply_by_tiles(const Left& a, const Right& b, View<float> c) {
  load_shapes();
  alignas(64) float rest[panel * panel];
  for (std::size_t column = 0; column < c.cols; column += panel) {
    const std::size_t columns = std::min(panel, c.cols - column);
    const bool wide = columns > pair_lanes;
    for (std::size_t row = 0; row < c.rows; row += panel) {
      const std::size_t rows = std::min(panel, c.rows - row);
      if (rows == panel && (columns == panel || columns == pair_lanes)) {
        tile_product(a[row], a.stride(), b.panel_at(column), b.pairs(), wide, c[row] + column, c.stride);
        continue;
      }
      tile_product(a[row], a.stride(), b.panel_at(column), b.pairs(), wide, rest, panel);
      for (std::size_t i = 0; i < rows; ++i) std::copy_n(rest + i * panel, columns, c[row + i] + column);
    }
  }
  release();
}

}  // namespace coppice::bf16

#endif
