#pragma once

#include "coppice/core/choices.h"

#include <array>
#include <cstdint>
#include <string_view>

// What data and its columns are. Part of the public interface.
namespace coppice {

enum class ColumnKind : std::uint8_t { number, text };
template <>
inline constexpr std::array<std::string_view, 2> names_of<ColumnKind>{"number", "text"};

enum class Format : std::uint8_t { csv, idx, libsvm, arff, amat };
template <>
inline constexpr std::array<std::string_view, 5> names_of<Format>{"csv", "idx", "libsvm", "arff", "amat"};

}  // namespace coppice
