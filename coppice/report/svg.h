#pragma once

#include <string>
#include <string_view>

namespace coppice {

/// A number as a drawing needs it: at most two decimals, no trailing zeros.
std::string coordinate(double value);

/// A picture drawn by C++: shown where scripts are off and on paper. Colours come from the page's style sheet through
/// the classes, so the picture follows light and dark. All text is escaped.
class Svg {
 public:
  /// `label` tells what is seen to those who do not see it.
  Svg(double width, double height, std::string_view label);

  double width() const { return width_; }
  double height() const { return height_; }

  void line(double x1, double y1, double x2, double y2, std::string_view style);
  void rect(double x, double y, double width, double height, std::string_view style,
            std::string_view title = {});
  void circle(double x, double y, double radius, std::string_view style, std::string_view title = {});
  /// `commands` in SVG's path language.
  void path(std::string_view commands, std::string_view style);
  /// `anchor`: start, middle or end.
  void text(double x, double y, std::string_view text, std::string_view anchor = "start",
            std::string_view style = {});
  /// Applies to what is drawn next only, where it takes a colour's strength from data.
  void opacity(double value) { opacity_ = value; }

  /// Another picture as part of this one, its corner at (x, y).
  void insert(double x, double y, const Svg& other);

  std::string str() const;
  /// The picture as a file of its own, on white, with its own style sheet.
  std::string file(std::string_view style) const;

 private:
  void add(std::string_view element, std::string_view style, std::string_view title = {});

  double width_, height_;
  double opacity_ = 1;
  std::string label_, body_;
};

}  // namespace coppice
