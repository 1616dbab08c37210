#include "coppice/data/ordered_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace coppice {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t piece = 8 * page;               ///< that a bucket is written in
constexpr std::size_t block = std::size_t{1} << 19U;  ///< that the first file is read in
constexpr std::size_t blocks_ahead = 3;

/// Of a bucket. The pieces of all buckets are in memory while they are written, a bucket or two while they are read: so both take
/// about the same.
std::size_t rows_of_bucket(std::size_t rows, std::size_t size) {
  const double bytes = std::sqrt(static_cast<double>(rows * size) * static_cast<double>(piece));
  return std::max<std::size_t>(
      1, static_cast<std::size_t>(std::max(bytes, static_cast<double>(block)) / static_cast<double>(size)));
}

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page - 1) / page * page;
}

/// What comes to a bucket, until it is a piece.
class Pieces {
 public:
  Pieces(const ScratchFile& file, std::vector<std::size_t> begins)
      : file_(&file), ends_(std::move(begins)), held_(ends_.size()), bytes_(ends_.size() * piece) {}

  void add(std::size_t bucket, const std::byte* from, std::size_t count) {
    while (count > 0) {
      const std::size_t some = std::min(count, piece - held_[bucket]);
      std::memcpy(bytes_.data() + bucket * piece + held_[bucket], from, some);
      held_[bucket] += some;
      from += some;
      count -= some;
      if (held_[bucket] == piece) flush(bucket);
    }
  }
  void flush(std::size_t bucket) {
    file_->write_soon(ends_[bucket], std::span(bytes_).subspan(bucket * piece, held_[bucket]));
    ends_[bucket] += held_[bucket];
    held_[bucket] = 0;
  }

 private:
  const ScratchFile* file_;
  std::vector<std::size_t> ends_;  ///< of what is written
  std::vector<std::size_t> held_;
  std::vector<std::byte> bytes_;
};

}  // namespace

OrderedRows::OrderedRows(const PackedRows& rows, std::span<const std::uint32_t> order)
    : file_(rows.file()),
      size_(rows.format().bytes()),
      order_(order.begin(), order.end()),
      bucket_rows_(rows_of_bucket(order.size(), size_)),
      bucket_bytes_(whole_pages(bucket_rows_ * size_)),
      begin_(file_->extend(buckets() * bucket_bytes_)) {}

OrderedRows::~OrderedRows() {
  file_->give_back(begin_, buckets() * bucket_bytes_);
}

std::span<const std::uint32_t> OrderedRows::order_of(std::size_t bucket) const {
  const std::size_t first = bucket * bucket_rows_;
  return std::span(order_).subspan(first, std::min(bucket_rows_, order_.size() - first));
}

bool OrderedRows::write(const PackedRows& rows, const std::function<bool()>& stop) {
  constexpr auto nowhere = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> bucket_of(rows.rows(), nowhere);
  std::vector<std::size_t> begins;
  for (std::size_t b = 0; b < buckets(); ++b) {
    begins.push_back(begin_of(b));
    for (const std::uint32_t row : order_of(b)) bucket_of[row] = static_cast<std::uint32_t>(b);
  }
  Pieces pieces(*file_, std::move(begins));
  const std::size_t together = std::max<std::size_t>(1, block / size_);
  std::vector<std::byte> bytes(together * size_);
  rows.expect_run(0, blocks_ahead * together);
  for (std::size_t first = 0; first < rows.rows(); first += together) {
    if (stop && stop()) return false;
    const std::size_t count = std::min(together, rows.rows() - first);
    rows.expect_run(first + blocks_ahead * together, together);
    rows.read_run(first, {bytes.data(), count * size_});
    for (std::size_t i = 0; i < count; ++i) {
      if (bucket_of[first + i] != nowhere) pieces.add(bucket_of[first + i], bytes.data() + i * size_, size_);
    }
  }
  for (std::size_t b = 0; b < buckets(); ++b) pieces.flush(b);
  return true;
}

void OrderedRows::Reader::load(std::size_t first, std::size_t count) {
  const std::size_t begin = first / rows_->bucket_rows_;
  const std::size_t end = (first + count + rows_->bucket_rows_ - 1) / rows_->bucket_rows_;
  if (held_.size() < end - begin) held_.assign(std::max<std::size_t>(2, end - begin), {});
  const ScratchFile& file = *rows_->file_;
  for (std::size_t b = begin; b < end; ++b) {
    Bucket& bucket = slot(b);
    if (bucket.number == b) continue;
    const std::span<const std::uint32_t> order = rows_->order_of(b);
    bucket.number = b;
    bucket.bytes.resize(order.size() * rows_->size_);
    file.read(rows_->begin_of(b), bucket.bytes);
    file.forget(rows_->begin_of(b), rows_->bucket_bytes_);
    if (b + 1 < rows_->buckets()) file.expect(rows_->begin_of(b + 1), rows_->bucket_bytes_);
    std::vector<std::uint32_t> rising(order.size());
    std::iota(rising.begin(), rising.end(), 0U);
    std::ranges::sort(rising, {}, [&](std::uint32_t i) { return order[i]; });
    bucket.places.resize(order.size());
    for (std::uint32_t i = 0; i < rising.size(); ++i) bucket.places[rising[i]] = i;
  }
}

void OrderedRows::Reader::read(std::size_t first, View<float> out) const {
  for (std::size_t i = 0; i < out.rows; ++i) {
    const std::size_t at = first + i;
    const Bucket& bucket = slot(at / rows_->bucket_rows_);
    format_->unpack(bucket.bytes.data() + bucket.places[at % rows_->bucket_rows_] * rows_->size_, out[i]);
  }
}

}  // namespace coppice
