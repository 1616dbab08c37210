#include "coppice/analysis/pixel_blocks.h"

#include <algorithm>

namespace coppice {

PixelBlocks::PixelBlocks(ImageShape image, std::size_t side)
    : image_(image), side_(std::max<std::size_t>(side, 1)) {}

PixelBlocks PixelBlocks::at_most(ImageShape image, std::size_t least, std::size_t most) {
  PixelBlocks blocks(image, least);
  while (blocks.count() > most) ++blocks.side_;
  return blocks;
}

std::size_t PixelBlocks::block_of(std::size_t pixel) const {
  return pixel / image_.cols / side_ * cols() + pixel % image_.cols / side_;
}

std::vector<InputGroup> PixelBlocks::groups(std::span<const InputGroup> columns,
                                            std::span<const std::uint32_t> pixels) const {
  std::vector<InputGroup> groups(count());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    InputGroup& group = groups[block_of(pixels[c])];
    group.insert(group.end(), columns[c].begin(), columns[c].end());
  }
  return groups;
}

}  // namespace coppice
