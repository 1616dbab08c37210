#include "experiments/grid.h"

#include "experiments/by_set.h"
#include "experiments/entries.h"

#include <algorithm>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

struct GridTask {
  DataFiles data;
  std::string title;
  std::vector<double> lambdas;
  std::vector<double> alphas;
  std::size_t validation_rows;
  Flags flags;
};

std::vector<double> first(std::vector<double> values, std::size_t count) {
  values.resize(std::min(values.size(), count));
  return values;
}

/// So many percent of the epochs that the paper waits.
Flags patience(const Session& session, double epochs, double fine_epochs) {
  const double share = static_cast<double>(session.counts.grid_patience) / 100;
  return {{"patience", numbers_text({share * epochs})},
          {"fine-patience", numbers_text({share * fine_epochs})}};
}

GridTask image_task(const Session& session, DataFiles data, std::string title, std::size_t validation_rows) {
  const Counts& counts = session.counts;
  const std::vector<double> lambdas = first(
      {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8}, counts.grid_lambdas);
  const std::vector<double> alphas =
      first({1, 3, 10, 30, 100, 300, 1e3, 3e3, 1e4, 3e4, 1e5}, counts.grid_alphas);
  const Flags brief{{"effort", "quick"}};
  const Flags paper = Flags{{"effort", "paper"}, {"batch-size", "1000"}} + patience(session, 100, 5);
  return {.data = std::move(data),
          .title = std::move(title),
          .lambdas = lambdas,
          .alphas = alphas,
          .validation_rows = validation_rows,
          .flags = counts.short_protocol > 0 ? brief : paper};
}

GridTask poker_task(const Session& session) {
  const Counts& counts = session.counts;
  const Flags brief{{"effort", "quick"}};
  const Flags paper = Flags{{"effort", "paper"},
                            {"batch-size", "1000"},
                            {"unit-lifetime", "5"},
                            {"additions-per-epoch", "10"}} +
                      patience(session, 10, 0.5);
  return {.data = find_poker(session),
          .title = "poker",
          .lambdas = first({1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7}, counts.grid_lambdas),
          .alphas = first({1, 10, 100, 1e3, 1e4}, counts.grid_alphas),
          .validation_rows = counts.poker_validation,
          .flags = Flags{{"hidden-layers", "4"}} + (counts.short_protocol > 0 ? brief : paper)};
}

std::string name_of_run(const GridTask& task, double alpha) {
  return fmt::format("grid-{}-{:g}", task.data.name, alpha);
}

/// The nets of one alpha are one run.
void train_grid(const Session& session, const GridTask& task, std::size_t rank, SoFar<GridSet>& so_far) {
  std::vector<NetsOrder> orders;
  for (const double alpha : task.alphas)
    orders.push_back({.name = name_of_run(task, alpha),
                      .data = task.data,
                      .flags = Flags{{"lambda", numbers_text(task.lambdas)},
                                     {"angular-step", fmt::format("{:g}", alpha)}} +
                               task.flags});
  const std::vector<TrainedNets> nets = train_side_by_side(session, orders, rank);
  GridSet set{.title = task.title, .validation_rows = task.validation_rows};
  for (std::size_t i = 0; i < nets.size(); ++i) {
    so_far.add_run(nets[i].provenance);
    for (const NetResult& net : nets[i].summary.nets)
      set.cells.push_back({.alpha = task.alphas[i], .net = net});
  }
  so_far.set = std::move(set);
}

EntryPage grid_page(const Session& session, const std::vector<GridSet>& sets) {
  const std::string patience = session.counts.grid_patience == 100
                                   ? ""
                                   : fmt::format(
                                         " Here training waits for improvement for {} % of the epochs that "
                                         "the paper waits for, so that "
                                         "nets grow for a shorter time.",
                                         session.counts.grid_patience);
  return {
      .name = "grid",
      .title = "The grid of lambda and the angular step",
      .introduction = fmt::format(
          "Step 1 of the paper's protocol: one net, with one seed, at every lambda and every alpha_phi. By "
          "this grid the paper chose alpha_phi 30 (poker 10) and the lambdas that it reports. Here every "
          "alpha_phi is compared with the paper's over all lambdas, and every cell with the best of those "
          "that the paper reports. The larger a square, the lower its validation error; red: reported by "
          "the paper; black: no more errors on validation rows than the best of these, as far as one net "
          "tells.{}",
          patience),
      .claims = grid_claims(sets),
      .details = grid_details(sets)};
}

SetsEntry<GridTask, GridSet> grid_entry(const Session& session) {
  const Counts& counts = session.counts;
  return {.name = "grid",
          .choices = {{"mnist", "MNIST",
                       [&session, &counts] {
                         return image_task(session, find_mnist(session), "MNIST", counts.mnist_rows / 6);
                       }},
                      {"rectangles", "rectangles-images",
                       [&session, &counts] {
                         return image_task(session, find_rectangles(session), "rectangles-images",
                                           counts.rectangles_rows / 6);
                       }},
                      {"convex", "convex",
                       [&session, &counts] {
                         return image_task(session, find_convex(session), "convex", counts.convex_rows / 8);
                       }},
                      {"poker", "poker", [&session] { return poker_task(session); }}},
          .most = counts.grid_sets,
          .train = train_grid,
          .page = grid_page,
          .rows = grid_rows,
          .stored = stored_grid,
          .draw = draw_grid};
}

}  // namespace

void make_grid(const Session& session) {
  make_by_set(session, grid_entry(session));
}

void judge_grid(const Session& session, const StoredEntry& stored) {
  judge_by_set(session, stored, grid_entry(session));
}

}  // namespace coppice::experiments
