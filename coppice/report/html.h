#pragma once

#include "coppice/core/text.h"

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace coppice {

using Json = nlohmann::ordered_json;

/// The text as HTML shows it, in elements and in quoted attributes. What is not UTF-8 is taken as Latin-1.
std::string escaped(std::string_view text);

/// "133,090".
std::string count_text(double count);
std::string count_text(std::size_t count);

/// Four significant digits as one writes them: "0.0123", "1.5e-07", "25,300".
std::string number_text(double value);

/// "47.3 kB".
std::string bytes_text(double bytes);

}  // namespace coppice
