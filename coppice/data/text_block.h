#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace coppice {

/// Whole records of a text file, which any thread can cut into cells. They end with a line end.
struct TextBlock {
  std::vector<char> bytes;  ///< a buffer, which is used again
  std::size_t begin = 0;    ///< of the records in it
  std::size_t end = 0;
  std::size_t line = 0;   ///< number (from 1) of the first line
  std::size_t lines = 0;  ///< at most so many records
  bool has_quotes = false;

  std::string_view text() const { return {bytes.data() + begin, end - begin}; }
};

/// How much text a block is to hold: whichever is reached first.
struct BlockSize {
  std::size_t bytes = std::size_t{1} << 17U;
  std::size_t lines = static_cast<std::size_t>(-1);
};

}  // namespace coppice
