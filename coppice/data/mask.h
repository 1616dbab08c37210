#pragma once

#include <array>
#include <cstdint>

namespace coppice {

/// The generated images are square, like those of the published sets of the same names.
constexpr int image_side = 28;

/// A black and white image: bit x of row y is set where the pixel is white.
using Mask = std::array<std::uint32_t, image_side>;

/// The number of white pixels.
int area(const Mask& mask);

/// The pixels whose centres lie in the convex hull of the centres of the white pixels.
Mask convex_hull(const Mask& mask);

}  // namespace coppice
