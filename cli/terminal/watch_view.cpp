#include "cli/terminal/watch_view.h"

#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/run/layout.h"

#include "cli/terminal/fitted_table.h"
#include "cli/terminal/sparkline.h"
#include "cli/terminal/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

constexpr std::size_t least_curve = 8;
constexpr std::size_t good_curve = 12;
constexpr std::size_t most_curve = 40;
constexpr std::size_t low_terminal = 12;  ///< lines; below, nets need them all
constexpr double long_silence = 30;       ///< seconds
constexpr std::size_t gap = FittedTable::gap;

Style phase_style(Phase phase) {
  constexpr std::array<Style, 6> styles{Style::green,   Style::yellow, Style::cyan,
                                        Style::magenta, Style::plain,  Style::red};
  return styles.at(static_cast<std::size_t>(phase));
}

/// A curve in the colours of the phases that its characters stand for.
StyledLine in_phases(const std::string& curve, const std::vector<Phase>& phases) {
  StyledLine line;
  const std::size_t characters = display_width(curve);
  std::size_t at = 0;
  for (std::size_t i = 0; i < characters; ++i) {
    std::size_t end = at + 1;
    while (end < curve.size() && (static_cast<unsigned char>(curve[end]) & 0xC0U) == 0x80U) ++end;
    const Style style = phase_style(phases[(i + 1) * phases.size() / characters - 1]);
    if (line.empty() || line.back().style != style) line.push_back({{}, style});
    line.back().text += curve.substr(at, end - at);
    at = end;
  }
  return line;
}

class Picture {
 public:
  Picture(const WatchState& state, const WatchLook& look) : state_(state), look_(look) {}

  StyledLine title(const std::string& run) const {
    StyledLine line{{"coppice watch ", Style::dim}, {printable(run), Style::bold}};
    Styled status = status_text();
    const std::size_t used = width_of(line) + display_width(status.text);
    line.push_back({std::string(used + gap <= look_.width ? look_.width - used : gap, ' ')});
    line.push_back(std::move(status));
    return line;
  }

  StyledLine about() const {
    std::vector<std::string> parts;
    if (!state_.data().empty()) parts.push_back(printable(state_.data()));
    if (!state_.target().empty()) parts.push_back("target " + printable(state_.target()));
    if (const std::string place = device(); !place.empty()) parts.push_back(place);
    const std::size_t nets = state_.nets().size();
    parts.push_back(fmt::format("{} net{}", nets, nets == 1 ? "" : "s"));
    const auto ended = std::ranges::count_if(state_.nets(), &WatchedNet::ended);
    if (ended > 0 && !state_.summary()) parts.push_back(fmt::format("{} ended", ended));
    return {{joined(parts, " · "), Style::dim}};
  }

  /// The table: heading and one line per net that has room, then a line on those that have none.
  std::vector<StyledLine> table(std::size_t room) const {
    const std::vector<std::size_t> shown = nets_shown(room);
    FittedTable fitted(state_.summary() ? final_columns() : running_columns(), shown);
    // Curves tell more than the columns that give way first.
    fitted.narrow(look_.width - std::min(look_.width, 2 * (gap + good_curve)), 7);
    fitted.narrow(look_.width);
    add_curves(fitted);
    std::vector<StyledLine> lines = fitted.lines();
    if (shown.size() < state_.nets().size()) lines.push_back(hidden_text(shown));
    return lines;
  }

 private:
  const WatchedNet& net(std::size_t i) const { return state_.nets()[i]; }

  std::string device() const {
    if (state_.summary()) {
      return fmt::format("{}, {} thread{}", name_of(state_.summary()->device), state_.summary()->threads,
                         state_.summary()->threads == 1 ? "" : "s");
    }
    return state_.device().empty() ? std::string()
                                   : joined(std::vector<std::string>{"device", state_.device()}, " ");
  }

  Styled status_text() const {
    const std::string time = duration_text(state_.seconds());
    if (state_.summary()) return {fmt::format("finished, trained {}", time), Style::green};
    const bool begun = state_.seconds() > 0;
    if (look_.silence > long_silence) {
      return {fmt::format("{}no news for {}", begun ? time + ", " : "", duration_text(look_.silence)),
              Style::yellow};
    }
    if (!begun) return {"waiting for the first epoch", Style::yellow};
    if (state_.all_ended()) return {fmt::format("finishing, {}", time), Style::green};
    const double left = state_.seconds_to_go();
    return {fmt::format("training, {}{}", time,
                        std::isnan(left) ? "" : fmt::format(", at least {} to go", duration_text(left))),
            Style::green};
  }

