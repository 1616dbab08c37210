#include "coppice/reproduce/figure3.h"

#include "coppice/core/text.h"
#include "coppice/model/names.h"
#include "coppice/report/html.h"
#include "coppice/reproduce/entries.h"
#include "coppice/reproduce/picture.h"

#include <algorithm>
#include <cmath>

namespace coppice::reproduce {

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// The paper's grid, or a part of it.
SearchSpace space_of(const Counts& counts) {
  SearchSpace space;
  const std::vector<OptimizerKind> order{OptimizerKind::rmsprop, OptimizerKind::nesterov, OptimizerKind::adam,
                                         OptimizerKind::momentum, OptimizerKind::sgd};
  space.optimizers.assign(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), counts.optimizers)));
  space.steps.values = from_the_middle(space.steps.values, counts.grid_steps);
  space.normalised_steps.values = from_the_middle(space.normalised_steps.values, counts.grid_steps);
  return space;
}

/// For every lambda the typical net and the best parametric one of its size.
std::vector<SameSize> same_sizes(const Session& session, const Nonparametric& set, Parametric& parametric) {
  std::vector<SameSize> sizes;
  SearchSpace space = space_of(session.counts);
  for (const double lambda : set.lambdas) {
    const std::vector<NetResult> nets = set.nets.of_lambda(lambda);
    sizes.push_back({.group = group_of(set.nets, lambda),
                     .chosen = nets[representative(nets)],
                     .grid = {},
                     .parametric = {}});
    space.sizes.push_back(sizes.back().chosen.hidden_units);
  }
  const std::string what = fmt::format("{}, same sizes", set.data.name);
  // All sizes side by side: a GPU is the faster the more nets there are.
  const std::vector<TrialResult> grid = parametric.train(grid_trials(space, 0), what + ", grid");
  const std::size_t share = grid.size() / sizes.size();
  std::vector<std::vector<TrialResult>> lists;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto first = grid.begin() + static_cast<std::ptrdiff_t>(i * share);
    sizes[i].grid.assign(first, first + static_cast<std::ptrdiff_t>(share));
    lists.push_back(sizes[i].grid);
  }
  const auto again =
      rerun_best(parametric, lists, session.counts.best, session.counts.seeds, what + ", best again");
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i].parametric = again[i].front();
  return sizes;
}

/// Sizes from those of the largest typical net to five times as many units.
std::vector<LayerRange> larger_layers(const std::vector<SameSize>& sizes) {
  const auto largest =
      std::ranges::max_element(sizes, {}, [](const SameSize& size) { return size.chosen.parameters; });
  std::vector<LayerRange> layers;
  for (const std::size_t units : largest->chosen.hidden_units) layers.push_back({units, 5 * units});
  return layers;
}

/// What `coppice train` does without being told anything about the protocol.
Flags default_flags(const Nonparametric& set, const Counts& counts) {
  return {{"lambda", numbers_text(set.lambdas)}, {"seeds", std::to_string(counts.seeds)}};
}

