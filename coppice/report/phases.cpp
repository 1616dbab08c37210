#include "coppice/report/section.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr std::array<const char*, 4> known_phases{"grow", "settle", "polish", "anneal"};

std::string phase_words(const std::string& phase) {
  if (phase == "grow") return "grow: units are added";
  if (phase == "settle") return "settle: no more additions, idle units die";
  if (phase == "polish") return "polish: no penalty, size fixed";
  if (phase == "anneal") return "anneal: smaller and smaller steps";
  return phase;
}

}  // namespace

std::string phase_style(const std::string& phase) {
  const auto* const found = std::ranges::find(known_phases, phase);
  return found == known_phases.end() ? "phase-other" : "phase-" + phase;
}

void draw_phases_behind(Plot& plot, const NetHistory& history) {
  for (const Stretch& phase : history.phases()) {
    const double from = plot.x(static_cast<double>(phase.from) - 1);
    const double to = plot.x(static_cast<double>(phase.to));
    plot.svg.rect(from, plot.top(), to - from, plot.bottom() - plot.top(),
                  fmt::format("{} wash", phase_style(phase.name)));
    plot.svg.rect(from, plot.top() - 4, to - from, 4, phase_style(phase.name), phase.name);
  }
}

void draw_phases_before(Plot& plot, const NetHistory& history) {
  for (const Stretch& back : history.taken_back()) {
    const double from = plot.x(static_cast<double>(back.from) - 1);
    plot.svg.rect(from, plot.top(), plot.x(static_cast<double>(back.to)) - from, plot.bottom() - plot.top(),
                  "veil", fmt::format("epochs {} to {} were taken back", back.from, back.to));
  }
  for (const Rewind& rewind : history.rewinds) {
    const double x = plot.x(static_cast<double>(rewind.epoch));
    plot.svg.line(x, plot.top(), x, plot.bottom(), "rewind");
  }
}

std::string phase_legend(const NetHistory& history) {
  std::vector<std::pair<std::string, std::string>> entries;
  std::vector<std::string> seen;
  for (const Stretch& phase : history.phases()) {
    if (std::ranges::find(seen, phase.name) != seen.end()) continue;
    seen.push_back(phase.name);
    entries.emplace_back("box " + phase_style(phase.name), phase_words(phase.name));
  }
  if (!history.rewinds.empty()) entries.emplace_back("dash", "rewind; faded: taken back");
  return legend(entries);
}

}  // namespace coppice
