#pragma once

#include "coppice/data/dataset.h"
#include "coppice/data/encoding.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// What one text of `class-weights` says: a class, and how much each of its rows counts.
struct ClassWeight {
  std::string name;
  double weight = 1;
};

/// The class before the last "=" and the number after it, which must be above 0; fails on anything else.
ClassWeight parse_class_weight(const std::string& text);

/// How much the rows of each class count by the texts of `class-weights`: "balanced" makes all classes weigh the same
/// in the given rows and leaves the total as it is; classes that are not named count 1. Fails where there are no classes,
/// or none of that name. None for no texts.
std::vector<double> class_factors(const std::vector<std::string>& texts, const Encoding& encoding,
                                  const Dataset& data, std::span<const std::uint32_t> rows);

/// Multiplies the rows' weights; rows of classes that have no factor stay as they are.
void weigh_classes(Dataset& data, std::span<const double> factors);

}  // namespace coppice
