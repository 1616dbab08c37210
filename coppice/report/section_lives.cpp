#include "coppice/report/section.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace coppice {

namespace {

/// Lines in one picture: more cannot be told apart, and the page stays small.
constexpr std::size_t lines_per_net = 1600;
constexpr double width = 940;
constexpr double left = 58;
constexpr double right = width - 14;

std::size_t count_fate(const std::vector<Life>& lives, Fate fate) {
  return static_cast<std::size_t>(std::ranges::count(lives, fate, &Life::fate));
}

/// Survivors all, the others at even distances in the order of birth.
std::vector<Life> selected(const std::vector<Life>& lives, std::size_t most) {
  if (lives.size() <= most) return lives;
  const std::size_t survivors = std::min(count_fate(lives, Fate::survived), most * 3 / 4);
  std::vector<Life> alive;
  std::vector<Life> gone;
  for (const Life& life : lives) (life.fate == Fate::survived ? alive : gone).push_back(life);
  std::vector<Life> all;
  for (const std::size_t i : spread_indices(alive.size(), survivors)) all.push_back(alive[i]);
  for (const std::size_t i : spread_indices(gone.size(), most - survivors)) all.push_back(gone[i]);
  std::ranges::stable_sort(all, {}, &Life::born);
  return all;
}

double layer_height(std::size_t lines) {
  return std::clamp(static_cast<double>(lines) * 2.2, 60.0, 300.0);
}

/// One horizontal line per unit; those of one fate are one path.
void draw_layer(Svg& svg, const std::vector<Life>& lives, const Scale& x, double top, double height) {
  std::array<std::string, 3> paths;
  const double step = height / static_cast<double>(std::max<std::size_t>(lives.size(), 1));
  for (std::size_t i = 0; i < lives.size(); ++i) {
    const Life& life = lives[i];
    const double from = x(static_cast<double>(life.born));
    const double to = std::max(x(static_cast<double>(life.end)), from + 1);
    const double y = top + step * (static_cast<double>(i) + 0.5);
    paths.at(static_cast<std::size_t>(life.fate)) += fmt::format("M{:.1f} {:.1f}h{:.1f}", from, y, to - from);
  }
  const std::string pen = step > 2.6 ? "thick" : step > 1.2 ? "middling" : "thin";
  svg.path(paths[2], "life unlearned " + pen);
  svg.path(paths[1], "life died " + pen);
  svg.path(paths[0], "life survived " + pen);
}

std::string picture(const NetHistory& history) {
  const std::size_t layers = history.lives.layers();
  std::vector<std::vector<Life>> shown;
  double height = 34;
  for (std::size_t l = 0; l < layers; ++l) {
    shown.push_back(selected(history.lives.layer(l), lines_per_net / layers));
    height += layer_height(shown.back().size()) + 26;
  }
  Svg svg(width, height, "life of every unit");
  const Scale x{.low = 0,
                .high = static_cast<double>(std::max<std::size_t>(history.last_epoch(), 1)),
                .from = left,
                .to = right};
  double top = 18;
  for (std::size_t l = 0; l < layers; ++l) {
    const double tall = layer_height(shown[l].size());
    svg.text(4, top - 5, fmt::format("layer {}", l + 1), "start", "name");
    for (const Stretch& phase : history.phases()) {
      const double from = x(static_cast<double>(phase.from) - 1);
      svg.rect(from, top, x(static_cast<double>(phase.to)) - from, tall, phase_style(phase.name) + " wash");
    }
    draw_layer(svg, shown[l], x, top, tall);
    for (const Rewind& rewind : history.rewinds) {
      const double at = x(static_cast<double>(rewind.epoch));
      svg.line(at, top, at, top + tall, "rewind");
    }
    top += tall + 26;
  }
  const double bottom = top - 22;
  for (const double tick : x.ticks(10)) svg.text(x(tick), bottom + 12, count_text(tick), "middle");
  svg.text((left + right) / 2, height - 4, "epoch", "middle", "name");
  return svg.str();
}

std::string describe(const NetHistory& history) {
  bool cut = false;
  std::string text = "One line per unit, from its first epoch to its last. ";
  for (std::size_t l = 0; l < history.lives.layers(); ++l) {
    const std::vector<Life>& lives = history.lives.layer(l);
    const std::size_t survived = count_fate(lives, Fate::survived);
    const std::size_t unlearned = count_fate(lives, Fate::unlearned);
    text +=
        fmt::format("Layer {}: of {} units {} survived, {} died", l + 1,
                    count_text(static_cast<double>(lives.size())), survived, count_fate(lives, Fate::died));
    text += unlearned > 0 ? fmt::format(", {} were undone by a rewind. ", unlearned) : ". ";
    cut = cut || lives.size() > lines_per_net / history.lives.layers();
  }
  return cut ? text + "Of so many, only a part is drawn." : text;
}

}  // namespace

void add_lives(const RunRecord& run, Page& page) {
  std::string html = net_selector(run, page) + legend({{"stroke life survived", "survived"},
                                                       {"stroke life died", "died"},
                                                       {"stroke life unlearned", "undone by a rewind"}});
  std::vector<std::string> texts;
  for (const std::size_t net : page.nets) {
    html += fmt::format("<div class=\"picture\" data-net=\"{}\"{}>{}</div>", net,
                        net == run.chosen ? "" : " hidden", picture(run.histories[net]));
    texts.push_back(describe(run.histories[net]));
  }
  page.sections.push_back(
      {.id = "lives", .title = "The life of every unit", .html = html + captions_per_net(page, texts)});
}

}  // namespace coppice
