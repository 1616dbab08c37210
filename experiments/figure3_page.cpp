#include "coppice/core/names.h"
#include "coppice/report/html.h"

#include "experiments/figure3.h"
#include "experiments/picture.h"

#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

Mark mark_of(const TriedSetting& setting, const char* colour) {
  const auto size = static_cast<double>(setting.parameters);
  return {.colour = colour,
          .size = size,
          .error = setting.test.median,
          .sizes = {size, size, size},
          .errors = setting.test,
          .label = fmt::format("({})", size_text(setting.trial.hidden))};
}

Svg draw_panel(const Figure3Panel& panel, double width, double height) {
  std::vector<Mark> marks;
  for (const SameSize& size : panel.sizes) {
    marks.push_back({.colour = "black",
                     .size = static_cast<double>(size.chosen.parameters),
                     .error = size.chosen.test_error.value_or(size.chosen.validation_error),
                     .sizes = size.summary.sizes,
                     .errors = size.summary.errors,
                     .label = fmt::format("({})", size_text(size.chosen.hidden_units))});
    marks.push_back(mark_of(size.parametric, "red"));
    marks.back().label.clear();  // the size is that of the black one
  }
  for (const TriedSetting& setting : panel.larger) marks.push_back(mark_of(setting, "blue"));
  for (const Side& series : panel.own_series()) {
    marks = marks + marks_of(series, panel.nonparametric.lambdas);
  }
  return marks_picture(panel.title, marks, width, height);
}

void add_trial(Rows& rows, const std::string& set, const char* series, const TrialResult& result) {
  const Trial& trial = result.trial;
  rows.push_back(Cells{set, series, "", size_text(trial.hidden), name_of(trial.optimizer),
                       name_of(trial.norm), fmt::format("{:g}", trial.step), std::to_string(trial.seed)} +
                 outcome_cells(result));
}

void add_nets(Rows& rows, const std::string& set, const std::string& series, const TrainedNets& nets) {
  for (const NetResult& net : nets.summary.nets)
    rows.push_back(Cells{set, series, fmt::format("{:g}", net.lambda), size_text(net.hidden_units), "adarad",
                         "capnorm", "", std::to_string(net.seed)} +
                   outcome_cells(net));
}

std::string setting_text(const Trial& trial) {
  return fmt::format("{}, step {:g}, {}", name_of(trial.optimizer), trial.step, name_of(trial.norm));
}

}  // namespace

std::string figure3_details(const std::vector<Figure3Panel>& panels) {
  Rows rows{{"set", "what", "units", "parameters", "test error, median (range)"}};
  for (const Figure3Panel& panel : panels) {
    for (const SameSize& size : panel.sizes) {
      rows.push_back({panel.title, fmt::format("nonparametric, lambda {:g}", size.summary.lambda),
                      size_text(size.chosen.hidden_units), count_text(size.chosen.parameters),
                      errors_text(size.summary.errors)});
      rows.push_back({panel.title, fmt::format("same size: {}", setting_text(size.parametric.trial)),
                      size_text(size.parametric.trial.hidden), count_text(size.parametric.parameters),
                      errors_text(size.parametric.test)});
    }
    for (const TriedSetting& setting : panel.larger)
      rows.push_back({panel.title, fmt::format("random search: {}", setting_text(setting.trial)),
                      size_text(setting.trial.hidden), count_text(setting.parameters),
                      errors_text(setting.test)});
    for (const Side& series : panel.own_series()) {
      for (const double lambda : panel.nonparametric.lambdas) {
        const LambdaSummary own = summary_of(series.nets, lambda);
        rows.push_back({panel.title, fmt::format("{}, lambda {:g}", series.label, lambda),
                        size_text(own.units), count_text(own.sizes.median), errors_text(own.errors)});
      }
    }
  }
  return markdown_table(rows);
}

Svg draw_figure3(const std::vector<Figure3Panel>& panels) {
  constexpr double width = 440;
  constexpr double height = 400;
  Svg svg(width * static_cast<double>(panels.size()), height + 24,
          "test error against size on three data sets");
  for (std::size_t i = 0; i < panels.size(); ++i)
    svg.insert(width * static_cast<double>(i), 24, draw_panel(panels[i], width, height));
  Legend legend{{"black", "nonparametric"},
                {"red", "parametric, same size"},
                {"blue", "parametric, best of a random search"}};
  for (const Side& series : panels.front().own_series()) legend.emplace_back(series.colour, series.label);
  draw_legend(svg, svg.width() - 14, 14, legend);
  return svg;
}

Rows figure3_rows(const std::vector<Figure3Panel>& panels) {
  Rows rows{Cells{"set", "series", "lambda", "units", "optimizer", "norm", "step", "seed"} + outcome_names};
  for (const Figure3Panel& panel : panels) {
    const std::string& set = panel.nonparametric.data.name;
    add_nets(rows, set, "nonparametric", panel.nonparametric.nets);
    for (const Side& series : panel.own_series()) add_nets(rows, set, series.label, series.nets);
    for (const SameSize& size : panel.sizes) {
      for (const TrialResult& run : size.parametric.runs) add_trial(rows, set, "same size", run);
      for (const TrialResult& run : size.grid) add_trial(rows, set, "grid", run);
    }
    for (const TriedSetting& setting : panel.larger)
      for (const TrialResult& run : setting.runs) add_trial(rows, set, "larger", run);
    for (const TrialResult& run : panel.random) add_trial(rows, set, "random search", run);
  }
  return rows;
}

}  // namespace coppice::experiments
