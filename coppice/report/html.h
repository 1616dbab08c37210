#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace coppice {

using Json = nlohmann::ordered_json;

/// The text as HTML shows it, in elements and in quoted attributes. What is not UTF-8 is taken as Latin-1.
std::string escaped(std::string_view text);

/// JSON that may stand inside a <script>: no '<', '>' or '&', so no text in it can end the element.
std::string script_json(const Json& json);

/// "133,090".
std::string count_text(double count);
std::string count_text(std::size_t count);

/// Four significant digits as one writes them: "0.0123", "1.5e-07", "25,300".
std::string number_text(double value);

/// "1.36 %"; small shares keep two significant digits: "0.0012 %". "-" if it is not finite.
std::string share_text(double fraction);

/// "47.3 kB".
std::string bytes_text(double bytes);

/// The value with few digits, as a chart needs it; null if it is not finite.
Json rounded_json(double value);

}  // namespace coppice
