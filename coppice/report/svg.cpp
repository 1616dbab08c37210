#include "coppice/report/svg.h"

#include "coppice/report/html.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

std::string coordinate(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

Svg::Svg(double width, double height, std::string_view label)
    : width_(width), height_(height), label_(label) {}

void Svg::add(std::string_view element, std::string_view style, std::string_view title) {
  body_ += '<';
  body_ += element;
  if (!style.empty()) body_ += fmt::format(" class=\"{}\"", escaped(style));
  if (opacity_ < 1) body_ += fmt::format(" opacity=\"{}\"", coordinate(opacity_));
  opacity_ = 1;
  if (title.empty()) {
    body_ += "/>";
  } else {
    body_ += fmt::format("><title>{}</title></{}>", escaped(title), element.substr(0, element.find(' ')));
  }
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  add(fmt::format(R"(line x1="{}" y1="{}" x2="{}" y2="{}")", coordinate(x1), coordinate(y1), coordinate(x2),
                  coordinate(y2)),
      style);
}

void Svg::rect(double x, double y, double width, double height, std::string_view style,
               std::string_view title) {
  add(fmt::format(R"(rect x="{}" y="{}" width="{}" height="{}")", coordinate(x), coordinate(y),
                  coordinate(std::max(width, 0.0)), coordinate(std::max(height, 0.0))),
      style, title);
}

void Svg::circle(double x, double y, double radius, std::string_view style, std::string_view title) {
  add(fmt::format(R"(circle cx="{}" cy="{}" r="{}")", coordinate(x), coordinate(y), coordinate(radius)),
      style, title);
}

void Svg::path(std::string_view commands, std::string_view style) {
  if (!commands.empty()) add(fmt::format(R"(path d="{}")", escaped(commands)), style);
}

void Svg::text(double x, double y, std::string_view text, std::string_view anchor, std::string_view style) {
  body_ += fmt::format(R"(<text x="{}" y="{}" text-anchor="{}")", coordinate(x), coordinate(y), anchor);
  if (!style.empty()) body_ += fmt::format(" class=\"{}\"", escaped(style));
  body_ += fmt::format(">{}</text>", escaped(text));
}

void Svg::insert(double x, double y, const Svg& other) {
  body_ +=
      fmt::format(R"(<svg x="{}" y="{}" width="{}" height="{}" overflow="visible">{}</svg>)", coordinate(x),
                  coordinate(y), coordinate(other.width_), coordinate(other.height_), other.body_);
}

std::string Svg::file(std::string_view style) const {
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img" aria-label="{2}">)"
      "\n<style>{3}</style>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n{4}\n</svg>\n",
      coordinate(width_), coordinate(height_), escaped(label_), style, body_);
}

std::string Svg::str() const {
  return fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>)", coordinate(width_),
                     coordinate(height_), escaped(label_), body_);
}

}  // namespace coppice
