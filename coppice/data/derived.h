#pragma once

#include "coppice/data/kinds.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

class Table;
struct EncodingOptions;

/// What a column of texts says beside its words.
enum class DerivedKind : std::uint8_t {
  date,    ///< 2024-05-01: day, month, weekday
  moment,  ///< 2024-05-01T12:30:00Z: the same and the hour
  time,    ///< 12:30: hour
  rank,    ///< words that have an order: which of them it is
};
template <>
inline constexpr std::array<std::string_view, 4> names_of<DerivedKind>{"date", "moment", "time", "rank"};

/// Columns of numbers that are made of a column of texts.
struct Derived {
  std::string source;
  DerivedKind kind = DerivedKind::date;
  double origin = 0;  ///< date, moment: where days are counted from, in days since 1970-01-01
  std::vector<std::string> order = {};  ///< rank: the words from least to greatest, in small letters

  /// "when day", "when month", ...
  std::vector<std::string> names() const;
};

/// The columns of a table whose texts are all dates or times (ISO 8601), or all words of a known order. What was found
/// is noted. Columns that the options name, and the target, are left as they are.
std::vector<Derived> find_derived(const Table& table, const EncodingOptions& options, std::string_view target,
                                  std::vector<std::string>& notes);

/// The table with the columns that are made of others added; those whose source is not there are left out. Fails on a
/// cell that is no date where one is needed; a word that is not in the order has no rank.
Table with_derived(const Table& table, const std::vector<Derived>& derived);

}  // namespace coppice
