#include "cli/terminal/styled.h"

#include "coppice/core/text.h"

#include "cli/terminal/table.h"

#include <array>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

constexpr std::array<std::string_view, 9> codes{"", "2", "1", "31", "32", "33", "34", "35", "36"};

/// The first `width` characters of UTF-8 text.
std::string_view first_characters(std::string_view text, std::size_t width) {
  std::size_t at = 0;
  for (std::size_t shown = 0; at < text.size(); ++at) {
    const bool starts = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (starts && shown++ == width) break;
  }
  return text.substr(0, at);
}

}  // namespace

std::string printable(std::string_view text) {
  const std::string utf8 = to_utf8(text);
  std::string out;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    // The second block of control characters is C2 80 to C2 9F.
    const bool c1 = byte == 0xC2 && i + 1 < utf8.size() && static_cast<unsigned char>(utf8[i + 1]) < 0xA0;
    if (c1) ++i;
    out += byte < 0x20 || byte == 0x7F || c1 ? '?' : utf8[i];
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::size_t width_of(const StyledLine& line) {
  std::size_t width = 0;
  for (const Styled& piece : line) width += display_width(piece.text);
  return width;
}

std::string rendered(const StyledLine& line, std::size_t width, bool colours) {
  const bool cut = width_of(line) > width;
  std::size_t left = width - (cut && width > 0 ? 1 : 0);
  std::string out;
  std::size_t visible_end = 0;
  for (const Styled& piece : line) {
    const std::string harmless = printable(piece.text);
    const std::string_view text = first_characters(harmless, left);
    left -= display_width(std::string(text));
    const std::string_view code = codes.at(static_cast<std::size_t>(piece.style));
    const bool styled = colours && !code.empty() && text.find_first_not_of(' ') != std::string_view::npos;
    out += styled ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
    if (text.find_first_not_of(' ') != std::string_view::npos) {
      visible_end = styled ? out.size() : out.find_last_not_of(' ') + 1;
    }
  }
  if (cut && width > 0) return out + "…";
  out.resize(visible_end);
  return out;
}

}  // namespace coppice::cli
