#include "coppice/search/group_training.h"

#include "coppice/api/device.h"
#include "coppice/api/make_population.h"
#include "coppice/api/measure.h"
#include "coppice/api/resolve.h"
#include "coppice/search/in_populations.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace coppice {

Options trial_options(const Options& base, const Trial& trial) {
  Options options = base;
  options.lambdas.clear();
  options.fixed_size = trial.hidden;
  options.hidden_layers = trial.hidden.size();
  options.optimizer = trial.optimizer;
  options.step = trial.step;
  options.norm = trial.norm;
  return options;
}

std::size_t most_together(Device device) {
  return device == Device::cuda ? 256 : 32;
}

GroupTraining::GroupTraining(ThreadPool& pool, const PreparedData& data, const TrialGroup& group,
                             std::span<const Trial> trials, Record record, SearchObserver* observer)
    : pool_(&pool),
      data_(&data),
      group_(&group),
      trials_(trials),
      record_(std::move(record)),
      observer_(observer),
      device_(choose_device(group.options)),
      trainer_(pool, training_options(group.options)) {}

TrainingOptions GroupTraining::training_options(const Options& options) const {
  TrainingOptions training = coppice::training_options(options);
  training.nets_together =
      most_together(device());  // not as many as are left: a net's bits must not depend on that
  training.precision = choose_precision(options, device(), data_->images());
  return training;
}

void GroupTraining::on_epoch(const NetRun& run, const EpochReport& report) {
  if (observer_ != nullptr) observer_->on_epoch(report);
  if (!run.running()) end(run);
}

bool GroupTraining::train(std::size_t& most, const std::function<bool()>& stop) {
  const auto together = [&](std::vector<NetRun> runs) {
    std::vector<NetData> data;
    for (const NetRun& run : runs) data.push_back(data_->net_data(run.seed));
    return make_population(device_, *pool_, trainer_, std::move(data), std::move(runs), NetOrder::one_by_one);
  };
  const auto halved = [&](std::size_t now) {
    if (observer_ == nullptr) return;
    observer_->on_note(
        fmt::format("the GPU's memory does not suffice for so many nets; {} together from now on", now));
  };
  const ManyNets nets{.count = group_->trials.size(),
                      .start = [&](std::size_t i) { return start(group_->trials[i]); },
                      .together = together,
                      .halved = halved};
  return train_in_populations(nets, most, *this, stop);
}

/// Only here do size and step of the trial matter: from now on they are the net's own.
NetRun GroupTraining::start(std::size_t trial) {
  const Trial& t = trials_[trial];
  Options options = group_->options;
  options.fixed_size = t.hidden;
  options.step = t.step;
  NetRun run = Trainer(*pool_, training_options(options)).start(trial, 0, t.seed, data_->net_data(t.seed));
  if (!run.running()) end(run);  // a limit of no steps at all
  return run;
}

void GroupTraining::end(const NetRun& run) {
  const NetState& state = group_->options.keep == Keep::last ? run.current : run.kept;
  TrialResult result{.trial = trials_[run.id],
                     .parameters = state.network.parameters(),
                     .validation_error = std::nan(""),
                     .criterion = std::nan(""),
                     .test_error = std::nullopt,
                     .train_loss = state.train_loss,
                     .epochs = run.epoch,
                     .phase = std::string(phase_name(run.protocol.phase()))};
  std::optional<Model> model;
  if (!result.failed() || std::isfinite(state.validation_error)) {
    const MeasuredNet net = measure(*pool_, trainer_, run, state, *data_);
    result.validation_error = net.validation_error;
    result.criterion = net.criterion;
    result.test_error = net.test_error;
    model = net.model;
  }
  record_(result, model);
  if (observer_ != nullptr) observer_->on_result(result);
}

}  // namespace coppice
