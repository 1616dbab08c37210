#include "coppice/report/section.h"
#include "coppice/report/svg.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr double width = 900;
constexpr double side = 130;  ///< for the names of inputs and outputs
constexpr double head = 46;
constexpr std::size_t longest_name = 18;

struct DrawnColumn {
  std::string kind;
  double units = 0;
  std::vector<double> fan_in, fan_out;
  std::vector<std::string> names;
  double x = 0;

  std::size_t drawn() const { return std::max(fan_in.size(), fan_out.size()); }
};

/// The first characters of a name; never half a UTF-8 character.
std::string shortened(const std::string& name) {
  if (name.size() <= longest_name) return name;
  std::size_t end = longest_name;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
  return name.substr(0, end) + "…";
}

std::vector<DrawnColumn> columns_of(const Json& network) {
  std::vector<DrawnColumn> columns;
  for (const Json& layer : member(network, "layers")) {
    DrawnColumn column{.kind = text_at(layer, "kind"),
                       .units = number_at(layer, "units"),
                       .fan_in = numbers_at(layer, "fan_in"),
                       .fan_out = numbers_at(layer, "fan_out"),
                       .names = {}};
    for (const Json& name : member(layer, "names")) {
      column.names.push_back(name.is_string() ? name.get<std::string>() : "");
    }
    columns.push_back(std::move(column));
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c].x = columns.size() < 2 ? width / 2
                                      : side + (width - 2 * side) * static_cast<double>(c) /
                                                   static_cast<double>(columns.size() - 1);
  }
  return columns;
}

double place(const DrawnColumn& column, std::size_t unit, double height) {
  const double room = height - head - 16;
  const double step = std::min(room / static_cast<double>(std::max<std::size_t>(column.drawn(), 1)), 30.0);
  const double start = head + (room - step * static_cast<double>(column.drawn())) / 2;
  return start + step * (static_cast<double>(unit) + 0.5);
}

void draw_links(Svg& svg, const Json& network, const std::vector<DrawnColumn>& columns, double height) {
  std::vector<double> strongest(columns.size(), 0);
  const auto layer_of = [&](const Json& link) {
    const double layer = number_at(link, "layer");
    return layer >= 0 && layer + 1 < static_cast<double>(columns.size()) ? static_cast<std::size_t>(layer)
                                                                         : columns.size();
  };
  for (const Json& link : member(network, "links")) {
    const std::size_t layer = layer_of(link);
    const double weight = std::abs(number_at(link, "weight"));
    if (layer < columns.size() && std::isfinite(weight))
      strongest[layer] = std::max(strongest[layer], weight);
  }
  for (const Json& link : member(network, "links")) {
    const std::size_t layer = layer_of(link);
    const double from = number_at(link, "from");
    const double to = number_at(link, "to");
    const double weight = number_at(link, "weight");
    if (layer >= columns.size() || !(from >= 0 && to >= 0) || !std::isfinite(weight)) continue;
    const DrawnColumn& left = columns[layer];
    const DrawnColumn& right = columns[layer + 1];
    if (from >= static_cast<double>(left.drawn()) || to >= static_cast<double>(right.drawn())) continue;
    svg.opacity(0.08 + 0.72 * std::abs(weight) / std::max(strongest[layer], 1e-30));
    svg.line(left.x, place(left, static_cast<std::size_t>(from), height), right.x,
             place(right, static_cast<std::size_t>(to), height),
             weight < 0 ? "link negative" : "link positive");
  }
}

void draw_units(Svg& svg, const DrawnColumn& column, double height) {
  const bool input = column.kind == "input";
  const std::vector<double>& lengths = input ? column.fan_out : column.fan_in;
  double longest = 1e-30;
  for (const double length : lengths) {
    if (std::isfinite(length)) longest = std::max(longest, length);
  }
  for (std::size_t i = 0; i < column.drawn(); ++i) {
    const double length = i < lengths.size() && std::isfinite(lengths[i]) ? lengths[i] : 0;
    const double y = place(column, i, height);
    svg.circle(column.x, y, 1.5 + 4 * length / longest, "unit " + column.kind,
               fmt::format("{}{} of length {}", i < column.names.size() ? column.names[i] + ": " : "",
                           input ? "fan-out" : "fan-in", number_text(length)));
    if (i >= column.names.size()) continue;
    svg.text(column.x + (input ? -10 : 10), y + 4, shortened(column.names[i]), input ? "end" : "start",
             "small");
  }
  svg.text(column.x, 16, count_text(column.units), "middle", "count");
  svg.text(column.x, 32,
           column.kind == "input"    ? "inputs"
           : column.kind == "output" ? "outputs"
                                     : "units",
           "middle", "name");
}

std::string network_picture(const Json& network, const std::vector<DrawnColumn>& columns) {
  std::size_t most = 1;
  for (const DrawnColumn& column : columns) most = std::max(most, column.drawn());
  const double height = head + 16 + std::clamp(static_cast<double>(most) * 15, 160.0, 500.0);
  Svg svg(width, height, "the final network");
  draw_links(svg, network, columns, height);
  for (const DrawnColumn& column : columns) draw_units(svg, column, height);
  return svg.str();
}

}  // namespace

std::string network_html(const RunRecord& run) {
  const Json& network = member(run.analysis, "network");
  const std::vector<DrawnColumn> columns = columns_of(network);
  if (columns.empty()) return {};
  const std::size_t nets = run.chosen_net().members.size();
  bool cut = false;
  for (const DrawnColumn& column : columns) cut = cut || column.units > static_cast<double>(column.drawn());
  return legend({{"stroke link positive", "positive weight"}, {"stroke link negative", "negative weight"}}) +
         "<div class=\"picture wide\">" + network_picture(network, columns) + "</div>" +
         caption(fmt::format("A dot is a unit, the larger the longer its fan-in (of inputs: fan-out). Lines "
                             "are the strongest connections{}. The numbers above count all units.{}",
                             cut ? "; of large layers only the strongest units are drawn" : "",
                             nets > 0 ? fmt::format(" It is the first of {} nets.", nets) : ""));
}

}  // namespace coppice
