#include "coppice/report/section.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace coppice {

namespace {

std::string style_of(Phase phase) {
  return fmt::format("phase-{}", phase_name(phase));
}

std::string_view words_of(Phase phase) {
  constexpr std::array<std::string_view, 4> words{
      "grow: units are added", "settle: no more additions, idle units die", "polish: no penalty, size fixed",
      "anneal: smaller and smaller steps"};
  return phase < Phase::done ? words.at(static_cast<std::size_t>(phase)) : phase_name(phase);
}

}  // namespace

Chart epoch_chart(const NetHistory& history, const std::string& label, const Chart::Axis& y) {
  const auto last = static_cast<double>(std::max<std::size_t>(history.last_epoch(), 1));
  Chart chart(label, {.name = "epoch", .scale = {.low = 0, .high = last}, .text = count_labels()}, y);
  for (const Stretch& phase : history.phases()) {
    const auto from = static_cast<double>(phase.from) - 1;
    const auto to = static_cast<double>(phase.to);
    chart.band(Chart::Depth::behind, from, to, "wash " + style_of(phase.phase), phase_name(phase.phase));
    chart.strip(from, to, style_of(phase.phase), phase_name(phase.phase));
  }
  for (const journal::Rewind& rewind : history.rewinds) {
    const auto x = static_cast<double>(rewind.epoch);
    chart.line(x, y.scale.low, x, y.scale.high, "rewind");
  }
  return chart;
}

void fade_taken_back(Chart& chart, const NetHistory& history) {
  for (const Stretch& back : history.taken_back()) {
    chart.band(Chart::Depth::before, static_cast<double>(back.from) - 1, static_cast<double>(back.to), "veil",
               "taken back later");
  }
}

std::string phase_legend(const NetHistory& history) {
  std::string html = "<ul class=\"legend\">";
  std::vector<Phase> seen;
  for (const Stretch& stretch : history.phases()) {
    if (std::ranges::find(seen, stretch.phase) != seen.end()) continue;
    seen.push_back(stretch.phase);
    html +=
        fmt::format("<li><i class=\"box {}\"></i>{}</li>", style_of(stretch.phase), words_of(stretch.phase));
  }
  if (!history.rewinds.empty()) html += "<li><i class=\"dash\"></i>rewind; faded: taken back</li>";
  return html + "</ul>";
}

}  // namespace coppice
