#include "coppice/report/section.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace coppice {

namespace {

/// Lines in one picture: more cannot be told apart, and the page stays small.
constexpr std::size_t lines_per_net = 1600;

std::size_t count_fate(const std::vector<Life>& lives, Fate fate) {
  return static_cast<std::size_t>(std::ranges::count(lives, fate, &Life::fate));
}

/// Survivors all, the others at even distances in the order of birth.
std::vector<Life> drawn_lives(const std::vector<Life>& lives, std::size_t most) {
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
std::string lives_picture(const NetHistory& history, std::size_t layer) {
  const std::vector<Life> lives =
      drawn_lives(history.lives.layer(layer), lines_per_net / history.lives.layers());
  const double height = layer_height(lives.size());
  std::array<std::string, 3> paths;
  for (std::size_t i = 0; i < lives.size(); ++i) {
    const std::size_t end = std::max(lives[i].end, lives[i].born + 1);
    paths.at(static_cast<std::size_t>(lives[i].fate)) += fmt::format("M{} {}H{}", lives[i].born, i, end);
  }
  const auto lines = static_cast<double>(std::max<std::size_t>(lives.size(), 1));
  const double step = height / lines;
  const std::string pen = step > 2.6 ? "thick" : step > 1.2 ? "middling" : "thin";
  Chart chart =
      epoch_chart(history, fmt::format("life of every unit of layer {}", layer + 1),
                  {.name = fmt::format("layer {}", layer + 1), .scale = {.low = 0.5 - lines, .high = 0.5}});
  chart.path(paths[2], fmt::format("life {} unlearned", pen));
  chart.path(paths[1], fmt::format("life {} died", pen));
  chart.path(paths[0], fmt::format("life {} survived", pen));
  return chart.height(height).str();
}

std::string describe_lives(const NetHistory& history) {
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

std::string lives_html(const RunRecord& run) {
  return selected_net(run, [&](std::size_t net) {
    const NetHistory& history = run.histories[net];
    std::string all = legend({{"stroke life survived", "survived"},
                              {"stroke life died", "died"},
                              {"stroke life unlearned", "undone by a rewind"}});
    for (std::size_t l = 0; l < history.lives.layers(); ++l) all += lives_picture(history, l);
    return all + caption(describe_lives(history));
  });
}

}  // namespace coppice
