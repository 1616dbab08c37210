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

/// The paper's protocol, but for alpha_phi.
Flags angle_flags(const Nonparametric& set) {
  Flags flags = set.flags;
  std::erase_if(flags, [](const auto& flag) { return flag.first == "angular-step"; });
  flags.emplace_back("angle", fmt::format("{:g}", mnist_angle));
  return flags;
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
                     .by_angle = {},
                     .defaults = {},
                     .parametric = {}};
  const Counts& counts = session.counts;
  if (counts.short_protocol == 0) {
    panel.by_angle = train_nets(session, panel.nonparametric.data.name + "-angle", panel.nonparametric.data,
                                angle_flags(panel.nonparametric));
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

}  // namespace

std::vector<OwnSeries> Figure3Panel::own_series() const {
  std::vector<OwnSeries> all;
  if (by_angle) all.push_back({fmt::format("nonparametric, angle {:g}", mnist_angle), "orange", &*by_angle});
  if (defaults) all.push_back({"nonparametric, default settings", "green", &*defaults});
  return all;
}

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
              ? fmt::format(
                    " Not in the paper: nets that are turned by an angle of {:g} rather than by alpha_phi "
                    "30, "
                    "which comes to that on MNIST (orange); nets that `coppice train` makes when it is given "
                    "lambda alone (green).",
                    mnist_angle)
              : ""),
      .claims = figure3_claims(panels[0], panels[1], panels[2]),
      .details = figure3_details(panels),
      .data = {}};
  for (const Figure3Panel& panel : panels) {
    page.data.push_back(panel.nonparametric.data);
    page.origins.push_back(panel.nonparametric.nets.origin);
    for (const OwnSeries& series : panel.own_series()) page.origins.push_back(series.nets->origin);
    page.origins.push_back(panel.parametric);
  }
  write_entry(session, page, figure3_csv(panels), draw_figure3(panels).file(picture_style()));
}

}  // namespace coppice::reproduce
