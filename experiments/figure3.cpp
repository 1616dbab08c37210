#include "experiments/figure3.h"

#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/entries.h"
#include "experiments/picture.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// The paper's grid and random search, or a part of them.
SearchSpace space_of(const Counts& counts) {
  SearchSpace space;
  space.trials = counts.trials;
  space.reruns = counts.seeds;
  space.top = counts.best;
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
  space.kind = SearchKind::grid;
  for (const double lambda : set.lambdas) {
    const std::vector<NetResult> nets = set.nets.of_lambda(lambda);
    SameSize& size = sizes.emplace_back(
        SameSize{.summary = summary_of(set.nets, lambda), .chosen = nets[representative(nets)]});
    space.sizes = {size.chosen.hidden_units};
    Tried tried = parametric.search(fmt::format("size-{}", size_text(size.chosen.hidden_units)), space);
    size.grid = std::move(tried.first);
    size.parametric = tried.settings.front();
  }
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
  return flags + Flags{{"angle", fmt::format("{:g}", mnist_angle)}};
}

/// What `coppice train` does without being told anything about the protocol.
Flags default_flags(const Nonparametric& set, const Counts& counts) {
  return {{"lambda", numbers_text(set.lambdas)}, {"seeds", std::to_string(counts.seeds)}};
}

Figure3Panel make_panel(const Session& session, const std::string& title, Nonparametric set) {
  Figure3Panel panel{.title = title, .nonparametric = std::move(set)};
  const Counts& counts = session.counts;
  const DataFiles& data = panel.nonparametric.data;
  if (counts.short_protocol == 0) {
    panel.by_angle = train_nets(session, data.name + "-angle", data, angle_flags(panel.nonparametric));
    panel.defaults =
        train_nets(session, data.name + "-defaults", data, default_flags(panel.nonparametric, counts));
  }
  Parametric parametric(session, data, parametric_flags(counts, data));
  panel.sizes = same_sizes(session, panel.nonparametric, parametric);
  SearchSpace space = space_of(counts);
  space.layers = larger_layers(panel.sizes);
  Tried tried = parametric.search("larger", space);
  panel.random = std::move(tried.first);
  panel.larger = two_or_three(tried.settings);
  panel.parametric = parametric.provenance();
  return panel;
}

}  // namespace

std::vector<Side> Figure3Panel::own_series() const {
  std::vector<Side> all;
  if (by_angle) all.push_back({fmt::format("nonparametric, angle {:g}", mnist_angle), "orange", *by_angle});
  if (defaults) all.push_back({"nonparametric, default settings", "green", *defaults});
  return all;
}

const SameSize& Figure3Panel::best() const {
  return *std::ranges::min_element(sizes, {},
                                   [](const SameSize& size) { return size.summary.validation.median; });
}

namespace {

EntryPage page_of(const Session& session, const std::vector<Figure3Panel>& panels) {
  const Counts& counts = session.counts;
  const SearchSpace space = space_of(counts);
  EntryPage page{
      .name = "figure3",
      .title = "Figure 3: test error against size",
      .introduction = fmt::format(
          "Nonparametric nets at the paper's lambdas, {} seeds each (black: a typical one, bars are ranges "
          "over seeds). For each typical net a grid of {} steps, {} optimizers and 2 kinds of batch "
          "normalisation at its size; the {} best by validation error with {} seeds; the best of them by "
          "median validation error (red). {} random settings with layers of 1 to 5 times the largest typical "
          "net's units, the {} best of them with {} seeds: the best, and smaller ones (blue).{} The best of "
          "several is always the one of the lowest median validation error.",
          counts.seeds, space.steps.values.size(), space.optimizers.size(), counts.best, counts.seeds,
          counts.trials, counts.best, counts.seeds,
          panels.front().defaults
              ? fmt::format(" Not in the paper: nets that are turned by an angle of {:g} rather than by "
                            "alpha_phi 30, which comes to that on MNIST (orange); nets that `coppice train` "
                            "makes when it is given lambda alone (green).",
                            mnist_angle)
              : ""),
      .claims = figure3_claims(panels.at(0), panels.at(1), panels.at(2)),
      .details = figure3_details(panels)};
  for (const Figure3Panel& panel : panels) {
    page.data.push_back(panel.nonparametric.data);
    page.provenances.push_back(panel.nonparametric.nets.provenance);
    for (const Side& series : panel.own_series()) page.provenances.push_back(series.nets.provenance);
    page.provenances.push_back(panel.parametric);
  }
  return page;
}

}  // namespace

void make_figure3(const Session& session) {
  find_mnist(session);  // rather now than after an hour
  std::vector<Figure3Panel> panels;
  panels.push_back(make_panel(session, "MNIST", mnist_nets(session)));
  panels.push_back(make_panel(session, "rectangles-images", rectangles_nets(session)));
  panels.push_back(make_panel(session, "convex", convex_nets(session)));
  write_entry(session, page_of(session, panels), figure3_rows(panels), draw_figure3(panels));
}

void judge_figure3(const Session& session, const StoredEntry& stored) {
  EntryPage page = page_of(session, stored_panels(stored));
  page.version = stored.version;
  write_page(session, page);
}

}  // namespace coppice::experiments
