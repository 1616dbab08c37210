#pragma once

#include "coppice/data/dealing.h"
#include "coppice/data/row_format.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace coppice {

class PackedRows;

/// Some rows of a scratch file once more in it, nearly in the order in which they are needed: a disk reads pages, not rows, so it is faster
/// to read and write all of them one after another than to look for each. The rows lie in buckets, one after another in the order;
/// in a bucket they lie as they were dealt out. Who reads the buckets of one order may deal their rows out into the next:
/// then the first file need not be read for it. Readers may share an order and what they have in memory of it.
class OrderedRows {
 public:
  /// Claims the room. `rows` must have a file and outlive this, and no row stands twice in `order`.
  OrderedRows(const PackedRows& rows, RowDisk& disk, RowDisk::Way way, std::span<const std::uint32_t> order);
  ~OrderedRows();
  OrderedRows(const OrderedRows&) = delete;
  OrderedRows& operator=(const OrderedRows&) = delete;

  std::size_t rows() const { return places_.size(); }
  RowDisk::Way way() const { return way_; }
  /// Whether the system's memory lacks many of them.
  bool on_disk() const;

  /// Deals out what is still missing of the order, out of the first file; false if it was stopped before all are there.
  bool complete(const PackedRows& rows, std::span<const std::uint32_t> order,
                const std::function<bool()>& stop);
  /// From now on rows that are read are dealt out into the next order: the one that `make` returns, unless there is one already.
  void deal_on(const std::function<std::shared_ptr<OrderedRows>()>& make);

  /// Reads the rows, from the first of the order to the last.
  class Reader;

 private:
  struct Bucket {
    explicit Bucket(RowDisk& its_disk, std::size_t bytes) : disk(&its_disk), pages(its_disk.take(bytes)) {}
    ~Bucket() {
      disk->queue().end(request);
      disk->give(std::move(pages));
    }
    Bucket(const Bucket&) = delete;
    Bucket& operator=(const Bucket&) = delete;

    RowDisk* disk;
    Pages pages;
    DiskQueue::Request request;
  };

  std::size_t buckets() const { return buckets_.count(rows()); }
  std::size_t rows_in(std::size_t bucket) const;
  /// The bucket in memory, some time: as others have it, or read now.
  std::shared_ptr<Bucket> bucket(std::size_t number);
  void pass_on(std::size_t number, const Bucket& bucket, std::span<const std::uint32_t> order);
  std::shared_ptr<Dealing> dealing();
  void look_for(const PackedRows& rows, std::span<const std::uint32_t> order, Dealing& dealing) const;
  bool pass_over(const PackedRows& rows, Dealing& dealing, const std::function<bool()>& stop) const;

  RowDisk* disk_;
  RowDisk::Way way_;
  Buckets buckets_;
  std::vector<std::uint16_t> places_;  ///< in their buckets, of the rows in their order

  std::mutex mutex_;                           ///< of what follows
  std::vector<std::weak_ptr<Bucket>> loaded_;  ///< by somebody
  std::shared_ptr<Dealing> dealing_;           ///< none: all rows are there
  std::weak_ptr<OrderedRows> next_;
  std::vector<bool> passed_on_;  ///< buckets, to the next
};

class OrderedRows::Reader {
 public:
  /// order: of all rows. format: of the rows' bytes, with the inputs that are wanted.
  Reader(OrderedRows& rows, std::span<const std::uint32_t> order, const RowFormat& format)
      : rows_(&rows), order_(order), format_(&format) {}

  /// These come next: now they are in memory, and those after them soon.
  void load(std::size_t first, std::size_t count);
  /// out[i] = the row at `first` + i of the order, of those that were loaded last.
  void read(std::size_t first, View<float> out) const;

 private:
  OrderedRows* rows_;
  std::span<const std::uint32_t> order_;
  const RowFormat* format_;
  std::size_t first_held_ = 0;
  std::vector<std::shared_ptr<Bucket>> held_;
};

}  // namespace coppice
