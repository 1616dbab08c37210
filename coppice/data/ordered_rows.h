#pragma once

#include "coppice/data/packed_rows.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace coppice {

/// Some rows of a scratch file once more in it, nearly in the order in which they are needed: a disk reads pages, not rows, so it is faster
/// to read and write all of them one after another than to look for each. The rows lie in buckets, one after another in the order;
/// in a bucket they lie as in the first file, since they were dealt out in one pass over it.
class OrderedRows {
 public:
  /// Claims the room. `rows` must have a file, and no row stands twice in `order`.
  OrderedRows(const PackedRows& rows, std::span<const std::uint32_t> order);
  ~OrderedRows();
  OrderedRows(const OrderedRows&) = delete;
  OrderedRows& operator=(const OrderedRows&) = delete;

  /// Deals out the rows; false if it was stopped before all are there.
  bool write(const PackedRows& rows, const std::function<bool()>& stop);

  const std::vector<std::uint32_t>& order() const { return order_; }

  /// Reads the rows, from the first of the order to the last.
  class Reader {
   public:
    /// format: of the rows' bytes, with the inputs that are wanted.
    Reader(const OrderedRows& rows, const RowFormat& format) : rows_(&rows), format_(&format) {}

    /// These come next: now they are in memory.
    void load(std::size_t first, std::size_t count);
    /// out[i] = the row at `first` + i of the order, of those that were loaded last.
    void read(std::size_t first, View<float> out) const;

   private:
    struct Bucket {
      std::size_t number = static_cast<std::size_t>(-1);
      std::vector<std::uint32_t> places;  ///< in it, of the rows in their order
      std::vector<std::byte> bytes;
    };

    Bucket& slot(std::size_t bucket) { return held_[bucket % held_.size()]; }
    const Bucket& slot(std::size_t bucket) const { return held_[bucket % held_.size()]; }

    const OrderedRows* rows_;
    const RowFormat* format_;
    std::vector<Bucket> held_;
  };

 private:
  std::size_t buckets() const { return (order_.size() + bucket_rows_ - 1) / bucket_rows_; }
  /// Of the file.
  std::size_t begin_of(std::size_t bucket) const { return begin_ + bucket * bucket_bytes_; }
  std::span<const std::uint32_t> order_of(std::size_t bucket) const;

  std::shared_ptr<ScratchFile> file_;
  std::size_t size_;  ///< of a row, in bytes
  std::vector<std::uint32_t> order_;
  std::size_t bucket_rows_;
  std::size_t bucket_bytes_;  ///< whole pages
  std::size_t begin_;
};

}  // namespace coppice
