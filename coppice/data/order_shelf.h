#pragma once

#include "coppice/data/ordered_rows.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace coppice {

class PackedRows;

/// The orders of rows of a scratch file that somebody reads or will read: nets of one seed share them.
class OrderShelf {
 public:
  explicit OrderShelf(std::shared_ptr<ScratchFile> file) : disk_(std::move(file)) {}

  /// Rows that are read once, in one order after another, or again and again in the same one.
  enum class Use : std::uint8_t { once, again };

  /// Rows in this order: those that are there, or new ones. Nothing: the disk has no room.
  std::shared_ptr<OrderedRows> order(const PackedRows& rows, std::span<const std::uint32_t> order, Use use,
                                     RowDisk::Way way);
  /// The order that comes after `now`, for rows to be dealt out into; nothing: none.
  std::shared_ptr<OrderedRows> ahead(const PackedRows& rows, const OrderedRows& now,
                                     const std::function<std::vector<std::uint32_t>()>& next);

 private:
  struct Entry {
    std::uint64_t order = 0;  ///< its name: what name_of() makes of it
    std::shared_ptr<OrderedRows> rows;
    bool stays = false;  ///< it will be asked for again
    bool read = false;   ///< somebody asked for it
  };

  std::shared_ptr<OrderedRows> find(std::uint64_t order);
  std::shared_ptr<OrderedRows> make(const PackedRows& rows, std::span<const std::uint32_t> order, Entry entry,
                                    RowDisk::Way way);
  void clear(bool read, std::size_t most);

  RowDisk disk_;
  std::mutex mutex_;            ///< of what follows
  std::vector<Entry> entries_;  ///< those that were asked for last come last
  bool worth_dealing_on_ = true;
};

}  // namespace coppice
