#include "coppice/data/ordered_rows.h"

#include "coppice/data/packed_rows.h"
#include "coppice/device/rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace coppice {

namespace {

constexpr std::size_t block = std::size_t{1} << 20U;  ///< that the first file is read in
constexpr std::size_t buckets_ahead = 1;              ///< that are read while one is used
constexpr std::size_t buckets_held = 4;               ///< by readers, more or less

/// Of a bucket. A piece of each is in memory while rows are dealt out, some are held while they are read: both take as much.
std::size_t rows_of_bucket(std::size_t rows, std::size_t size) {
  const double bytes = std::sqrt(static_cast<double>(rows * size) * Dealing::piece / buckets_held);
  const std::size_t least = bytes < Pages::huge ? Dealing::piece : Pages::huge;
  const std::size_t whole = static_cast<std::size_t>(bytes) / least * least;
  return std::clamp<std::size_t>(std::max(whole, Dealing::piece) / size, 1, Buckets::most_rows);
}

std::size_t rows_of_block(std::size_t size) {
  return std::clamp<std::size_t>(block / size, 1, Buckets::most_rows);
}

std::vector<std::uint16_t> rising(std::size_t count) {
  std::vector<std::uint16_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::uint16_t{0});
  return numbers;
}

}  // namespace

OrderedRows::OrderedRows(const PackedRows& rows, RowDisk& disk, RowDisk::Way way,
                         std::span<const std::uint32_t> order)
    : disk_(&disk),
      way_(way),
      buckets_{.size = rows.format().bytes(), .rows = rows_of_bucket(rows.rows(), rows.format().bytes())},
      places_(order.size()),
      loaded_(buckets()),
      passed_on_(buckets()) {
  buckets_.begin = disk.file().extend(buckets() * buckets_.bytes());
  dealing_ = std::make_shared<Dealing>(disk, way, buckets_, order, rows.rows(), places_);
}

OrderedRows::~OrderedRows() {
  dealing_ = nullptr;  // it may be writing
  disk_->file().give_back(buckets_.begin, buckets() * buckets_.bytes());
}

bool OrderedRows::on_disk() const {
  return disk_->file().on_disk(buckets_.begin, buckets() * buckets_.bytes());
}

std::size_t OrderedRows::rows_in(std::size_t bucket) const {
  return std::min(buckets_.rows, rows() - bucket * buckets_.rows);
}

std::shared_ptr<Dealing> OrderedRows::dealing() {
  const std::lock_guard lock(mutex_);
  return dealing_;
}

bool OrderedRows::complete(const PackedRows& rows, std::span<const std::uint32_t> order,
                           const std::function<bool()>& stop) {
  const std::shared_ptr<Dealing> dealing = this->dealing();
  if (!dealing) return true;
  // A row that is looked for costs as much as so many that are read in passing.
  constexpr std::size_t page_worth = 8 * Pages::page;
  while (!dealing->all_dealt()) {
    if (order.size() * page_worth < rows.rows() * buckets_.size)
      look_for(rows, order, *dealing);
    else if (!pass_over(rows, *dealing, stop))
      return false;
  }
  dealing->finish();
  const std::lock_guard lock(mutex_);
  dealing_ = nullptr;
  return true;
}

void OrderedRows::look_for(const PackedRows& rows, std::span<const std::uint32_t> order,
                           Dealing& dealing) const {
  const std::size_t together = rows_of_block(buckets_.size);
  const std::vector<std::uint16_t> one_after_another = rising(together);
  std::vector<std::byte> bytes(std::min(together, order.size()) * buckets_.size);
  Dealing::Dealer dealer(dealing);
  for (std::size_t first = 0; first < order.size(); first += together) {
    const std::span<const std::uint32_t> some =
        order.subspan(first, std::min(together, order.size() - first));
    rows.read_bytes(some, bytes.data());
    dealer.deal(some, std::span(one_after_another).first(some.size()), bytes.data());
  }
}

