#pragma once

#include "coppice/core/scratch_file.h"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace coppice {

/// How many bytes of rows lie in memory, whatever else there is; the others go into a scratch file.
class RowMemory {
 public:
  /// worth_packing: inputs of fewer bytes lie in the processor's caches anyway.
  explicit RowMemory(double bytes, double worth_packing = 16e6)
      : left_(bytes), worth_packing_(worth_packing) {}

  bool holds(double bytes) const { return bytes <= left_; }
  double worth_packing() const { return worth_packing_; }

  /// Counts so many more and returns nothing; where that would be too many, the file that they go into.
  std::shared_ptr<ScratchFile> take(double bytes) {
    if (holds(bytes)) {
      left_ -= bytes;
      return nullptr;
    }
    if (!file_) file_ = std::make_shared<ScratchFile>();
    in_file_ += bytes;
    return file_;
  }
  double in_file() const { return in_file_; }

 private:
  double left_;
  double worth_packing_;
  double in_file_ = 0;
  std::shared_ptr<ScratchFile> file_;
};

/// Of `memory`: what the program itself takes, and which part of the rest cells of tables take at most. At least one byte: 0 is no limit.
inline double memory_of_cells(double memory) {
  constexpr double program = 50e6;
  constexpr double share = 0.25;
  return std::max(1.0, share * (memory - program));
}

/// Which part of `memory` inputs take at most: what is left is for networks and all else.
constexpr double share_of_inputs = 0.5;

/// Of the bytes of floats: what packed inputs take at most where both would fit.
constexpr double most_packed = 0.75;

}  // namespace coppice
