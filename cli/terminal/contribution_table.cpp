#include "cli/terminal/contribution_table.h"

#include "cli/terminal/styled.h"
#include "cli/terminal/table.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

constexpr std::size_t most_lines = 20;
constexpr std::size_t half = 20;  ///< columns on each side of the axis
constexpr std::size_t widest_text = 32;

std::string repeated(const char* text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string bar(double part, double greatest) {
  const double share = greatest > 0 ? std::abs(part) / greatest : 0;
  const auto length = static_cast<std::size_t>(std::lround(share * static_cast<double>(half)));
  const std::string blocks = repeated("█", length);
  const std::string blanks(half - length, ' ');
  return part < 0 ? blanks + blocks + "│" : std::string(half, ' ') + "│" + blocks;
}

std::string shown(const std::string& text) {
  return rendered({{printable(text), Style::plain}}, widest_text, false);
}

}  // namespace

std::string contribution_table(std::vector<ColumnPart> parts) {
  std::ranges::stable_sort(parts, std::greater{}, [](const ColumnPart& part) { return std::abs(part.part); });
  const double greatest = parts.empty() ? 0 : std::abs(parts.front().part);
  TextTable table({"column", "cell", "contribution", ""});
  const std::size_t count = std::min(parts.size(), most_lines);
  for (std::size_t k = 0; k < count; ++k) {
    const ColumnPart& part = parts[k];
    table.add({shown(part.column), part.cell.empty() ? "-" : shown(part.cell),
               fmt::format("{:+.4g}", part.part), bar(part.part, greatest)});
  }
  if (count < parts.size()) {
    double rest = 0;
    for (std::size_t k = count; k < parts.size(); ++k) rest += parts[k].part;
    table.add({fmt::format("{} others", parts.size() - count), "", fmt::format("{:+.4g}", rest),
               bar(rest, greatest)});
  }
  return table.text();
}

}  // namespace coppice::cli
