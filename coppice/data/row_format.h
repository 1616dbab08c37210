#pragma once

#include "coppice/core/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// How the inputs of a row lie in few bytes, and how they come back: the very floats that encoding made.
class RowFormat {
 public:
  static constexpr std::size_t most_codes = 65'536;  ///< of a column whose numbers are looked up

  // The next inputs of a row, from its first to its last.
  /// As they are.
  void add_floats(std::size_t width);
  /// One input of a whole number from 0 to 255, in a byte: (number - offset) * factor.
  void add_byte(double offset, double factor);
  /// A code into the rows of `inputs`; at most most_codes.
  void add_codes(View<const float> inputs);
  /// A code says which input is as in `ones`; the others are as in `zeros`.
  void add_category(std::span<const float> zeros, std::span<const float> ones);

  /// What brings back the named inputs alone, which rise, from the same bytes.
  RowFormat with_inputs(std::span<const std::uint32_t> inputs) const;

  std::size_t inputs() const { return inputs_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t fields() const { return places_.size(); }
  /// Where in a row's bytes something begins, in the order of adding; floats: for each call.
  std::size_t place(std::size_t field) const { return places_[field]; }
  /// Writes the code of a field so that unpack() finds it.
  void put_code(std::size_t field, std::size_t code, std::byte* row) const;

  void unpack(const std::byte* row, float* inputs) const;

 private:
  enum class Kind : std::uint8_t { floats, bytes, byte_codes, pair_codes, codes, category };
  /// Fields of one kind that follow each other.
  struct Run {
    Kind kind;
    std::size_t size;    ///< of a code, in bytes
    std::size_t at;      ///< in a row's bytes
    std::size_t first;   ///< input
    std::size_t inputs;  ///< in all
    std::size_t table;   ///< where what it looks up begins
    std::size_t codes;   ///< codes: so many

    bool goes_on_as(const Run& next) const;
  };

  void add(Kind kind, std::size_t size, std::size_t width, std::size_t table, std::size_t codes = 0);
  void append(const Run& run);
  void narrow(Run& run, std::span<const std::size_t> inputs);
  void look_up(const Run& run, std::size_t code, float* to) const;
  std::size_t add_table(View<const float> inputs, std::size_t room);

  std::vector<Run> runs_;
  std::vector<std::size_t> places_;
  std::vector<std::size_t> sizes_;
  std::vector<double> offsets_, factors_;
  std::vector<float> tables_;
  std::vector<std::size_t> starts_;  ///< in it, of columns with codes of two bytes for one input
  std::size_t inputs_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace coppice
