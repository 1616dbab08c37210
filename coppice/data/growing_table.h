#pragma once

#include "coppice/data/column_builder.h"
#include "coppice/data/put_cells.h"
#include "coppice/data/table.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coppice {

/// A table whose rows come in batches, each of which may be gone when the next one comes. It becomes what the same
/// columns, whole, would have become.
class GrowingTable {
 public:
  /// Cells beyond so many bytes lie in a scratch file; 0: all of them lie in memory.
  explicit GrowingTable(double memory);
  ~GrowingTable();
  GrowingTable(const GrowingTable&) = delete;
  GrowingTable& operator=(const GrowingTable&) = delete;

  // Cells for the end of the column of that name, which its first cells make: as those of Table, and always of one kind.
  void add(const std::string& name, std::span<const float> values, const MissingCells& missing);
  void add(const std::string& name, std::span<const double> values, const MissingCells& missing);
  void add(const std::string& name, std::span<const std::int64_t> values, const MissingCells& missing);
  void add(const std::string& name, std::span<const std::string_view> texts);
  /// Batches may have other categories: all of them together are the column's, in the order in which they first came.
  void add(const std::string& name, std::span<const std::int32_t> codes,
           const std::vector<std::string>& categories);

  /// Fails unless all columns have as many rows. Nothing can be added afterwards.
  Table finish();

 private:
  enum class Kind : std::uint8_t { floats, doubles, integers, texts, codes };
  enum class State : std::uint8_t { open, broken, finished };
  struct Growing;

  template <class Put>
  void grow(const std::string& name, Kind kind, const Put& put);
  Growing& column(const std::string& name, Kind kind);
  void require_open() const;
  static std::string_view name_of(Kind kind);

  std::string name_ = TableInfo().name;
  std::shared_ptr<CellMemory> memory_;
  std::vector<std::unique_ptr<Growing>> columns_;
  std::unordered_map<std::string, std::size_t> index_;
  State state_ = State::open;
};

}  // namespace coppice
