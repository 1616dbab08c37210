#include "coppice/reproduce/lives_picture.h"

#include "coppice/report/html.h"
#include "coppice/report/plot.h"
#include "coppice/reproduce/picture.h"

#include <algorithm>

#include <fmt/format.h>

namespace coppice::reproduce {

Svg lives_picture(const std::string& title, const std::vector<Life>& lives, std::size_t epochs, double width,
                  double height) {
  std::size_t last_birth = 1;
  for (const Life& life : lives) last_birth = std::max(last_birth, life.born);
  const auto count = [](double value) { return count_text(value); };
  Plot plot(width, height, {.low = 0, .high = static_cast<double>(last_birth)},
            {.low = 0, .high = static_cast<double>(epochs)},
            {.picture = title,
             .x = "epoch in which the unit was added",
             .y = title,
             .x_text = count,
             .y_text = count});
  std::string died;
  std::string survived;
  for (const Life& life : lives) {
    const double x = plot.x(static_cast<double>(life.born));
    const double lived = static_cast<double>(life.end - life.born);
    (life.fate == Fate::survived ? survived : died) +=
        fmt::format("M{:.2f} {:.1f}V{:.1f}", x, plot.bottom(), plot.y(lived));
  }
  const std::string pen = last_birth < 200 ? "bar thick" : "bar";
  plot.svg.path(died, pen + " black");
  plot.svg.path(survived, pen + " green");
  draw_legend_line(plot.svg, plot.right(), 13, {{"green", "there at the end"}, {"black", "eliminated"}});
  return plot.svg;
}

std::vector<std::vector<std::string>> lives_rows(const std::string& panel, const std::vector<Life>& lives) {
  std::vector<std::vector<std::string>> rows;
  for (const Life& life : lives) {
    rows.push_back({panel, life.fate == Fate::survived ? "there at the end" : "eliminated",
                    std::to_string(life.born), std::to_string(life.end - life.born)});
  }
  return rows;
}

}  // namespace coppice::reproduce
