#include "experiments/picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

constexpr double letter_width = 6;
constexpr double letter_height = 12;

struct Box {
  double left, top, right, bottom;
  bool touches(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

/// Puts texts where nothing stands yet, as near to their mark as that allows.
class Places {
 public:
  explicit Places(Box inside) : inside_(inside) {}
  void take(const Box& box) { taken_.push_back(box); }
  /// Middle of the text's base line.
  std::pair<double, double> place(double x, double y, std::size_t letters) {
    const double half = letter_width * static_cast<double>(letters) / 2;
    std::pair<double, double> best{x, y - 9};
    for (const double away : {9.0, 21.0, 33.0, 45.0, 57.0, 69.0}) {
      for (const auto& [aside, up] :
           {std::pair(0.0, 1.0), {0.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}, {1.0, -1.0}, {-1.0, -1.0}}) {
        const double middle = std::clamp(x + aside * (half + 6), inside_.left + half, inside_.right - half);
        const double base = up > 0 ? y - away : y + away + letter_height - 3;
        const Box box{middle - half, base - letter_height + 2, middle + half, base + 2};
        const bool free = box.top > inside_.top && box.bottom < inside_.bottom &&
                          std::ranges::none_of(taken_, [&](const Box& other) { return box.touches(other); });
        if (!free) continue;
        taken_.push_back(box);
        return {middle, base};
      }
    }
    return best;
  }

 private:
  Box inside_;
  std::vector<Box> taken_;
};

void draw_ranges(Svg& svg, const Plot& plot, const Mark& mark) {
  const std::string style = fmt::format("range {}", mark.colour);
  const double x = plot.x(mark.size);
  const double y = plot.y(mark.error);
  constexpr double cap = 3;
  if (mark.errors.high > mark.errors.low) {
    svg.line(x, plot.y(mark.errors.low), x, plot.y(mark.errors.high), style);
    for (const double end : {mark.errors.low, mark.errors.high})
      svg.line(x - cap, plot.y(end), x + cap, plot.y(end), style);
  }
  if (mark.sizes.high > mark.sizes.low) {
    svg.line(plot.x(mark.sizes.low), y, plot.x(mark.sizes.high), y, style);
    for (const double end : {mark.sizes.low, mark.sizes.high})
      svg.line(plot.x(end), y - cap, plot.x(end), y + cap, style);
  }
}

}  // namespace

std::string_view picture_style() {
  return "text{font:11px "
         "Helvetica,Arial,sans-serif;fill:#222}.name{font-weight:bold}.small{font-size:10px;paint-order:"
         "stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
         ".grid{stroke:#e4e4e4}.axis{stroke:#444}.until{stroke:#999;stroke-dasharray:4 3}"
         ".curve{fill:none;stroke-width:1.2}.bar{fill:none;stroke-width:.5}.bar.thick{stroke-width:2}.range{"
         "stroke-width:1}"
         ".curve.black,.bar.black,.range.black{stroke:#000}.mark.black{fill:#000}"
         ".curve.red,.bar.red,.range.red{stroke:#c8102e}.mark.red{fill:#c8102e}"
         ".curve.blue,.bar.blue,.range.blue{stroke:#1f4fbf}.mark.blue{fill:#1f4fbf}"
         ".curve.green,.bar.green,.range.green{stroke:#1a9850}.mark.green{fill:#1a9850}"
         ".curve.orange,.bar.orange,.range.orange{stroke:#e08214}.mark.orange{fill:#e08214}"
         ".curve.grey,.range.grey{stroke:#888}.mark.grey{fill:#888}"
         ".curve.pale-red{stroke:#f2a3ae}.mark.pale-red{fill:#f2a3ae}"
         ".curve.pale-blue{stroke:#9fb9ee}.mark.pale-blue{fill:#9fb9ee}";
}

void draw_legend(Svg& svg, double right, double y, const Legend& legend) {
  double x = right;
  // clang 14 cannot compile libstdc++'s reverse view.
  for (auto entry = legend.rbegin(); entry != legend.rend(); ++entry) {  // NOLINT(modernize-loop-convert)
    const auto& [colour, text] = *entry;
    x -= letter_width * static_cast<double>(text.size());
    svg.text(x, y, text);
    x -= 13;
    svg.rect(x, y - 8, 9, 9, fmt::format("mark {}", colour));
    x -= 12;
  }
}

NumberText percent_labels() {
  return [](double value) { return fmt::format("{:.3g} %", 100 * value); };
}

NumberText thousands_labels() {
  return [](double value) {
    return value < 1000  ? fmt::format("{:g}", value)
           : value < 1e6 ? fmt::format("{:g}k", value / 1e3)
                         : fmt::format("{:g}M", value / 1e6);
  };
}

Svg marks_picture(const std::string& title, const std::vector<Mark>& marks, double width, double height) {
  std::vector<double> sizes;
  std::vector<double> errors;
  for (const Mark& mark : marks) {
    sizes.insert(sizes.end(), {mark.size, mark.sizes.low, mark.sizes.high});
    errors.insert(errors.end(), {mark.error, mark.errors.low, mark.errors.high});
  }
  Scale x = fitting(sizes, false, true);
  Scale y = fitting(errors);
  y.low = std::max(0.0, y.low - 0.1 * (y.high - y.low));  // room for labels
  y.high += 0.1 * (y.high - y.low);
  Plot plot(width, height, x, y,
            {.picture = title,
             .x = "parameters",
             .y = fmt::format("{}: test error", title),
             .x_text = thousands_labels(),
             .y_text = percent_labels()});
  Places places({plot.left(), plot.top(), plot.right(), plot.bottom()});
  constexpr double half = 4;
  for (const Mark& mark : marks) {
    draw_ranges(plot.svg, plot, mark);
    const double at = plot.x(mark.size);
    const double up = plot.y(mark.error);
    plot.svg.rect(at - half, up - half, 2 * half, 2 * half, fmt::format("mark {}", mark.colour),
                  fmt::format("{}: {:.2f} %", mark.label, 100 * mark.error));
    places.take({at - half - 1, up - half - 1, at + half + 1, up + half + 1});
  }
  for (const Mark& mark : marks) {
    const auto [at, base] = places.place(plot.x(mark.size), plot.y(mark.error), mark.label.size());
    plot.svg.text(at, base, mark.label, "middle", "small");
  }
  return plot.svg;
}

}  // namespace coppice::experiments
