#pragma once

#include <vector>

namespace coppice {

/// Sorts numbers, none of them NaN, in rising order: many of them several times as fast as comparing does.
void sort_numbers(std::vector<float>& numbers);

}  // namespace coppice
