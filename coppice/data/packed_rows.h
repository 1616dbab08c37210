#pragma once

#include "coppice/core/matrix.h"
#include "coppice/core/scratch_file.h"
#include "coppice/data/order_shelf.h"
#include "coppice/data/row_format.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace coppice {

/// Rows of inputs in few bytes, in memory or in a scratch file, of which only those that are asked for come into memory.
class PackedRows {
 public:
  /// file: none: in memory.
  PackedRows(RowFormat format, std::size_t rows, std::shared_ptr<ScratchFile> file);
  /// The named inputs alone, which rise, out of the same bytes.
  PackedRows with_inputs(std::span<const std::uint32_t> inputs) const;
  /// Of a file: the named rows, in memory.
  PackedRows in_memory(std::span<const std::uint32_t> rows) const;

  const RowFormat& format() const { return format_; }
  std::size_t rows() const { return rows_; }
  std::size_t inputs() const { return format_.inputs(); }
  bool in_file() const { return bytes_->file != nullptr; }

  /// The bytes of rows from `first` on; threads may write and read others meanwhile.
  void write(std::size_t first, std::span<const std::byte> rows);
  /// out[i] = rows[i]. Where the disk must be asked it is told of all rows before one is waited for.
  void read(std::span<const std::uint32_t> rows, View<float> out) const;
  /// Of a file: the rows' bytes, one row after another.
  void read_bytes(std::span<const std::uint32_t> rows, std::byte* to) const;
  /// Of a file: rows that follow each other. They come into `pages`, which have room_of_run(count) bytes; returns the first one.
  const std::byte* read_run(std::size_t first, std::size_t count, const Pages& pages, RowDisk::Way way) const;
  std::size_t room_of_run(std::size_t count) const;
  /// Of a file: the rows in this order, if that is worth it and the disk has room for them; else nothing. stop: see RowReader.
  std::shared_ptr<OrderedRows> in_order(std::span<const std::uint32_t> rows, OrderShelf::Use use,
                                        const std::function<bool()>& stop, bool& stopped) const;
  /// Rows of `now` that are read are dealt out into the next order, where that is likely to be wanted before others take its room.
  void deal_on(OrderedRows& now, const std::function<std::vector<std::uint32_t>()>& next) const;
  /// These are read next: if rows had to be waited for lately the disk begins to read them, else they are in memory anyway.
  void expect(std::span<const std::uint32_t> rows) const;

 private:
  struct Bytes {
    std::shared_ptr<ScratchFile> file;
    std::size_t begin = 0;                                     ///< in the file
    std::vector<std::byte, AlignedAllocator<std::byte>> held;  ///< in memory
    std::atomic<int> worth_asking = 0;  ///< so many more times it is worth to ask in advance
    std::optional<OrderShelf> shelf;    ///< of a file
  };

  std::size_t place(std::size_t row) const { return bytes_->begin + row * format_.bytes(); }

  RowFormat format_;
  std::size_t rows_;
  std::shared_ptr<Bytes> bytes_;
};

}  // namespace coppice
