#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace coppice::cli {

enum class SparkScale : std::uint8_t { linear, logarithmic };

/// A curve in at most `width` characters of eight heights, from the least value to the greatest. More values
/// than characters are averaged in equal parts; what is not finite is left blank. On the logarithmic scale,
/// made for errors that fall by orders of magnitude, values of 0 stand at the bottom.
std::string sparkline(std::span<const double> values, std::size_t width,
                      SparkScale scale = SparkScale::linear);

}  // namespace coppice::cli
