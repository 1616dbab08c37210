#pragma once

#include "coppice/data/row_disk.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

namespace coppice {

/// Where rows of a new order lie in a scratch file: in buckets, one after another in the order.
struct Buckets {
  std::size_t size = 0;   ///< of a row, in bytes
  std::size_t rows = 0;   ///< of a bucket
  std::size_t begin = 0;  ///< in the file

  /// So that a row's place in its bucket is a number of two bytes.
  static constexpr std::size_t most_rows = 65'536;

  std::size_t bytes() const { return Pages::whole(rows * size); }  ///< of a bucket
  std::size_t begin_of(std::size_t bucket) const { return begin + bucket * bytes(); }
  std::size_t count(std::size_t all) const { return (all + rows - 1) / rows; }
};

/// Rows on their way to the buckets of a new order, from wherever somebody has them in memory. Threads may deal at a time;
/// each row is taken once.
class Dealing {
 public:
  static constexpr std::size_t piece = 16 * Pages::page;  ///< that a bucket is written in

  /// order: of rows below all_rows. places: where the rows of the order come to lie in their buckets; both outlive this.
  Dealing(RowDisk& disk, RowDisk::Way way, const Buckets& buckets, std::span<const std::uint32_t> order,
          std::size_t all_rows, std::span<std::uint16_t> places);
  /// Waits for what is being written.
  ~Dealing();
  Dealing(const Dealing&) = delete;
  Dealing& operator=(const Dealing&) = delete;

  /// While one lives, somebody is about to deal.
  class Dealer {
   public:
    explicit Dealer(Dealing& dealing);
    ~Dealer();
    Dealer(const Dealer&) = delete;
    Dealer& operator=(const Dealer&) = delete;

    /// rows[i] lies at from + at[i] * size; those that nobody waits for, or that were dealt already, are left out.
    void deal(std::span<const std::uint32_t> rows, std::span<const std::uint16_t> at, const std::byte* from);

   private:
    Dealing* dealing_;
  };

  /// Rows of the first file, for everyone who asks some others; count 0: these were all.
  struct Run {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  Run next_run(std::size_t most);
  /// Waits until nobody deals, or until it can be helped with runs. False: rows are missing.
  bool all_dealt();
  /// Of all that was dealt: waits until it is written.
  void finish();

 private:
  std::size_t deal(std::span<const std::uint32_t> rows, std::span<const std::uint16_t> at,
                   const std::byte* from);
  void add(std::size_t bucket, const std::byte* from);
  void write(std::size_t bucket, std::size_t at, std::size_t bytes);
  std::size_t free_piece();

  RowDisk* disk_;
  RowDisk::Way way_;
  Buckets buckets_;
  std::span<std::uint16_t> places_;

  std::mutex dealing_;                   ///< of what follows, up to the next one
  std::vector<std::uint32_t> position_;  ///< in the order, of rows that are still waited for
  std::vector<std::uint32_t> dealt_;     ///< rows in each bucket
  Pages memory_;                         ///< of pieces
  std::vector<DiskQueue::Request> pieces_;
  std::vector<std::size_t> open_;   ///< a piece of each bucket
  std::deque<std::size_t> closed_;  ///< pieces that are being written, or may be used again
  bool flushed_ = false;

  std::mutex mutex_;  ///< of what follows
  std::condition_variable changed_;
  std::size_t missing_;  ///< rows
  std::size_t dealers_ = 0;
  std::size_t next_row_ = 0;  ///< of the first file
  std::exception_ptr error_;
};

}  // namespace coppice
