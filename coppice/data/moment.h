#pragma once

#include <optional>
#include <string_view>

namespace coppice {

/// A date, a time of day, or both. Offsets from UTC are taken off.
struct Moment {
  bool has_date = false;
  bool has_time = false;
  double days = 0;  ///< since 1970-01-01, with the time as its fraction; without a date: the fraction alone
  int month = 0;    ///< 1 to 12
  int weekday = 0;  ///< 1 (Monday) to 7
  double hour = 0;  ///< 0 to 24, minutes as its fraction
};

/// Reads 2024-05-01, 12:30, 12:30:05.5, 2024-05-01T12:30:00Z, 2024-05-01 12:30+02:00; nothing else.
std::optional<Moment> parse_moment(std::string_view cell);

}  // namespace coppice