  std::string error_text(double error) const { return coppice::error_text(state_.task(), error); }

  /// The net whose lowest error is lowest of all.
  std::size_t leader() const {
    const auto rank = [](const WatchedNet& net) { return std::isfinite(net.lowest) ? net.lowest : HUGE_VAL; };
    return static_cast<std::size_t>(std::ranges::min_element(state_.nets(), {}, rank) -
                                    state_.nets().begin());
  }

  bool chosen(std::size_t i) const { return state_.summary()->chosen == i; }

  static Styled number_cell(std::size_t count) { return {std::to_string(count)}; }

  FittedColumn id_column() const {
    return {"net", true, 0, [](std::size_t i) { return number_cell(i); }};
  }
  FittedColumn lambda_column() const {
    return {"lambda", true, 0, [this](std::size_t i) {
              return Styled{net(i).lambda ? fmt::format("{:.3g}", *net(i).lambda) : "-"};
            }};
  }
  FittedColumn seed_column() const {
    return {"seed", true, 6,
            [this](std::size_t i) { return Styled{net(i).seed ? std::to_string(*net(i).seed) : "-"}; }};
  }
  FittedColumn rewinds_column() const {
    return {"rewinds", true, 8, [this](std::size_t i) { return number_cell(net(i).rewinds); }};
  }

  /// "██░░░░   3/8": how much of the patience is used.
  static Styled patience_cell(const WatchedNet& net) {
    constexpr std::size_t cells = 6;
    if (!net.running() || !(net.waited >= 0 && net.patience > 0)) return {};
    const auto full = static_cast<std::size_t>(std::min(1.0, net.waited / net.patience) * cells);
    std::string bar;
    for (std::size_t i = 0; i < cells; ++i) bar += i < full ? "█" : "░";
    return {fmt::format("{} {:3g}/{:.3g}", bar, net.waited, net.patience), Style::dim};
  }

  static Styled phase_cell(const WatchedNet& net) {
    if (net.epoch == 0) return {"waiting", Style::dim};
    if (net.ended && net.phase < Phase::done) return {"stopped", Style::yellow};
    return {std::string(phase_name(net.phase)), phase_style(net.phase)};
  }

  std::vector<FittedColumn> running_columns() const {
    const std::size_t best = leader();
    return {id_column(),
            lambda_column(),
            seed_column(),
            {"phase", false, 0, [this](std::size_t i) { return phase_cell(net(i)); }},
            {"patience used", false, 7, [this](std::size_t i) { return patience_cell(net(i)); }},
            {"epoch", true, 0, [this](std::size_t i) { return number_cell(net(i).epoch); }},
            rewinds_column(),
            {"units", false, 5, [this](std::size_t i) { return Styled{size_text(net(i).units)}; }},
            {"error", true, 0, [this](std::size_t i) { return Styled{error_text(net(i).error)}; }},
            {"lowest", true, 4, [this, best](std::size_t i) {
               return Styled{error_text(net(i).lowest), i == best ? Style::bold : Style::plain};
             }}};
  }

  std::vector<FittedColumn> final_columns() const {
    const Summary& summary = *state_.summary();
    const auto result = [&summary](std::size_t i) -> const NetResult* {
      return i < summary.nets.size() ? &summary.nets[i] : nullptr;
    };
    const auto mark = [=, this](std::size_t i) {
      if (chosen(i)) return Style::bold;
      return result(i) != nullptr && result(i)->dominated ? Style::dim : Style::plain;
    };
    std::vector<FittedColumn> columns{
        {"", false, 0,
         [this](std::size_t i) {
           return Styled{chosen(i) ? "▶" : "", Style::green};
         }},
        id_column(),
        lambda_column(),
        seed_column(),
        {"units", false, 5,
         [=](std::size_t i) {
           return Styled{result(i) != nullptr ? size_text(result(i)->hidden_units) : "-", mark(i)};
         }},
        {"parameters", true, 3,
         [=](std::size_t i) {
           return Styled{result(i) != nullptr ? std::to_string(result(i)->parameters) : "-", mark(i)};
         }},
        {"validation", true, 0, [=, this](std::size_t i) {
           return Styled{result(i) != nullptr ? error_text(result(i)->validation_error) : "-", mark(i)};
         }}};
    if (std::ranges::any_of(summary.nets, [](const NetResult& r) { return r.test_error.has_value(); })) {
      columns.push_back({"test", true, 0, [=, this](std::size_t i) {
                           const bool known = result(i) != nullptr && result(i)->test_error;
                           return Styled{known ? error_text(*result(i)->test_error) : "-", mark(i)};
                         }});
    }
    columns.push_back({"epochs", true, 4, [this](std::size_t i) { return number_cell(net(i).epoch); }});
    columns.push_back(rewinds_column());
    columns.push_back({"end", false, 7, [=](std::size_t i) {
                         if (result(i) == nullptr) return Styled{"-"};
                         const std::string& phase = result(i)->phase;
                         const Phase end = from_name<Phase>(phase).value_or(Phase::grow);
                         if (end >= Phase::done) return Styled{phase, phase_style(end)};
                         return Styled{fmt::format("stopped in {}", phase), Style::yellow};
                       }});
    return columns;
  }

