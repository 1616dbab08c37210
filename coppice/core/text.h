#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// The text without blanks, tabs and line ends around it.
std::string_view trim(std::string_view text);

/// ASCII letters in lower case.
std::string lowercase(std::string_view text);

/// Whole text as a number, the same in every locale; accepts a leading '+'. Infinite and NaN spellings parse
/// as such.
std::optional<double> parse_number(std::string_view text);

/// The number nearest to `value` that is written with so many significant digits.
double rounded_to(double value, int digits);

/// Empty, NA, N/A, NaN, null and ? (any case) mean that a value is missing.
bool is_missing(std::string_view text);

/// The candidate nearest to `name` by edit distance, if it is near enough to be a likely slip of the finger.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

/// The texts with a separator between them.
std::string joined(std::span<const std::string> texts, std::string_view separator);

/// Control characters as \n, \t or \x1b.
std::string visible(std::string_view text);

/// "a, b, c", cut after `most` names with a count of the others.
std::string listed(std::span<const std::string> names, std::size_t most = 20);

/// "186-43": units per hidden layer.
std::string size_text(std::span<const std::size_t> hidden_units);

/// "1.36 %"; small shares keep two significant digits: "0.0012 %". "-" if it is not finite.
std::string share_text(double fraction);

/// "1 h 02 min", "3 min 20 s", "12 s", "0.4 s".
std::string duration_text(double seconds);

/// The text in double quotes, visible, cut after 40 bytes (never inside a UTF-8
/// character): for values of a user's file that stand in a message.
std::string cited(std::string_view text);

/// Whether the bytes are well-formed UTF-8.
bool is_utf8(std::string_view text);

/// The text itself if it is UTF-8, else its bytes taken as Latin-1: old tables come in it, and JSON needs
/// UTF-8.
std::string to_utf8(std::string_view text);

}  // namespace coppice
