#pragma once

#include <string_view>

namespace coppice {

/// What keeps a text from being read as the number that it looks like: "a decimal comma" in 1,5, "separated
/// thousands" in 1'234.5, "a currency or percent sign" in 5 %. Empty for numbers that are read and for other texts.
/// Such formats are not guessed at, since 1,234 may mean 1.234 as well as 1234.
std::string_view unread_format(std::string_view text);

/// The same without signs: names of columns, such as 25%, have those.
std::string_view unread_digits(std::string_view text);

/// How to write the numbers instead, for a message.
constexpr std::string_view readable_format =
    "write numbers like -1234.5, with a decimal point, nothing between thousands and no other signs";

}  // namespace coppice
