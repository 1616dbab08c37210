#include "coppice/report/chart.h"

#include "coppice/report/html.h"
#include "coppice/report/svg.h"

#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

std::string percent(double place) {
  return coordinate(place) + "%";
}

std::string title_element(std::string_view title) {
  return title.empty() ? "" : fmt::format("<title>{}</title>", escaped(title));
}

/// The nested picture's own coordinate.
double inner(const Scale& scale, double value) {
  return scale.log ? std::log10(value) : value;
}

}  // namespace

std::string data_path(const Curve& curve) {
  std::string commands;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    commands += fmt::format("{}{:.7g} {:.4g}", i == 0 ? 'M' : 'L', curve.x[i], 0 - curve.y[i]);
  return commands;
}

Chart::Chart(std::string_view label, Axis x, Axis y)
    : x_(std::move(x)),
      y_(std::move(y)),
      attributes_(
          fmt::format(R"(role="img" aria-label="{}" data-x="{}")", escaped(label), escaped(x_.name))) {
  x_.scale.to = 100;
  if (x_.scale.log) attributes_ += " data-x-log";
  y_.scale.from = 100;
  y_.scale.to = 0;
}

Chart& Chart::height(double pixels) {
  attributes_ += fmt::format(R"( height="{}")", coordinate(pixels));
  return *this;
}

Chart& Chart::in_percent() {
  attributes_ += R"( data-unit="percent")";
  return *this;
}

Chart& Chart::shares() {
  attributes_ += R"( data-x-unit="percent")";
  return in_percent();
}

void Chart::curve(const Curve& curve, std::string_view style, std::string_view name) {
  if (!x_.scale.log) return path(data_path(curve), style, name);
  Curve inside = curve;
  for (double& x : inside.x) x = std::log10(x);
  path(data_path(inside), style, name);
}

void Chart::path(std::string_view commands, std::string_view style, std::string_view name) {
  if (commands.empty()) return;
  curves_ += fmt::format(R"(<path class="{}")", style);
  if (!name.empty()) curves_ += fmt::format(R"( data-name="{}")", escaped(name));
  curves_ += fmt::format(R"( d="{}"/>)", commands);
}

void Chart::mark(double x, double y, double radius, std::string_view style, std::string_view title) {
  before_ +=
      fmt::format(R"(<circle class="{}" cx="{}" cy="{}" r="{}">{}</circle>)", style, percent(x_.scale(x)),
                  percent(y_.scale(y)), coordinate(radius), title_element(title));
}

void Chart::line(double x1, double y1, double x2, double y2, std::string_view style) {
  before_ +=
      fmt::format(R"(<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>)", style, percent(x_.scale(x1)),
                  percent(y_.scale(y1)), percent(x_.scale(x2)), percent(y_.scale(y2)));
}

void Chart::band(Depth depth, double from, double to, std::string_view style, std::string_view note) {
  const double left = x_.scale(from);
  (depth == Depth::behind ? behind_ : before_) += fmt::format(
      R"(<rect class="{}" x="{}" width="{}" height="100%" data-from="{}" data-to="{}" data-note="{}"/>)",
      style, percent(left), percent(x_.scale(to) - left), from, to, escaped(note));
}

void Chart::strip(double from, double to, std::string_view style, std::string_view title) {
  const double left = x_.scale(from);
  behind_ += fmt::format(R"(<rect class="{}" x="{}" y="-5" width="{}" height="4">{}</rect>)", style,
                         percent(left), percent(x_.scale(to) - left), title_element(title));
}

std::string Chart::str() const {
  std::string svg = fmt::format(R"(<div class="chart"><svg class="plot" {}>)", attributes_);
  if (y_.text) {
    for (const double tick : y_.scale.ticks(8)) {
      const std::string at = percent(y_.scale(tick));
      svg += fmt::format(R"(<line class="grid" x2="100%" y1="{0}" y2="{0}"/><text x="-6" y="{0}" dy="4" )"
                         R"(text-anchor="end">{1}</text>)",
                         at, escaped(y_.text(tick)));
    }
  }
  if (x_.text) {
    bool even = true;  // narrow screens have room for every other label only
    for (const double tick : x_.scale.ticks(10)) {
      svg += fmt::format(R"(<text{} x="{}" y="100%" dy="17" text-anchor="middle">{}</text>)",
                         even ? "" : R"( class="odd")", percent(x_.scale(tick)), escaped(x_.text(tick)));
      even = !even;
    }
  }
  svg += R"(<line class="axis" x2="100%" y1="100%" y2="100%"/>)";
  svg += fmt::format(R"(<text class="name" x="50%" y="100%" dy="36" text-anchor="middle">{}</text>)",
                     escaped(x_.name));
  svg += fmt::format(R"(<text class="name" x="-54" y="-12">{}</text>)", escaped(y_.name));
  const double left = inner(x_.scale, x_.scale.low);
  svg += behind_;
  svg += fmt::format(
      R"(<svg class="area" width="100%" height="100%" preserveAspectRatio="none" viewBox="{:.7g} {:.7g} {:.7g} {:.7g}">)",
      left, 0 - y_.scale.high, inner(x_.scale, x_.scale.high) - left, y_.scale.high - y_.scale.low);
  return svg + curves_ + "</svg>" + before_ + "</svg></div>";
}

}  // namespace coppice
