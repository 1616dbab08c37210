#include "coppice/data/packed_rows.h"

#include "coppice/core/error.h"
#include "coppice/data/ordered_rows.h"
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
  if (in_file())
    bytes_->begin = bytes_->file->extend(rows * format_.bytes());
  else
    bytes_->held.resize(rows * format_.bytes());
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

void PackedRows::read_run(std::size_t first, std::span<std::byte> rows) const {
  file()->read(place(first), rows);
}

void PackedRows::expect_run(std::size_t first, std::size_t count) const {
  first = std::min(first, rows_);
  count = std::min(count, rows_ - first);
  if (count > 0) file()->expect(place(first), count * format_.bytes());
}

bool PackedRows::on_disk(std::span<const std::uint32_t> rows) const {
  constexpr std::size_t tries = 256;
  constexpr std::size_t many = tries / 16;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < tries; ++i)
    missing += file()->in_memory(place(rows[i * rows.size() / tries])) ? 0 : 1;
  return missing >= many;
}

std::shared_ptr<const OrderedRows> PackedRows::in_order(std::span<const std::uint32_t> rows,
                                                        const std::function<bool()>& stop,
                                                        bool& stopped) const {
  constexpr std::size_t few = 4096;
  constexpr std::size_t most_kept = 64;
  if (rows.size() < few) return nullptr;
  const auto make = [&]() -> std::shared_ptr<const OrderedRows> {
    if (!on_disk(rows)) return nullptr;
    try {
      auto ordered = std::make_shared<OrderedRows>(*this, rows);
      stopped = !ordered->write(*this, stop);
      return ordered;
    } catch (const Error&) {
      return nullptr;  // no room for it: slower, but the rows are there
    }
  };
  if (rows.size() > rows_ / 3) return make();
  const std::lock_guard lock(bytes_->mutex);
  const auto known = std::ranges::find_if(
      bytes_->kept, [&](const auto& kept) { return std::ranges::equal(kept->order(), rows); });
  if (known != bytes_->kept.end()) return *known;
  auto ordered = make();
  if (ordered && !stopped && bytes_->kept.size() < most_kept) bytes_->kept.push_back(ordered);
  return ordered;
}

void PackedRows::expect(std::span<const std::uint32_t> rows) const {
  if (bytes_->worth_asking <= 0) return;
  --bytes_->worth_asking;
  for (const std::uint32_t row : rows) bytes_->file->expect(place(row), format_.bytes());
}

}  // namespace coppice
