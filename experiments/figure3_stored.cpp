#include "coppice/core/fail.h"
#include "coppice/core/names.h"

#include "experiments/figure3.h"

#include <algorithm>

// Panels of figure 3 from the rows that were written when their nets were trained.
namespace coppice::experiments {

namespace {

TrialResult stored_trial(const StoredEntry& stored, std::size_t row) {
  TrialResult result;
  result.trial.hidden = stored.units(row);
  const auto optimizer = from_name<OptimizerKind>(stored.cell(row, "optimizer"));
  const auto norm = from_name<Norm>(stored.cell(row, "norm"));
  if (!optimizer || !norm) fail("row {} of the stored data names no optimizer or norm that is known", row);
  result.trial.optimizer = *optimizer;
  result.trial.norm = *norm;
  result.trial.step = stored.number(row, "step");
  result.trial.seed = stored.whole(row, "seed");
  result.parameters = stored.whole(row, "parameters");
  result.validation_error = result.criterion = stored.number(row, "validation_error");
  if (!stored.cell(row, "test_error").empty()) result.test_error = stored.number(row, "test_error");
  result.train_loss = stored.number(row, "train_loss");
  result.epochs = stored.whole(row, "epochs");
  result.phase = stored.cell(row, "end");
  return result;
}

/// Settings in the order in which they come, each with its runs.
std::vector<TriedSetting> in_order(const std::vector<TrialResult>& results) {
  std::vector<TriedSetting> settings;
  std::vector<TrialResult> runs;
  const auto close = [&] {
    if (!runs.empty()) settings.push_back(settings_of(runs).front());
    runs.clear();
  };
  for (const TrialResult& result : results) {
    Trial same = result.trial;
    if (!runs.empty()) same.seed = runs.front().trial.seed;
    if (!runs.empty() && same != runs.front().trial) close();
    runs.push_back(result);
  }
  close();
  return settings;
}

Figure3Panel stored_panel(const StoredEntry& stored, const std::string& title, const std::string& set) {
  Figure3Panel panel{.title = title};
  panel.nonparametric.data = stored.data_of(set);
  panel.nonparametric.nets.provenance = stored.provenance(set + "-adarad");
  panel.parametric = stored.provenance(set + "-parametric");
  std::vector<TrialResult> same;
  std::vector<TrialResult> grid;
  std::vector<TrialResult> larger;
  for (std::size_t row = 1; row < stored.rows.size(); ++row) {
    if (stored.cell(row, "set") != set) continue;
    const std::string& series = stored.cell(row, "series");
    const auto add_to = [&](std::optional<TrainedNets>& nets, const std::string& run) {
      if (!nets) nets.emplace().provenance = stored.provenance(run);
      nets->summary.nets.push_back(stored_net(stored, row));
    };
    if (series == "nonparametric") {
      panel.nonparametric.nets.summary.nets.push_back(stored_net(stored, row));
    } else if (series.starts_with("nonparametric, angle")) {
      add_to(panel.by_angle, set + "-angle");
    } else if (series.starts_with("nonparametric, default")) {
      add_to(panel.defaults, set + "-defaults");
    } else {
      auto& results = series == "same size" ? same
                      : series == "grid"    ? grid
                      : series == "larger"  ? larger
                                            : panel.random;
      results.push_back(stored_trial(stored, row));
    }
  }
  panel.nonparametric.lambdas = lambdas_of(panel.nonparametric.nets);
  panel.larger = in_order(larger);
  const std::vector<TriedSetting> settings = in_order(same);
  if (settings.size() != panel.nonparametric.lambdas.size() || panel.larger.empty())
    fail("the stored data of {} lacks parametric nets; make the entry anew", set);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const double lambda = panel.nonparametric.lambdas[i];
    const std::vector<NetResult> nets = panel.nonparametric.nets.of_lambda(lambda);
    SameSize& size =
        panel.sizes.emplace_back(SameSize{.summary = summary_of(panel.nonparametric.nets, lambda),
                                          .chosen = nets[representative(nets)],
                                          .parametric = settings[i]});
    std::ranges::copy_if(grid, std::back_inserter(size.grid), [&](const TrialResult& result) {
      return result.trial.hidden == size.chosen.hidden_units;
    });
  }
  return panel;
}

}  // namespace

std::vector<Figure3Panel> stored_panels(const StoredEntry& stored) {
  return {stored_panel(stored, "MNIST", "mnist"), stored_panel(stored, "rectangles-images", "rectangles"),
          stored_panel(stored, "convex", "convex")};
}

}  // namespace coppice::experiments