  /// Curves of error and size get what width is left; the error's comes first.
  void add_curves(FittedTable& table) const {
    const std::size_t left = look_.width - std::min(look_.width, table.width());
    const std::size_t both = 2 * (gap + least_curve);
    const std::size_t curves = left >= both ? 2 : left >= both / 2 ? 1 : 0;
    if (curves == 0) return;
    const std::size_t width = std::min(most_curve, left / curves - gap);
    const auto dress = [this](std::size_t i, const Styled& cell) {
      return in_phases(cell.text, net(i).phases);
    };
    table.add({width >= 16 ? "validation error" : "error", false, 0,
               [=, this](std::size_t i) {
                 return Styled{sparkline(net(i).errors, width, SparkScale::logarithmic)};
               },
               dress});
    if (curves == 2) {
      table.add({width >= 12 ? "units in all" : "units", false, 0,
                 [=, this](std::size_t i) { return Styled{sparkline(net(i).sizes, width)}; }, dress});
    }
  }

  /// All nets if they have room; else the chosen one, then those that train, wait, have ended; in their order.
  std::vector<std::size_t> nets_shown(std::size_t room) const {
    std::vector<std::size_t> shown(state_.nets().size());
    for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = i;
    if (shown.size() <= room) return shown;
    std::ranges::stable_sort(shown, {}, [this](std::size_t i) {
      if (state_.summary()) return chosen(i) ? 0 : 1;
      return net(i).running() ? 0 : net(i).ended ? 2 : 1;
    });
    shown.resize(std::max<std::size_t>(room, 2) - 1);
    std::ranges::sort(shown);
    return shown;
  }

  StyledLine hidden_text(std::span<const std::size_t> shown) const {
    std::array<std::size_t, 3> counts{};
    for (std::size_t i = 0; i < state_.nets().size(); ++i) {
      if (std::ranges::binary_search(shown, i)) continue;
      ++counts.at(net(i).running() ? 0 : net(i).ended ? 2 : 1);
    }
    std::vector<std::string> parts;
    if (counts[0] > 0) parts.push_back(fmt::format("{} training", counts[0]));
    if (counts[1] > 0) parts.push_back(fmt::format("{} waiting", counts[1]));
    if (counts[2] > 0) parts.push_back(fmt::format("{} ended", counts[2]));
    const std::size_t hidden = state_.nets().size() - shown.size();
    return {{fmt::format("{} more net{} not shown: {}", hidden, hidden == 1 ? "" : "s", joined(parts, ", ")),
             Style::yellow}};
  }

  const WatchState& state_;
  const WatchLook& look_;
};

}  // namespace

std::vector<StyledLine> watch_lines(const WatchState& state, const std::string& run, const WatchLook& look) {
  const Picture view(state, look);
  std::vector<StyledLine> lines{view.title(run), view.about(), {}};
  std::vector<StyledLine> foot;
  if (state.summary() && state.summary()->chosen) {
    foot = {{}, {{"▶", Style::green}, {" the model to use: " + printable(layout::in(run, layout::model))}}};
  } else if (state.summary()) {
    foot = {{}, {{fmt::format("no net fits the budget, so there is no {}", layout::model), Style::yellow}}};
  } else if (look.keys && (look.height == 0 || look.height >= low_terminal)) {
    foot = {{},
            {{"curves: colour is the phase, errors logarithmic · q quits watching, the run goes on",
              Style::dim}}};
  }
  constexpr std::size_t heading = 1;
  const std::size_t used = lines.size() + heading + foot.size();
  const std::size_t room = look.height == 0     ? state.nets().size()
                           : look.height > used ? look.height - used
                                                : 1;
  for (StyledLine& line : view.table(room)) lines.push_back(std::move(line));
  lines.insert(lines.end(), foot.begin(), foot.end());
  if (look.height > 0 && lines.size() > look.height) lines.resize(look.height);
  return lines;
}

}  // namespace coppice::cli
