#pragma once

#include "coppice/core/spread.h"
#include "coppice/report/plot.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coppice::reproduce {

/// The style sheet of all pictures; colours are the classes black, red, blue, green, orange, grey, pale-red and pale-blue.
std::string_view picture_style();

/// One line per pair of a colour and a text, the first at (x, y).
void draw_legend(Svg& svg, double x, double y,
                 const std::vector<std::pair<std::string, std::string>>& entries);

/// The same in one line that ends at (right, y).
void draw_legend_line(Svg& svg, double right, double y,
                      const std::vector<std::pair<std::string, std::string>>& entries);

/// For axes of shares: "1.5 %".
NumberText percent_labels();
/// For axes of counts: "20k".
NumberText thousands_labels();

/// A square with the ranges of both of its numbers, and a text beside it.
struct Mark {
  std::string colour;
  double size = 0;   ///< parameters
  double error = 0;  ///< share of wrong rows
  Spread sizes;      ///< no range where low equals high
  Spread errors;
  std::string label;
};

/// Error against size, as in the paper's figure 3.
Svg marks_picture(const std::string& title, const std::vector<Mark>& marks, double width, double height);

}  // namespace coppice::reproduce
