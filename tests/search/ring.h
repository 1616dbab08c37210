#pragma once

#include "coppice/core/random.h"

#include <cstddef>
#include <string>

#include <fmt/format.h>

namespace coppice::test {

/// A ring around the origin as csv: no linear model can tell.
inline std::string ring(std::size_t rows) {
  Random random(1, Purpose::generator);
  std::string text = "x0,x1,label\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = random.normal();
    const double y = random.normal();
    text += fmt::format("{:.4f},{:.4f},{}\n", x, y, x * x + y * y < 1.4 ? 1 : 0);
  }
  return text;
}

}  // namespace coppice::test
