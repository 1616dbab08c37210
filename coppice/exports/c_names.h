#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// Whether C takes the text as a name.
bool is_c_name(std::string_view text);

/// Letters, digits and underscores of a text, and an underscore for every run of others; never empty.
std::string c_name(std::string_view text);

/// ASCII letters in capitals.
std::string c_capitals(std::string_view text);

/// The same in capitals for each of the texts, all different: PREFIX_AGE, PREFIX_AGE_2.
std::vector<std::string> c_constants(std::string_view prefix, std::span<const std::string> texts,
                                     std::span<const std::string> taken);

}  // namespace coppice
