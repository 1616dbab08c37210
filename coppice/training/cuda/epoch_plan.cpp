#include "coppice/training/cuda/epoch_plan.h"

#include "coppice/training/schedule.h"

#include <algorithm>

namespace coppice::cuda {

std::size_t EpochPlan::births_in(std::size_t layer) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      births, [&](const PlannedBirth& b) { return b.birth.layer == static_cast<int>(layer); }));
}

std::size_t EpochPlan::most_births_per_step() const {
  std::size_t most = 0;
  std::size_t here = 0;
  for (std::size_t i = 0; i < births.size(); ++i) {
    here = i > 0 && births[i].step == births[i - 1].step ? here + 1 : 1;
    most = std::max(most, here);
  }
  return most;
}

EpochPlan plan_epoch(const NetRun& run, std::size_t rows, const TrainingOptions& options) {
  EpochPlan plan{.steps = next_steps(run, rows, options), .births = {}, .next_unit = run.next_unit};
  const std::size_t all = steps_per_epoch(rows, options);
  const std::size_t layers = run.current.network.layers.size();
  for (std::size_t s = 0; s < plan.steps; ++s) {
    plan.samples += batch_at(s, rows, options).count;
    if (!run.protocol.adds_units()) continue;
    const std::size_t due = additions_due(run.steps + s, all, options.additions_per_epoch);
    for (std::size_t addition = 0; addition < due; ++addition) {
      for (std::size_t i = 0; i + 1 < layers; ++i) {
        const std::size_t l = options.regularizer.fan == Fan::fan_out ? i : layers - 2 - i;
        const std::size_t count = units_added(options, run.seed, run.steps + s, addition, layers, l);
        for (std::size_t unit = 0; unit < count; ++unit) {
          const std::uint32_t id = plan.next_unit++;
          const double kink = draw_kink(run.current.network.kinks, run.seed, l, id);
          plan.births.push_back({s, {static_cast<int>(l), id, static_cast<float>(kink)}});
        }
      }
    }
  }
  return plan;
}

void write_plan(const EpochPlan& plan, std::size_t net, std::size_t first, std::size_t rows,
                const TrainingOptions& options, StepTable& table) {
  for (std::size_t s = 0; s < plan.steps; ++s) {
    const Batch batch = batch_at(s, rows, options);
    table.set_batch(s, net, first + batch.first, batch.count);
  }
  for (const EpochPlan::PlannedBirth& planned : plan.births)
    table.add_birth(planned.step, net, planned.birth);
}

}  // namespace coppice::cuda
