#include "coppice/data/dealing.h"

#include "coppice/device/rows.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace coppice {

namespace {

constexpr std::size_t most_writing = 48;  ///< pieces: rather more than a bucket becomes
constexpr auto nobody = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Dealing::Dealing(RowDisk& disk, RowDisk::Way way, const Buckets& buckets,
                 std::span<const std::uint32_t> order, std::size_t all_rows, std::span<std::uint16_t> places)
    : disk_(&disk),
      way_(way),
      buckets_(buckets),
      places_(places),
      position_(all_rows, nobody),
      dealt_(buckets.count(order.size())),
      memory_((dealt_.size() + most_writing) * piece),
      pieces_(dealt_.size() + most_writing),
      missing_(order.size()) {
  for (std::uint32_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
  for (std::size_t p = 0; p < dealt_.size(); ++p) open_.push_back(p);
  for (std::size_t p = dealt_.size(); p < pieces_.size(); ++p) closed_.push_back(p);
}

Dealing::~Dealing() {
  for (const DiskQueue::Request& request : pieces_) disk_->queue().end(request);
}

Dealing::Dealer::Dealer(Dealing& dealing) : dealing_(&dealing) {
  const std::lock_guard lock(dealing_->mutex_);
  ++dealing_->dealers_;
}

Dealing::Dealer::~Dealer() {
  const std::lock_guard lock(dealing_->mutex_);
  --dealing_->dealers_;
  dealing_->changed_.notify_all();
}

void Dealing::Dealer::deal(std::span<const std::uint32_t> rows, std::span<const std::uint16_t> at,
                           const std::byte* from) {
  try {
    const std::size_t dealt = dealing_->deal(rows, at, from);
    const std::lock_guard lock(dealing_->mutex_);
    dealing_->missing_ -= dealt;
  } catch (...) {
    const std::lock_guard lock(dealing_->mutex_);
    dealing_->error_ = std::current_exception();
    throw;
  }
}

std::size_t Dealing::deal(std::span<const std::uint32_t> rows, std::span<const std::uint16_t> at,
                          const std::byte* from) {
  constexpr std::size_t ahead = 4;
  std::size_t dealt = 0;
  const std::lock_guard lock(dealing_);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + ahead < rows.size()) fetch_ahead(from + at[i + ahead] * buckets_.size, buckets_.size);
    const std::uint32_t position = std::exchange(position_[rows[i]], nobody);
    if (position == nobody) continue;
    const std::size_t bucket = position / buckets_.rows;
    places_[position] = static_cast<std::uint16_t>(dealt_[bucket]);
    add(bucket, from + at[i] * buckets_.size);
    ++dealt;
  }
  return dealt;
}

/// The row that comes next to a bucket; it begins and ends anywhere in its pieces.
void Dealing::add(std::size_t bucket, const std::byte* from) {
  std::size_t at = dealt_[bucket]++ * buckets_.size;
  for (std::size_t left = buckets_.size; left > 0;) {
    const std::size_t held = at % piece;
    const std::size_t some = std::min(left, piece - held);
    std::memcpy(memory_.data() + open_[bucket] * piece + held, from, some);
    from += some;
    left -= some;
    at += some;
    if (held + some == piece) {
      write(bucket, at - piece, piece);
      open_[bucket] = free_piece();
    }
  }
}

/// The open piece, which begins at this place in the bucket.
void Dealing::write(std::size_t bucket, std::size_t at, std::size_t bytes) {
  const std::size_t number = open_[bucket];
  pieces_[number] = {.kind = DiskQueue::Request::Kind::write,
                     .at = buckets_.begin_of(bucket) + at,
                     .bytes = {memory_.data() + number * piece, bytes},
                     .way = way_};
  disk_->queue().start(pieces_[number]);
  closed_.push_back(number);
}

std::size_t Dealing::free_piece() {
  const std::size_t oldest = closed_.front();
  disk_->queue().wait(pieces_[oldest]);
  closed_.pop_front();
  return oldest;
}

Dealing::Run Dealing::next_run(std::size_t most) {
  const std::lock_guard lock(mutex_);
  const Run run{.first = next_row_, .count = std::min(most, position_.size() - next_row_)};
  next_row_ += run.count;
  return run;
}

bool Dealing::all_dealt() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return dealers_ == 0 || (next_row_ > 0 && next_row_ < position_.size()); });
  if (error_) std::rethrow_exception(error_);
  if (missing_ > 0 && next_row_ == position_.size()) next_row_ = 0;
  return missing_ == 0;
}

void Dealing::finish() {
  const std::lock_guard lock(dealing_);
  for (std::size_t b = 0; b < open_.size() && !flushed_; ++b) {
    const std::size_t end = dealt_[b] * buckets_.size;
    if (const std::size_t held = end % piece; held > 0) write(b, end - held, Pages::whole(held));
  }
  flushed_ = true;
  for (const std::size_t number : closed_) disk_->queue().wait(pieces_[number]);
}

}  // namespace coppice
