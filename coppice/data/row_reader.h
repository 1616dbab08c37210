#pragma once

#include "coppice/data/dataset.h"
#include "coppice/data/ordered_rows.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace coppice {

/// Brings the inputs of rows, from the first to the last, in parts. Where they lie on a disk they are put in this order first.
class RowReader {
 public:
  /// The same rows in the same order are likely to be read again.
  RowReader(const Dataset& data, std::span<const std::uint32_t> rows);
  /// They are read once. stop: to put them in order may take as long as reading all rows of the disk; then stopped() is true, and
  /// nothing can be read. next: the order that is likely to come after this one, of the same rows; nothing: none.
  RowReader(const Dataset& data, std::span<const std::uint32_t> rows, const std::function<bool()>& stop,
            const std::function<std::vector<std::uint32_t>()>& next);

  bool stopped() const { return stopped_; }
  std::span<const std::uint32_t> rows() const { return rows_; }
  const Dataset& data() const { return *data_; }
  /// The next ones are from `first` on: now they can be read.
  void load(std::size_t first, std::size_t count);
  /// Those that come after: the disk may begin to read them.
  void expect(std::size_t first, std::size_t count) const;
  /// out[i] = the row at `first` + i. Threads may share this.
  void read(std::size_t first, View<float> out) const;
  void read(std::size_t first, View<double> out) const;

 private:
  void put_in_order(OrderShelf::Use use, const std::function<bool()>& stop);

  const Dataset* data_;
  std::span<const std::uint32_t> rows_;
  bool stopped_ = false;
  std::shared_ptr<OrderedRows> ordered_;
  std::optional<OrderedRows::Reader> reader_;
};

}  // namespace coppice
