#include "coppice/data/packed_rows.h"

#include "coppice/device/rows.h"

#include <algorithm>
#include <utility>

namespace coppice {

namespace {

/// Batches: rows that came in time because they were asked for do not tell whether that was needed.
constexpr int batches_to_ask = 1000;

}  // namespace

PackedRows::PackedRows(RowFormat format, std::size_t rows, std::shared_ptr<ScratchFile> file)
    : format_(std::move(format)), rows_(rows), bytes_(std::make_shared<Bytes>()) {
  bytes_->file = std::move(file);
  if (in_file()) {
    bytes_->begin = bytes_->file->extend(rows * format_.bytes());
    bytes_->shelf.emplace(bytes_->file);
  } else {
    bytes_->held.resize(rows * format_.bytes());
  }
}

PackedRows PackedRows::with_inputs(std::span<const std::uint32_t> inputs) const {
  PackedRows kept = *this;
  kept.format_ = format_.with_inputs(inputs);
  return kept;
}

PackedRows PackedRows::in_memory(std::span<const std::uint32_t> rows) const {
  PackedRows held(format_, rows.size(), nullptr);
  read_bytes(rows, held.bytes_->held.data());
  return held;
}

void PackedRows::write(std::size_t first, std::span<const std::byte> rows) {
  if (in_file())
    bytes_->file->write(place(first), rows);
  else
    std::ranges::copy(rows, bytes_->held.begin() + static_cast<std::ptrdiff_t>(place(first)));
}

void PackedRows::read(std::span<const std::uint32_t> rows, View<float> out) const {
  if (!in_file()) {
    constexpr std::size_t ahead = 2;
    const auto at = [&](std::size_t i) { return bytes_->held.data() + place(rows[i]); };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i + ahead < rows.size()) fetch_ahead(at(i + ahead), format_.bytes());
      format_.unpack(at(i), out[i]);
    }
    return;
  }
  const std::size_t size = format_.bytes();
  std::vector<std::byte> bytes(rows.size() * size);
  read_bytes(rows, bytes.data());
  for (std::size_t i = 0; i < rows.size(); ++i) format_.unpack(bytes.data() + i * size, out[i]);
}

void PackedRows::read_bytes(std::span<const std::uint32_t> rows, std::byte* to) const {
  const std::size_t size = format_.bytes();
  const ScratchFile& file = *bytes_->file;
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!file.read_soon(place(rows[i]), {to + i * size, size})) waiting.push_back(i);
  }
  if (!waiting.empty()) bytes_->worth_asking = batches_to_ask;
  for (const std::size_t i : waiting) file.read(place(rows[i]), {to + i * size, size});
}

std::size_t PackedRows::room_of_run(std::size_t count) const {
  return Pages::whole(count * format_.bytes()) + Pages::page;
}

const std::byte* PackedRows::read_run(std::size_t first, std::size_t count, const Pages& pages,
                                      RowDisk::Way way) const {
  const std::size_t begin = place(first) / Pages::page * Pages::page;
  const std::size_t end = Pages::whole(place(first + count));
  bytes_->file->read(begin, pages.first(end - begin), way);
  return pages.data() + (place(first) - begin);
}

std::shared_ptr<OrderedRows> PackedRows::in_order(std::span<const std::uint32_t> rows, OrderShelf::Use use,
                                                  const std::function<bool()>& stop, bool& stopped) const {
  const std::size_t few = use == OrderShelf::Use::once ? 4096 : 512;
  if (rows.size() < few) return nullptr;
  const bool on_disk = bytes_->file->on_disk(bytes_->begin, rows_ * format_.bytes());
  if (!on_disk && format_.bytes() >= Pages::page) return nullptr;
  const RowDisk::Way way = on_disk ? RowDisk::Way::direct : RowDisk::Way::cached;
  std::shared_ptr<OrderedRows> ordered = bytes_->shelf->order(*this, rows, use, way);
  stopped = ordered && !ordered->complete(*this, rows, stop);
  return ordered;
}

void PackedRows::deal_on(OrderedRows& now, const std::function<std::vector<std::uint32_t>()>& next) const {
  now.deal_on([&] { return bytes_->shelf->ahead(*this, now, next); });
}

void PackedRows::expect(std::span<const std::uint32_t> rows) const {
  if (bytes_->worth_asking <= 0) return;
  --bytes_->worth_asking;
  for (const std::uint32_t row : rows) bytes_->file->expect(place(row), format_.bytes());
}

}  // namespace coppice
