#pragma once

#include "coppice/data/distinct_numbers.h"
#include "coppice/data/input_encoder.h"
#include "coppice/data/row_format.h"
#include "coppice/device/threads.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace coppice {

/// Finds the shortest bytes that a table's columns have room in, and packs rows so: whole numbers from 0 to 255 are bytes, other few
/// different numbers and texts are codes, all else are floats.
class InputPacker {
 public:
  /// Codes of two bytes spare memory, but what they look up is too much for the processor's first cache.
  enum class Codes : std::uint8_t { bytes, all };

  InputPacker(ThreadPool& pool, const InputEncoder& encoder, const Table& table, Codes codes);

  const RowFormat& format() const { return format_; }
  /// Rows from `first` on, up to InputEncoder::most_rows.
  void pack(std::size_t first, std::size_t count, std::byte* to) const;

 private:
  /// How a column becomes a field.
  struct Field {
    enum class Kind : std::uint8_t { floats, byte, whole, code, listed, category, zeros } kind = Kind::floats;
    float least = 0;                                      ///< whole: its code is 0
    std::shared_ptr<const DistinctNumbers> numbers = {};  ///< listed
    std::size_t codes = 0;  ///< whole, code: so many; the last is for missing numbers
  };

  Field field_of(const InputEncoder::Step& step, std::size_t rows, Codes codes) const;
  void add_field(const InputEncoder::Step& step, const Field& field);
  void pack(std::size_t f, std::size_t first, std::size_t count, std::byte* to) const;

  const InputEncoder& encoder_;
  std::vector<Field> fields_;
  RowFormat format_;
};

}  // namespace coppice
