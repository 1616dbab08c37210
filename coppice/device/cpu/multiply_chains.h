// The body of a product of chains (product_chains.h), for the vectors that the source which includes it says: `Vector` has the
// register's type, how many numbers it holds, how many rows of registers there are, and what is done with them. All of it is the source's own, since it is
// compiled for its instructions.

namespace coppice::chains {

namespace {

using Register = Vector::Register;
constexpr std::size_t lanes = Vector::lanes;
constexpr std::size_t most_rows = Vector::rows;
constexpr std::size_t most_vectors = 2;
constexpr std::size_t widest = most_vectors * lanes;
static_assert(widest <= widest_panel);

/// Rows x Vectors registers of c. `Contiguous`: along the inner dimension a lies without gaps.
template <std::size_t Rows, std::size_t Vectors, bool Contiguous>
void multiply_tile(Side a, const float* panel, std::size_t inner, float* c, std::size_t c_stride) {
  const std::size_t along_rows = Contiguous ? a.along_rows : 1;
  const std::size_t along_inner = Contiguous ? 1 : a.along_inner;
  Register sum[Rows][Vectors];
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < Vectors; ++v) sum[r][v] = Vector::zero();
  }
  for (std::size_t k = 0; k < inner; ++k) {
    Register right[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) right[v] = Vector::load(panel + (k * Vectors + v) * lanes);
#pragma GCC unroll 12
    for (std::size_t r = 0; r < Rows; ++r) {
      const Register left = Vector::all(a.data[r * along_rows + k * along_inner]);
      for (std::size_t v = 0; v < Vectors; ++v) sum[r][v] = Vector::fma(left, right[v], sum[r][v]);
    }
  }
#pragma GCC unroll 12
  for (std::size_t r = 0; r < Rows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < Vectors; ++v) Vector::store(c + r * c_stride + v * lanes, sum[r][v]);
  }
}

using MultiplyTile = void (*)(Side, const float*, std::size_t, float*, std::size_t);

template <std::size_t Vectors, bool Contiguous, std::size_t... Rows>
constexpr std::array<MultiplyTile, most_rows> tiles_of_rows(std::index_sequence<Rows...>) {
  return {&multiply_tile<Rows + 1, Vectors, Contiguous>...};
}

/// [vectors - 1][rows - 1]
template <bool Contiguous>
constexpr std::array<std::array<MultiplyTile, most_rows>, most_vectors> tiles{
    tiles_of_rows<1, Contiguous>(std::make_index_sequence<most_rows>{}),
    tiles_of_rows<2, Contiguous>(std::make_index_sequence<most_rows>{})};

/// Columns [first, first + count) of b, `width` wide.
void pack_plain(View<const float> b, std::size_t first, std::size_t count, std::size_t width, float* panel) {
  for (std::size_t k = 0; k < b.rows; ++k, panel += width) {
    const float* row = b[k] + first;
    if (count == width) {
      for (std::size_t j = 0; j < width; j += lanes) Vector::store(panel + j, Vector::load_anywhere(row + j));
    } else {
      std::fill_n(std::copy_n(row, count, panel), width - count, 0.0F);
    }
  }
}

/// Rows [first, first + count) of b as columns: squares are turned in registers.
void pack_transposed(View<const float> b, std::size_t first, std::size_t count, std::size_t width,
                     float* panel) {
  constexpr std::size_t side = Vector::square;
  for (std::size_t k = 0; k < b.cols; k += side) {
    const std::size_t depth = std::min(side, b.cols - k);
    for (std::size_t j = 0; j < width; j += side) {
      float* to = panel + k * width + j;
      if (depth == side && j + side <= count) {
        Vector::transpose(b[first + j] + k, b.stride, to, width);
        continue;
      }
      for (std::size_t q = 0; q < depth; ++q) {
        for (std::size_t i = 0; i < std::min(side, width - j); ++i)
          to[q * width + i] = j + i < count ? b(first + j + i, k + q) : 0.0F;
      }
    }
  }
}

void multiply(Side a, Op op_b, View<const float> b, View<float> c, float* panel) {
  const std::size_t inner = op_b == Op::plain ? b.rows : b.cols;
  const auto& tiles_of_a = a.along_inner == 1 ? tiles<true> : tiles<false>;
  alignas(64) std::array<float, most_rows * widest> edge;
  for (std::size_t column = 0; column < c.cols; column += widest) {
    const std::size_t columns = std::min(widest, c.cols - column);
    const std::size_t vectors = (columns + lanes - 1) / lanes;
    const std::size_t width = vectors * lanes;
    if (op_b == Op::plain)
      pack_plain(b, column, columns, width, panel);
    else
      pack_transposed(b, column, columns, width, panel);
    for (std::size_t row = 0; row < c.rows; row += most_rows) {
      const std::size_t rows = std::min(most_rows, c.rows - row);
      const Side from{a.data + row * a.along_rows, a.along_rows, a.along_inner};
      const MultiplyTile multiply_tile = tiles_of_a[vectors - 1][rows - 1];
      if (columns == width) {
        multiply_tile(from, panel, inner, c[row] + column, c.stride);
        continue;
      }
      multiply_tile(from, panel, inner, edge.data(), width);
      for (std::size_t r = 0; r < rows; ++r)
        std::copy_n(edge.data() + r * width, columns, c[row + r] + column);
    }
  }
}

}  // namespace

}  // namespace coppice::chains
