#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// A text in small letters, with single blanks between its words.
std::string plain_words(std::string_view text);

/// The texts from least to greatest, as plain words, if there are at least three and all belong to one of: low/medium/high
/// and the like (sizes, how often, how good, agreement), months, weekdays, 1st/2nd/3rd, first/second/third, or ranges
/// of numbers such as <5, 5-10, >10. Else none.
std::vector<std::string> known_order(std::span<const std::string> texts);

}  // namespace coppice
