#pragma once

#include "coppice/report/lives.h"
#include "coppice/report/svg.h"

#include <string>
#include <vector>

namespace coppice::reproduce {

/// A bar per unit, at the epoch it was added in and as high as the epochs it lived: green survived, black did not.
Svg lives_picture(const std::string& title, const std::vector<Life>& lives, std::size_t epochs, double width,
                  double height);

/// Rows "panel, series, born, lived" of the same.
std::vector<std::vector<std::string>> lives_rows(const std::string& panel, const std::vector<Life>& lives);

}  // namespace coppice::reproduce
