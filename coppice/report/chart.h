#pragma once

#include "coppice/report/scale.h"
#include "coppice/report/thin.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace coppice {

/// A chart for the page: one <svg> that fills whatever width it is given, its text as large as the page's. Marks stand
/// at percentages of the plot's area. Curves lie in a nested picture whose coordinates are the data's own, x and -y,
/// stretched to the area; the page's script reads there what it tells about the point under the mouse.
class Chart {
 public:
  struct Axis {
    std::string name;
    Scale scale;
    NumberText text = {};  ///< of ticks; none: there are none
  };
  Chart(std::string_view label, Axis x, Axis y);

  /// In pixels; without it the style sheet decides.
  Chart& height(double pixels);
  /// Values of y are shares: the script says them in percent.
  Chart& in_percent();
  /// Values of x are too.
  Chart& shares();

  /// `name`: what the script calls the curve; without one it passes the curve over.
  void curve(const Curve& curve, std::string_view style, std::string_view name = {});
  /// The same for commands in SVG's path language, in (x, -y).
  void path(std::string_view commands, std::string_view style, std::string_view name = {});
  /// A point before the curves; `title` is told when one points at it.
  void mark(double x, double y, double radius, std::string_view style, std::string_view title);
  /// A straight line before the curves.
  void line(double x1, double y1, double x2, double y2, std::string_view style);

  enum class Depth : std::uint8_t { behind, before };
  /// All of the area from one x to another, behind or before the curves; `note` is told with the points on it.
  void band(Depth depth, double from, double to, std::string_view style, std::string_view note);
  /// A strip above the area.
  void strip(double from, double to, std::string_view style, std::string_view title);

  std::string str() const;

 private:
  Axis x_, y_;
  std::string attributes_, behind_, curves_, before_;
};

/// The points of a curve joined by lines, in (x, -y).
std::string data_path(const Curve& curve);

}  // namespace coppice