Figure3Panel make_panel(const Session& session, const std::string& title, Nonparametric set) {
  Figure3Panel panel{.title = title,
                     .nonparametric = std::move(set),
                     .sizes = {},
                     .random = {},
                     .larger = {},
                     .defaults = {},
                     .parametric = {}};
  const Counts& counts = session.counts;
  if (counts.short_protocol == 0) {
    panel.defaults = train_nets(session, panel.nonparametric.data.name + "-defaults",
                                panel.nonparametric.data, default_flags(panel.nonparametric, counts));
  }
  Parametric parametric(session, panel.nonparametric.data,
                        parametric_flags(counts, panel.nonparametric.data));
  panel.sizes = same_sizes(session, panel.nonparametric, parametric);
  SearchSpace space = space_of(counts);
  space.layers = larger_layers(panel.sizes);
  const std::string what = fmt::format("{}, random search", panel.nonparametric.data.name);
  panel.random = parametric.train(random_trials(space, counts.trials, 0), what);
  panel.larger = two_or_three(
      rerun_best(parametric, {panel.random}, counts.best, counts.seeds, what + ", best again").front());
  panel.parametric = parametric.origin();
  return panel;
}

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
  if (panel.defaults) {
    const std::vector<Mark> own =
        marks_of({.label = "", .colour = "green", .nets = *panel.defaults}, panel.nonparametric.lambdas);
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

void add_nets(Rows& rows, const std::string& set, const char* series, const TrainedNets& nets) {
  for (const NetResult& net : nets.summary.nets) {
    rows.push_back({set, series, fmt::format("{:g}", net.lambda), size_text(net.hidden_units), "adarad",
                    "capnorm", "", std::to_string(net.seed), std::to_string(net.parameters),
                    csv_number(net.train_loss), csv_number(net.validation_error),
                    csv_number(net.test_error.value_or(std::nan(""))), std::to_string(net.epochs),
                    net.phase});
  }
}

Rows rows_of(const std::vector<Figure3Panel>& panels) {
  Rows rows{{"set", "series", "lambda", "units", "optimizer", "norm", "step", "seed", "parameters",
             "train_loss", "validation_error", "test_error", "epochs", "end"}};
  for (const Figure3Panel& panel : panels) {
    const std::string& set = panel.nonparametric.data.name;
    add_nets(rows, set, "nonparametric", panel.nonparametric.nets);
    if (panel.defaults) add_nets(rows, set, "nonparametric, default settings", *panel.defaults);
    for (const SameSize& size : panel.sizes) {
      for (const TrialResult& run : size.parametric.runs) add_trial(rows, set, "same size", run);
      for (const TrialResult& run : size.grid) add_trial(rows, set, "grid", run);
    }
    for (const Setting& setting : panel.larger)
      for (const TrialResult& run : setting.runs) add_trial(rows, set, "larger", run);
    for (const TrialResult& run : panel.random) add_trial(rows, set, "random search", run);
  }
  return rows;
}

std::string setting_text(const Trial& trial) {
  return fmt::format("{}, step {:g}, {}", name_of(trial.optimizer), trial.step, name_of(trial.norm));
}

std::string details(const std::vector<Figure3Panel>& panels) {
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
    if (!panel.defaults) continue;
    for (const double lambda : panel.nonparametric.lambdas) {
      const Group group = group_of(*panel.defaults, lambda);
      rows.push_back({panel.title, fmt::format("nonparametric, default settings, lambda {:g}", lambda),
                      size_text(group.units), count_text(group.sizes.median), errors_text(group.errors)});
    }
  }
  return markdown_table(rows);
}

Svg draw(const std::vector<Figure3Panel>& panels) {
  constexpr double width = 440;
  constexpr double height = 400;
  Svg svg(width * static_cast<double>(panels.size()), height + 24,
          "test error against size on three data sets");
  for (std::size_t i = 0; i < panels.size(); ++i)
    svg.insert(width * static_cast<double>(i), 24, draw_panel(panels[i], width, height));
  std::vector<std::pair<std::string, std::string>> legend{{"black", "nonparametric"},
                                                          {"red", "parametric, same size"},
                                                          {"blue", "parametric, best of a random search"}};
  if (panels.front().defaults) legend.emplace_back("green", "nonparametric, default settings");
  draw_legend_line(svg, svg.width() - 14, 14, legend);
  return svg;
}

}  // namespace

const SameSize& Figure3Panel::best() const {
  return *std::ranges::min_element(sizes, {}, [](const SameSize& size) { return size.group.errors.median; });
}

void make_figure3(const Session& session) {
  const Counts& counts = session.counts;
  find_mnist(session);  // rather now than after an hour
  std::vector<Figure3Panel> panels;
  panels.push_back(make_panel(session, "MNIST", mnist_nets(session)));
  panels.push_back(make_panel(session, "rectangles-images", rectangles_nets(session)));
  panels.push_back(make_panel(session, "convex", convex_nets(session)));
  const SearchSpace space = space_of(counts);
  Page page{
      .name = "figure3",
      .title = "Figure 3: test error against size",
      .introduction = fmt::format(
          "Nonparametric nets at the paper's lambdas, {} seeds each (black: a typical one, bars are ranges "
          "over seeds). For each typical net "
          "a grid of {} steps, {} optimizers and 2 kinds of batch normalisation at its size; the {} best by "
          "validation error with "
          "{} seeds; the best of them by median validation error (red). {} random settings with layers of 1 "
          "to 5 times the largest "
          "typical net's units, the {} best of them with {} seeds: the best, and smaller ones (blue).{}",
          counts.seeds, space.steps.values.size(), space.optimizers.size(), counts.best, counts.seeds,
          counts.trials, counts.best, counts.seeds,
          panels.front().defaults
              ? " Green, not in the paper: nets that `coppice train` makes when it is given lambda alone."
              : ""),
      .claims = figure3_claims(panels[0], panels[1], panels[2]),
      .details = details(panels),
      .origins = {},
      .data = {}};
  for (const Figure3Panel& panel : panels) {
    page.data.push_back(panel.nonparametric.data);
    page.origins.push_back(panel.nonparametric.nets.origin);
    if (panel.defaults) page.origins.push_back(panel.defaults->origin);
    page.origins.push_back(panel.parametric);
  }
  write_entry(session, page, csv_text(rows_of(panels)), draw(panels).file(picture_style()));
}

}  // namespace coppice::reproduce
