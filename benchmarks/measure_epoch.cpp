#include "benchmarks/floor.h"
#include "benchmarks/measures.h"
#include "benchmarks/workload.h"

#include <fmt/format.h>

namespace coppice {

namespace {

/// The steps of one epoch of a net that starts anew each time.
class Epoch {
 public:
  Epoch(ThreadPool& pool, const Workload& work, const NetData& data, const TrainingOptions& options)
      : trainer_(pool, options), data_(&data), start_(start_run(trainer_, work, data)), run_(start_) {}

  void rewind() { run_ = start_; }
  void train() {
    EpochReport report;
    trainer_.train_steps(run_, *data_, workspace_, {}, report);
  }
  void validate() { trainer_.validate(run_.current, *data_, workspace_); }

 private:
  Trainer trainer_;
  const NetData* data_;
  NetRun start_;
  NetRun run_;
  Workspace<float> workspace_;
};

void floor_epoch(Floor& floor, const Workload& work) {
  for (std::size_t step = 0; step < work.steps(); ++step) floor.step();
}

/// A contestant whose net goes back to its start: the copy costs a hundredth of an epoch at most and no more
/// than training itself copies at every epoch's start.
std::function<void()> training(Epoch& epoch) {
  return [&epoch] {
    epoch.rewind();
    epoch.train();
  };
}

}  // namespace

std::vector<Figure> epoch_figures(const Plan& plan) {
  const Workload work = mnist_net();
  const Dataset rows = noise(work);
  const NetData data = net_data(work, rows);
  ThreadPool all(plan.threads);
  ThreadPool one(1);
  Floor floor_all(all, work);
  Floor floor_one(one, work);
  TrainingOptions options = training_options(work);
  Epoch adarad_all(all, work, data, options);
  Epoch adarad_one(one, work, data, options);
  options.optimizer = OptimizerKind::sgd;
  options.step = 1e-3;
  Epoch sgd_one(one, work, data, options);
  const Turns turns({[&] { floor_epoch(floor_all, work); }, training(adarad_all),
                     [&] { floor_epoch(floor_one, work); }, training(adarad_one), training(sgd_one),
                     [&] { adarad_all.validate(); }, [&] { adarad_one.validate(); }},
                    plan.rounds);
  return {{"epoch_over_floor", turns.ratio(1, 0), 1.30, 1.12},
          {"epoch_over_floor_1_thread", turns.ratio(3, 2), 1.20, 1.08},
          {"adarad_over_sgd", turns.ratio(3, 4), 1.05, 1.02},
          {"evaluation_share", turns.share(5, 1), 0.12, 0.06},
          {"evaluation_share_1_thread", turns.share(6, 3), 0.12, 0.06}};
}

Figure poker_figure(const Plan& plan) {
  const Workload work = poker_net();
  const Dataset rows = noise(work);
  const NetData data = net_data(work, rows);
  ThreadPool pool(plan.threads);
  Floor floor(pool, work);
  Epoch epoch(pool, work, data, training_options(work));
  const Turns turns({[&] { floor_epoch(floor, work); }, training(epoch)}, plan.rounds);
  return {"poker_epoch_over_floor", turns.ratio(1, 0), 1.8, 1.4};
}

Series precision_series(const Plan& plan) {
  Series series{fmt::format("precision of products, steps of an epoch, {} threads", plan.threads),
                {"net", "fp32: s", "bf16: s", "times as fast", "range"},
                {}};
  if (!bf16_works()) return series;
  ThreadPool pool(plan.threads);
  for (const Workload& work : {mnist_net(), poker_net()}) {
    const Dataset rows = noise(work);
    const NetData data = net_data(work, rows);
    TrainingOptions options = training_options(work);
    Epoch fp32(pool, work, data, options);
    options.precision = Precision::bf16;
    Epoch bf16(pool, work, data, options);
    const Turns turns({training(fp32), training(bf16)}, plan.rounds);
    const Spread ratio = turns.ratio(0, 1);
    series.rows.push_back({work.name(), fmt::format("{:.4f}", turns.time(0).median),
                           fmt::format("{:.4f}", turns.time(1).median), fmt::format("{:.2f}", ratio.median),
                           fmt::format("{:.2f} to {:.2f}", ratio.low, ratio.high)});
  }
  return series;
}

}  // namespace coppice
