#pragma once

#include "coppice/api/options.h"
#include "coppice/data/table.h"

#include <string>
#include <vector>

namespace coppice::test {

/// Two columns of numbers and a rare and a usual class.
inline Table table(std::size_t rows, std::size_t rare_every = 4) {
  std::vector<int> a;
  std::vector<std::size_t> b;
  std::vector<std::string> y;
  for (std::size_t i = 0; i < rows; ++i) {
    a.push_back(static_cast<int>(i % 17));
    b.push_back(i * i % 23);
    y.emplace_back(i % rare_every == 0 ? "rare" : "usual");
  }
  Table all;
  all.add_numbers("a", a);
  all.add_numbers("b", b);
  all.add_texts("y", y);
  return all;
}

inline Options options_for_y() {
  Options options;
  options.target = std::string("y");  // gcc 12 takes a plain literal for an overlap
  return options;
}

}  // namespace coppice::test
