#pragma once

#include "coppice/data/cell_block.h"
#include "coppice/data/records.h"
#include "coppice/device/threads.h"

#include <cstddef>
#include <exception>
#include <span>
#include <vector>

namespace coppice {

/// The blocks of a file, some at a time: all threads cut them into cells while the calling one reads those that follow.
class BlockRounds {
 public:
  BlockRounds(RecordReader& rows, const BlockSize& size) : rows_(rows), size_(size) {}

  /// The next blocks, at most so many; none at the end. Fails on the first mistake in the order of the file.
  std::span<const CellBlock> next(ThreadPool& pool, std::size_t most);

 private:
  void read_on(std::size_t most);

  RecordReader& rows_;
  BlockSize size_;
  bool begun_ = false;
  std::vector<CellBlock> now_;
  std::vector<TextBlock> soon_;
  std::size_t read_ = 0;       ///< of these
  std::exception_ptr failed_;  ///< what reading met after them
};

}  // namespace coppice
