#pragma once

#include "coppice/analysis/importance.h"
#include "coppice/data/reader.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// An image cut into squares of pixels, row by row; those at the right and lower edge may be narrower.
class PixelBlocks {
 public:
  PixelBlocks(ImageShape image, std::size_t side);
  /// Squares of at least `least` pixels a side, but larger where there would be more than `most` of them.
  static PixelBlocks at_most(ImageShape image, std::size_t least, std::size_t most);

  std::size_t side() const { return side_; }
  std::size_t rows() const { return (image_.rows + side_ - 1) / side_; }
  std::size_t cols() const { return (image_.cols + side_ - 1) / side_; }
  std::size_t count() const { return rows() * cols(); }
  std::size_t block_of(std::size_t pixel) const;

  /// The network inputs of each block: columns[c] are those of the column that is pixel pixels[c].
  std::vector<InputGroup> groups(std::span<const InputGroup> columns,
                                 std::span<const std::uint32_t> pixels) const;

 private:
  ImageShape image_;
  std::size_t side_;
};

}  // namespace coppice
