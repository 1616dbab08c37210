#pragma once

#include "coppice/report/scale.h"
#include "coppice/report/svg.h"
#include "coppice/report/thin.h"

#include <string>

namespace coppice::experiments {

/// A picture with axes, of a fixed size: for files. The report draws a Chart.
class Plot {
 public:
  struct Labels {
    std::string picture, x, y;
    NumberText x_text, y_text;
  };
  Plot(double width, double height, Scale x, Scale y, const Labels& labels);

  Svg svg;
  Scale x, y;

  /// Points that are not finite break it.
  void curve(const Curve& curve, const std::string& style);
  double left() const { return x.from; }
  double right() const { return x.to; }
  double top() const { return y.to; }
  double bottom() const { return y.from; }
};

}  // namespace coppice::experiments