bool OrderedRows::pass_over(const PackedRows& rows, Dealing& dealing,
                            const std::function<bool()>& stop) const {
  const std::size_t together = rows_of_block(buckets_.size);
  const std::vector<std::uint16_t> one_after_another = rising(together);
  const Pages pages(rows.room_of_run(together));
  std::vector<std::uint32_t> numbers(together);
  Dealing::Dealer dealer(dealing);
  for (;;) {
    if (stop && stop()) return false;
    const Dealing::Run run = dealing.next_run(together);
    if (run.count == 0) return true;
    std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(run.first));
    const std::byte* from = rows.read_run(run.first, run.count, pages, way_);
    dealer.deal(std::span(numbers).first(run.count), std::span(one_after_another).first(run.count), from);
  }
}

void OrderedRows::deal_on(const std::function<std::shared_ptr<OrderedRows>()>& make) {
  const std::lock_guard lock(mutex_);
  if (!next_.lock()) next_ = make();
}

std::shared_ptr<OrderedRows::Bucket> OrderedRows::bucket(std::size_t number) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Bucket> bucket = loaded_[number].lock();
  if (bucket) return bucket;
  bucket = std::make_shared<Bucket>(*disk_, buckets_.bytes());
  bucket->request = {.at = buckets_.begin_of(number),
                     .bytes = bucket->pages.first(Pages::whole(rows_in(number) * buckets_.size)),
                     .way = way_};
  disk_->queue().start(bucket->request);
  loaded_[number] = bucket;
  return bucket;
}

/// Whoever has it first deals it out.
void OrderedRows::pass_on(std::size_t number, const Bucket& bucket, std::span<const std::uint32_t> order) {
  std::shared_ptr<Dealing> dealing;
  std::optional<Dealing::Dealer> dealer;
  {
    const std::lock_guard lock(mutex_);
    const std::shared_ptr<OrderedRows> next = next_.lock();
    if (!next || passed_on_[number]) return;
    passed_on_[number] = true;
    dealing = next->dealing();
    if (!dealing) return;
    dealer.emplace(*dealing);
  }
  const std::size_t first = number * buckets_.rows;
  dealer->deal(order.subspan(first, rows_in(number)), std::span(places_).subspan(first, rows_in(number)),
               bucket.pages.data());
}

void OrderedRows::Reader::load(std::size_t first, std::size_t count) {
  const std::size_t begin = first / rows_->buckets_.rows;
  const std::size_t end = (first + count + rows_->buckets_.rows - 1) / rows_->buckets_.rows;
  const std::size_t ahead = rows_->way_ == RowDisk::Way::direct ? buckets_ahead : 0;
  std::vector<std::shared_ptr<Bucket>> held;
  for (std::size_t b = begin; b < std::min(end + ahead, rows_->buckets()); ++b) {
    const bool known = b >= first_held_ && b - first_held_ < held_.size();
    held.push_back(known ? held_[b - first_held_] : rows_->bucket(b));
  }
  held_ = std::move(held);
  first_held_ = begin;
  for (std::size_t b = begin; b < end; ++b) {
    const Bucket& bucket = *held_[b - begin];
    rows_->disk_->queue().wait(bucket.request);
    rows_->pass_on(b, bucket, order_);
  }
}

void OrderedRows::Reader::read(std::size_t first, View<float> out) const {
  constexpr std::size_t ahead = 2;
  const Buckets& buckets = rows_->buckets_;
  const auto at = [&](std::size_t i) {
    const std::size_t place = first + i;
    return held_[place / buckets.rows - first_held_]->pages.data() + rows_->places_[place] * buckets.size;
  };
  for (std::size_t i = 0; i < out.rows; ++i) {
    if (i + ahead < out.rows) fetch_ahead(at(i + ahead), buckets.size);
    format_->unpack(at(i), out[i]);
  }
}

}  // namespace coppice
