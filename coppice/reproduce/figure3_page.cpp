#include "coppice/model/names.h"
#include "coppice/report/html.h"
#include "coppice/reproduce/figure3.h"
#include "coppice/reproduce/picture.h"

#include <cmath>

namespace coppice::reproduce {

namespace {

using Rows = std::vector<std::vector<std::string>>;

Mark mark_of(const Setting& setting, const char* colour) {
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
                     .sizes = size.group.sizes,
                     .errors = size.group.errors,
                     .label = fmt::format("({})", size_text(size.chosen.hidden_units))});
    marks.push_back(mark_of(size.parametric, "red"));
    marks.back().label.clear();  // the size is that of the black one
  }
  for (const Setting& setting : panel.larger) marks.push_back(mark_of(setting, "blue"));
  for (const OwnSeries& series : panel.own_series()) {
    const std::vector<Mark> own =
        marks_of({.label = "", .colour = series.colour, .nets = *series.nets}, panel.nonparametric.lambdas);
    marks.insert(marks.end(), own.begin(), own.end());
  }
  return marks_picture(panel.title, marks, width, height);
}

void add_trial(Rows& rows, const std::string& set, const char* series, const TrialResult& result) {
  rows.push_back(
      {set, series, "", size_text(result.trial.hidden), name_of(result.trial.optimizer),
       name_of(result.trial.norm), fmt::format("{:g}", result.trial.step), std::to_string(result.trial.seed),
       std::to_string(result.parameters), csv_number(result.train_loss), csv_number(result.validation_error),
       csv_number(result.test_error.value_or(std::nan(""))), std::to_string(result.epochs), result.phase});
}

void add_nets(Rows& rows, const std::string& set, const std::string& series, const TrainedNets& nets) {
  for (const NetResult& net : nets.summary.nets) {
    rows.push_back({set, series, fmt::format("{:g}", net.lambda), size_text(net.hidden_units), "adarad",
                    "capnorm", "", std::to_string(net.seed), std::to_string(net.parameters),
                    csv_number(net.train_loss), csv_number(net.validation_error),
                    csv_number(net.test_error.value_or(std::nan(""))), std::to_string(net.epochs),
                    net.phase});
  }
}

std::string setting_text(const Trial& trial) {
  return fmt::format("{}, step {:g}, {}", name_of(trial.optimizer), trial.step, name_of(trial.norm));
}

}  // namespace

std::string figure3_details(const std::vector<Figure3Panel>& panels) {
  Rows rows{{"set", "what", "units", "parameters", "test error, median (range)"}};
  for (const Figure3Panel& panel : panels) {
    for (const SameSize& size : panel.sizes) {
      rows.push_back({panel.title, fmt::format("nonparametric, lambda {:g}", size.group.lambda),
                      size_text(size.chosen.hidden_units), count_text(size.chosen.parameters),
                      errors_text(size.group.errors)});
      rows.push_back({panel.title, fmt::format("same size: {}", setting_text(size.parametric.trial)),
                      size_text(size.parametric.trial.hidden), count_text(size.parametric.parameters),
                      errors_text(size.parametric.test)});
    }
    for (const Setting& setting : panel.larger)
      rows.push_back({panel.title, fmt::format("random search: {}", setting_text(setting.trial)),
                      size_text(setting.trial.hidden), count_text(setting.parameters),
                      errors_text(setting.test)});
    for (const OwnSeries& series : panel.own_series()) {
      for (const double lambda : panel.nonparametric.lambdas) {
        const Group group = group_of(*series.nets, lambda);
        rows.push_back({panel.title, fmt::format("{}, lambda {:g}", series.label, lambda),
                        size_text(group.units), count_text(group.sizes.median), errors_text(group.errors)});
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
  std::vector<std::pair<std::string, std::string>> legend{{"black", "nonparametric"},
                                                          {"red", "parametric, same size"},
                                                          {"blue", "parametric, best of a random search"}};
  for (const OwnSeries& series : panels.front().own_series())
    legend.emplace_back(series.colour, series.label);
  draw_legend_line(svg, svg.width() - 14, 14, legend);
  return svg;
}

std::string figure3_csv(const std::vector<Figure3Panel>& panels) {
  Rows rows{{"set", "series", "lambda", "units", "optimizer", "norm", "step", "seed", "parameters",
             "train_loss", "validation_error", "test_error", "epochs", "end"}};
  for (const Figure3Panel& panel : panels) {
    const std::string& set = panel.nonparametric.data.name;
    add_nets(rows, set, "nonparametric", panel.nonparametric.nets);
    for (const OwnSeries& series : panel.own_series()) add_nets(rows, set, series.label, *series.nets);
    for (const SameSize& size : panel.sizes) {
      for (const TrialResult& run : size.parametric.runs) add_trial(rows, set, "same size", run);
      for (const TrialResult& run : size.grid) add_trial(rows, set, "grid", run);
    }
    for (const Setting& setting : panel.larger)
      for (const TrialResult& run : setting.runs) add_trial(rows, set, "larger", run);
    for (const TrialResult& run : panel.random) add_trial(rows, set, "random search", run);
  }
  return csv_text(rows);
}

}  // namespace coppice::reproduce
