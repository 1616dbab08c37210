#pragma once

#include "coppice/core/scratch_file.h"
#include "coppice/data/cell_store.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace coppice {

/// Where the cells of a table lie: in memory up to so many bytes, the others in a scratch file that is mapped, so that whoever
/// looks at a cell need not know.
class CellMemory {
 public:
  explicit CellMemory(double bytes) : bytes_(bytes) {}
  ~CellMemory();
  CellMemory(const CellMemory&) = delete;
  CellMemory& operator=(const CellMemory&) = delete;

  /// A chunk of a CellStore in the file; none: it is to lie in memory, and is counted.
  std::uint32_t* chunk();
  /// The disk begins to read these, if they lie in a file.
  static void expect(std::span<const std::uint32_t> cells);
  /// Cells that were looked at leave the memory; who looks again gets them again. While a pass over many goes on, they would
  /// gather there.
  void release();

 private:
  static constexpr std::size_t chunk_bytes = CellStore::chunk_size * sizeof(std::uint32_t);
  static constexpr std::size_t part_bytes = std::size_t{1} << 22U;  ///< after so many that came, cells leave

  void add_segment();

  double bytes_;
  std::mutex mutex_;
  double taken_ = 0;
  std::optional<ScratchFile> file_;
  std::vector<std::span<std::byte>> segments_;
  std::size_t size_ = 0;  ///< of all of them
  std::size_t used_ = 0;  ///< of the last one
};

}  // namespace coppice
