#include "coppice/data/moment.h"

#include "coppice/data/cell.h"

#include <chrono>
#include <cmath>

namespace coppice {

namespace {

/// Takes a text from its front.
struct Scanner {
  std::string_view rest;

  bool take(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  /// Exactly so many digits.
  std::optional<int> digits(std::size_t count) {
    if (rest.size() < count) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_digit(rest[i])) return std::nullopt;
      value = value * 10 + (rest[i] - '0');
    }
    rest.remove_prefix(count);
    return value;
  }
};

/// Seconds of hh:mm, hh:mm:ss or hh:mm:ss.fff.
std::optional<double> scan_time(Scanner& text) {
  const auto hour = text.digits(2);
  if (!hour || *hour > 24 || !text.take(':')) return std::nullopt;
  const auto minute = text.digits(2);
  if (!minute || *minute > 59) return std::nullopt;
  double seconds = *hour * 3600 + *minute * 60;
  if (text.take(':')) {
    const auto second = text.digits(2);
    if (!second || *second > 60) return std::nullopt;
    seconds += *second;
    if (text.take('.')) {
      double unit = 0.1;
      if (text.rest.empty() || !is_digit(text.rest.front())) return std::nullopt;
      for (; !text.rest.empty() && is_digit(text.rest.front()); unit /= 10) seconds += *text.digits(1) * unit;
    }
  }
  if (seconds > 86'400) return std::nullopt;
  return seconds;
}

/// Seconds that a time is ahead of UTC: Z, +02:00, -0530, +02; none: 0.
std::optional<double> scan_offset(Scanner& text) {
  if (text.rest.empty() || text.take('Z') || text.take('z')) return 0;
  const double sign = text.rest.front() == '-' ? -1 : 1;
  if (!text.take('-') && !text.take('+')) return std::nullopt;
  const auto hour = text.digits(2);
  if (!hour || *hour > 14) return std::nullopt;
  text.take(':');
  const int minute = text.rest.empty() ? 0 : text.digits(2).value_or(60);
  if (minute > 59) return std::nullopt;
  return sign * (*hour * 3600 + minute * 60);
}

std::optional<std::chrono::sys_days> scan_date(Scanner& text) {
  const auto year = text.digits(4);
  if (!year || !text.take('-')) return std::nullopt;
  const auto month = text.digits(2);
  if (!month || !text.take('-')) return std::nullopt;
  const auto day = text.digits(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

}  // namespace

std::optional<Moment> parse_moment(std::string_view cell) {
  Scanner text{cell};
  Moment moment;
  double seconds = 0;
  if (cell.size() > 4 && cell[4] == '-') {
    const auto date = scan_date(text);
    if (!date) return std::nullopt;
    moment.has_date = true;
    seconds = 86'400.0 * static_cast<double>(date->time_since_epoch().count());
    if (!text.rest.empty() && !text.take('T') && !text.take(' ')) return std::nullopt;
    moment.has_time = text.rest.size() < cell.size() - 10;
  } else {
    moment.has_time = true;
  }
  if (moment.has_time) {
    const auto time = scan_time(text);
    const auto offset = time ? scan_offset(text) : std::nullopt;
    if (!offset) return std::nullopt;
    seconds += *time - (moment.has_date ? *offset : 0);
  }
  if (!text.rest.empty()) return std::nullopt;
  moment.days = seconds / 86'400;
  const double whole = std::floor(moment.days);
  moment.hour = (seconds - whole * 86'400) / 3600;
  if (!moment.has_date) {
    moment.hour = seconds / 3600;
    return moment;
  }
  const std::chrono::sys_days day{std::chrono::days(static_cast<int>(whole))};
  moment.month = static_cast<int>(static_cast<unsigned>(std::chrono::year_month_day(day).month()));
  moment.weekday = static_cast<int>(std::chrono::weekday(day).iso_encoding());
  return moment;
}

}  // namespace coppice
