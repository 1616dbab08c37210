#include "experiments/plot.h"

#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

constexpr double left_margin = 58;
constexpr double right_margin = 14;
constexpr double top_margin = 28;
constexpr double bottom_margin = 40;

}  // namespace

Plot::Plot(double width, double height, Scale x_scale, Scale y_scale, const Labels& labels)
    : svg(width, height, labels.picture), x(x_scale), y(y_scale) {
  x.from = left_margin;
  x.to = width - right_margin;
  y.from = height - bottom_margin;
  y.to = top_margin;
  for (const double tick : y.ticks(5)) {
    svg.line(left(), y(tick), right(), y(tick), "grid");
    svg.text(left() - 6, y(tick) + 4, labels.y_text(tick), "end");
  }
  for (const double tick : x.ticks(7)) {
    svg.line(x(tick), bottom(), x(tick), bottom() + 4, "axis");
    svg.text(x(tick), bottom() + 17, labels.x_text(tick), "middle");
  }
  svg.line(left(), bottom(), right(), bottom(), "axis");
  svg.text((left() + right()) / 2, height - 5, labels.x, "middle", "name");
  svg.text(4, 13, labels.y, "start", "name");
}

void Plot::curve(const Curve& curve, const std::string& style) {
  std::string commands;
  bool pen_down = false;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double at = x(curve.x[i]);
    const double value = y(curve.y[i]);
    const bool drawn = std::isfinite(at) && std::isfinite(value);
    if (drawn) commands += fmt::format("{}{} {}", pen_down ? 'L' : 'M', coordinate(at), coordinate(value));
    pen_down = drawn;
  }
  svg.path(commands, style);
}

}  // namespace coppice::experiments
