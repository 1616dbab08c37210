#pragma once

#include "coppice/core/matrix.h"
#include "coppice/core/scratch_file.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace coppice {

/// Rows of inputs in a scratch file, one after another as a matrix has them. Only those that are asked for come into memory.
class ScratchRows {
 public:
  ScratchRows(std::shared_ptr<ScratchFile> file, std::size_t rows, std::size_t cols);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }

  /// Rows from `first` on; threads may write and read others meanwhile.
  void write(std::size_t first, View<const float> rows);
  /// out[i] = rows[i]. Where the disk must be asked it is told of all rows before one is waited for.
  void read(std::span<const std::uint32_t> rows, View<float> out) const;
  /// These are read next: if rows had to be waited for lately the disk begins to read them, else they are in memory anyway.
  void expect(std::span<const std::uint32_t> rows) const;

 private:
  std::size_t place(std::size_t row) const { return begin_ + row * cols_ * sizeof(float); }

  std::shared_ptr<ScratchFile> file_;
  std::size_t rows_;
  std::size_t cols_;
  std::size_t begin_;                      ///< in the file
  mutable std::atomic<int> expected_ = 0;  ///< so many more times it is worth to ask in advance
};

}  // namespace coppice
