#include "coppice/data/order_shelf.h"

#include "coppice/core/error.h"
#include "coppice/data/packed_rows.h"

#include <algorithm>
#include <utility>

namespace coppice {

namespace {

constexpr std::size_t most_staying = 64;
constexpr std::size_t most_left = 1;   ///< for nets that are behind, of orders that were read once
constexpr std::size_t most_ahead = 4;  ///< for nets that wait for their turn

/// Other orders have other names, but for one in 2^64.
std::uint64_t name_of(std::span<const std::uint32_t> order) {
  std::uint64_t name = order.size();
  for (const std::uint32_t row : order) {
    name = (name ^ row) * 0x9e37'79b9'7f4a'7c15U;
    name ^= name >> 32U;
  }
  return name;
}

}  // namespace

std::shared_ptr<OrderedRows> OrderShelf::find(std::uint64_t order) {
  const auto known = std::ranges::find(entries_, order, &Entry::order);
  if (known == entries_.end()) return nullptr;
  std::rotate(known, known + 1, entries_.end());
  entries_.back().read = true;
  return entries_.back().rows;
}

/// Orders that nobody reads give their room back, but for as many.
void OrderShelf::clear(bool read, std::size_t most) {
  const auto idle = [&](const Entry& entry) {
    return !entry.stays && entry.read == read && entry.rows.use_count() == 1;
  };
  auto count = static_cast<std::size_t>(std::ranges::count_if(entries_, idle));
  for (; count > most; --count) {
    entries_.erase(std::ranges::find_if(entries_, idle));
    if (!read) worth_dealing_on_ = false;  // more nets wait than there is room for
  }
}

std::shared_ptr<OrderedRows> OrderShelf::make(const PackedRows& rows, std::span<const std::uint32_t> order,
                                              Entry entry, RowDisk::Way way) {
  clear(true, most_left);
  clear(false, most_ahead);
  try {
    entry.rows = std::make_shared<OrderedRows>(rows, disk_, way, order);
  } catch (const Error&) {
    return nullptr;  // no room for it: slower, but the rows are there
  }
  entries_.push_back(entry);
  return entry.rows;
}

std::shared_ptr<OrderedRows> OrderShelf::order(const PackedRows& rows, std::span<const std::uint32_t> order,
                                               Use use, RowDisk::Way way) {
  Entry entry{.order = name_of(order), .rows = {}, .stays = false, .read = true};
  const std::lock_guard lock(mutex_);
  if (std::shared_ptr<OrderedRows> there = find(entry.order)) return there;
  const auto staying = static_cast<std::size_t>(std::ranges::count_if(entries_, &Entry::stays));
  entry.stays = use == Use::again && order.size() <= rows.rows() / 3 && staying < most_staying;
  return make(rows, order, entry, way);
}

std::shared_ptr<OrderedRows> OrderShelf::ahead(const PackedRows& rows, const OrderedRows& now,
                                               const std::function<std::vector<std::uint32_t>()>& next) {
  {
    const std::lock_guard lock(mutex_);
    if (!worth_dealing_on_) return nullptr;
  }
  const std::vector<std::uint32_t> order = next();
  const Entry entry{.order = name_of(order), .rows = {}, .stays = false, .read = false};
  const bool direct = now.way() == RowDisk::Way::direct || now.on_disk();
  const std::lock_guard lock(mutex_);
  return make(rows, order, entry, direct ? RowDisk::Way::direct : RowDisk::Way::cached);
}

}  // namespace coppice
