#pragma once

#include "coppice/core/spread.h"

#include "experiments/plot.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coppice::experiments {

/// The style sheet of all pictures; colours are the classes black, red, blue, green, orange, grey, pale-red and pale-blue.
std::string_view picture_style();

/// Colours and what they stand for.
using Legend = std::vector<std::pair<std::string, std::string>>;
/// In one line that ends at (right, y).
void draw_legend(Svg& svg, double right, double y, const Legend& legend);

/// For axes of shares: "1.5 %".
NumberText percent_labels();
/// For axes of counts: "20k".
NumberText thousands_labels();

/// A square with the ranges of both of its numbers, and a text beside it.
struct Mark {
  std::string colour;
  double size = 0;    ///< parameters
  double error = 0;   ///< share of wrong rows
  Spread sizes = {};  ///< no range where low equals high
  Spread errors = {};
  std::string label = {};
};

/// Error against size, as in the paper's figure 3.
Svg marks_picture(const std::string& title, const std::vector<Mark>& marks, double width, double height);

}  // namespace coppice::experiments
