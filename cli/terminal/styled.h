#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coppice::cli {

enum class Style : std::uint8_t { plain, dim, bold, red, green, yellow, blue, magenta, cyan };

/// A piece of a line for the terminal.
struct Styled {
  std::string text;
  Style style = Style::plain;
};
using StyledLine = std::vector<Styled>;

/// Text that may stand on a terminal: control characters, which could command it, become '?'; what is not
/// UTF-8 is taken as Latin-1.
std::string printable(std::string_view text);

/// The same for several lines: the ends of lines stay.
std::string printable_lines(std::string_view text);

/// Columns that the line takes.
std::size_t width_of(const StyledLine& line);

/// The line, made printable and cut to `width` columns with an ellipsis where it is longer; styles as escape codes if
/// `colours`. Blanks at the end are left out.
std::string rendered(const StyledLine& line, std::size_t width, bool colours);

}  // namespace coppice::cli
