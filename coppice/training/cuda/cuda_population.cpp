#include "coppice/training/cuda_population.h"

#include "coppice/core/fail.h"
#include "coppice/device/gpu.h"
#include "coppice/training/criterion.h"
#include "coppice/training/cuda/engine.h"
#include "coppice/training/cuda/epoch_plan.h"
#include "coppice/training/schedule.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace coppice {

namespace {

using namespace cuda;

/// The data set that all nets learn from, or validate on.
const Dataset& shared_data(const std::vector<NetData>& data, const Dataset* NetData::*which) {
  const bool shared = std::ranges::all_of(data, [&](const NetData& net) {
    return net.*which == data.front().*which && net.classes == data.front().classes;
  });
  if (!shared) fail("GPU: nets that are trained together must share their data");
  return *(data.front().*which);
}

class CudaPopulation final : public Population {
 public:
  CudaPopulation(ThreadPool& pool, const Trainer& trainer, std::vector<NetData> data,
                 std::vector<NetRun> runs)
      : gpu_(current_gpu()),
        trainer_(&trainer),
        data_(std::move(data)),
        runs_(std::move(runs)),
        on_host_(runs_.size(), true),
        plans_(runs_.size()),
        train_(shared_data(data_, &NetData::train), stream_),
        orders_(pool, data_, runs_) {
    if (data_.front().validation != data_.front().train) {
      validation_.emplace(shared_data(data_, &NetData::validation), stream_);
    }
  }

  void train(NetObserver& observer, const std::function<bool()>& stop) override;
  const std::vector<NetRun>& runs() override {
    const GpuScope here(gpu_);
    for (std::size_t i = 0; i < runs_.size(); ++i) fetch(i);
    return runs_;
  }

 private:
  void begin_epoch();
  void make_room();
  int expected_nets() const {
    const std::size_t together = trainer_->options().nets_together;
    return static_cast<int>(together > 0 ? together : runs_.size());
  }
  void fetch(std::size_t net);
  void leave_host(std::size_t net);
  void end_epoch();
  void end_epoch(std::size_t net);
  void take_events(std::size_t net, EpochReport& report);
  void take_lengths(std::size_t net, EpochReport& report) const;
  void close_gaps();
  void report(NetObserver& observer);

  std::size_t gpu_;
  const Trainer* trainer_;
  std::vector<NetData> data_;
  std::vector<NetRun> runs_;
  std::vector<bool> on_host_;  ///< the net's weights in runs_ are those it has
  std::vector<EpochPlan> plans_;
  struct Outcome {
    std::size_t net = 0;
    EpochReport report;
    Verdict verdict;
  };
  std::vector<Outcome> outcomes_;                      ///< of the epoch that ended last, not yet told
  std::vector<std::vector<std::vector<int>>> living_;  ///< [layer][net]: slots of the units that live
  bool gaps_ = false;                                  ///< units died in the epoch that ended last
  Stream stream_;
  Stream beside_;
  DeviceDataset train_;
  std::optional<DeviceDataset> validation_;
  Orders orders_;
  std::optional<Nets> nets_;
  std::optional<Engine> engine_;
};

void CudaPopulation::train(NetObserver& observer, const std::function<bool()>& stop) {
  const GpuScope here(gpu_);
  while (!stop() && std::ranges::any_of(runs_, &NetRun::running)) {
    try {
      begin_epoch();
    } catch (...) {
      report(observer);
      throw;
    }
    try {
      report(observer);  // on the epoch before, while the GPU computes
      orders_.prepare(runs_, 1);
    } catch (...) {
      end_epoch();
      outcomes_.clear();
      throw;
    }
    end_epoch();
    for (const Outcome& outcome : outcomes_) {
      if (observer.reads_weights(runs_[outcome.net])) fetch(outcome.net);
    }
  }
  report(observer);
}

void CudaPopulation::report(NetObserver& observer) {
  const std::vector<Outcome> outcomes = std::exchange(outcomes_, {});
  for (const Outcome& outcome : outcomes) observer.on_epoch(runs_[outcome.net], outcome.report);
}

/// Makes the nets' arrays large enough for the planned epoch; what was on the GPU moves over the host.
void CudaPopulation::make_room() {
  const std::size_t layers = runs_.front().current.network.layers.size();
  std::vector<int> needed(layers);
  std::vector<int> room(layers);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (!runs_[i].running()) continue;
    for (std::size_t l = 0; l < layers; ++l) {
      const std::size_t births = plans_[i].births_in(l);
      const std::size_t units = std::max(runs_[i].current.network.layers[l].units.size() + births,
                                         runs_[i].kept.network.layers[l].units.size());
      needed[l] = std::max(needed[l], static_cast<int>(units));
      // Growth for some epochs: every resize costs a few.
      room[l] = std::max(room[l], static_cast<int>(units + 50 * births));
    }
  }
  const auto fits = [&] {
    for (std::size_t l = 0; l < layers; ++l) {
      if (needed[l] > nets_->capacity(l)) return false;
    }
    return true;
  };
  if (nets_ && fits()) return;
  std::vector<int> capacities(layers);
  for (std::size_t l = 0; l + 1 < layers; ++l) {
    capacities[l] = static_cast<int>(padded(static_cast<std::size_t>(room[l]), 32));
    if (nets_) capacities[l] = std::max(capacities[l], nets_->capacity(l));
  }
  capacities.back() = needed.back();
  for (std::size_t i = 0; i < runs_.size(); ++i) fetch(i);
  engine_.reset();
  nets_.reset();
  const TrainingOptions& options = trainer_->options();
  nets_.emplace(runs_.front().current.network, runs_.size(), batch_sizes(data_, options).most, capacities,
                memory_for(options.optimizer, options.norm, options.kinks), expected_nets(), stream_);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (!runs_[i].running()) continue;
    nets_->put(i, runs_[i].current, Version::current);
    nets_->put(i, runs_[i].kept, Version::kept);
  }
  engine_.emplace(*nets_, runs_,
                  Engine::Data{.nets = data_,
                               .train = &train_,
                               .validation = validation_ ? &*validation_ : &train_,
                               .order = orders_.rows()},
                  options, stream_, beside_);
}

/// Brings a net's weights to the host.
void CudaPopulation::fetch(std::size_t net) {
  if (on_host_[net]) return;
  nets_->get(net, runs_[net].current, Version::current);
  nets_->get(net, runs_[net].kept, Version::kept);
  on_host_[net] = true;
}

/// From now on the net changes on the GPU.
void CudaPopulation::leave_host(std::size_t net) {
  if (!on_host_[net]) return;
  strip(runs_[net].current);
  strip(runs_[net].kept);
  on_host_[net] = false;
}

void CudaPopulation::begin_epoch() {
  const TrainingOptions& options = trainer_->options();
  std::size_t steps = 0;
  std::size_t births = 1;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    plans_[i] = {};
    if (!runs_[i].running()) continue;
    plans_[i] = plan_epoch(runs_[i], data_[i].train_rows.size(), options);
    steps = std::max(steps, plans_[i].steps);
    births = std::max(births, plans_[i].most_births_per_step());
  }
  make_room();
  StepTable& table = engine_->table(births);
  table.begin(steps);
  Engine::Settings settings{.active = {},
                            .sizes = std::vector<NetStep>(runs_.size()),
                            .widths = std::vector<int>(nets_->layers() * runs_.size())};
  bool with_lengths = false;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const NetRun& run = runs_[i];
    settings.active.push_back(run.running());
    if (!run.running()) continue;
    const std::size_t rows = data_[i].train_rows.size();
    write_plan(plans_[i], i, orders_.first(i), rows, options, table);
    const StepSizes sizes = step_sizes(run, options, 1, static_cast<double>(rows));
    settings.sizes[i] = {sizes.angular,   sizes.radial,           sizes.shrinkage,          sizes.by_angle,
                         sizes.trust,     sizes.relative_epsilon, sizes.relative_shrinkage, sizes.exponential,
                         sizes.peak_decay};
    for (std::size_t l = 0; l < nets_->layers(); ++l) {
      settings.widths[l * runs_.size() + i] = static_cast<int>(run.current.network.layers[l].units.size());
    }
    with_lengths = with_lengths || reports_lengths(run.epoch + 1);
  }
  orders_.use(runs_, stream_);
  engine_->launch(settings, with_lengths);
}

void CudaPopulation::end_epoch() {
  stream_.wait();
  gaps_ = false;
  living_.assign(nets_->layers(), std::vector<std::vector<int>>(runs_.size()));
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (runs_[i].running()) end_epoch(i);
  }
  if (gaps_) close_gaps();
  for (Outcome& outcome : outcomes_) {
    NetRun& run = runs_[outcome.net];
    if (outcome.verdict.keep) {
      nets_->copy_version(outcome.net, Version::current, Version::kept);
      run.kept = run.current;
    }
    if (outcome.verdict.rewind) {
      nets_->copy_version(outcome.net, Version::kept, Version::current);
      run.current = run.kept;
    }
    if (run.running()) continue;
    fetch(outcome.net);
    if (run.protocol.phase() != Phase::done) continue;
    Workspace<float> workspace;
    trainer_->prefer_base_rate(run, data_[outcome.net], workspace, outcome.report);
  }
}

void CudaPopulation::end_epoch(std::size_t net) {
  leave_host(net);
  NetRun& run = runs_[net];
  const EpochResults& results = engine_->results();
  const EpochPlan& plan = plans_[net];
  EpochReport report = trainer_->begin_report(run);
  take_events(net, report);
  const std::size_t layers = nets_->layers();
  Trainer::tell_steps(std::span(results.tallies.data() + net * layers, layers), report);
  run.steps += plan.steps;
  run.next_unit = plan.next_unit;
  const NetData& data = data_[net];
  const double seen = total_weight(*data.train, data.train_rows) * static_cast<double>(plan.samples) /
                      static_cast<double>(data.train_rows.size());
  const double train_loss = results.train[net].loss / seen;
  Trainer::end_steps(run, train_loss, report);
  const bool finite = std::isfinite(train_loss) && results.failed[net] == 0;
  const LossSum sum{.loss = results.validation[net].loss, .wrong = results.validation[net].wrong};
  set_validation(run.current, sum, engine_->scores(net), data, trainer_->options());
  if (!finite) run.current.validation_error = run.current.criterion = std::nan("");
  if (reports_lengths(run.epoch)) take_lengths(net, report);
  const Verdict verdict = trainer_->judge(run, report);
  outcomes_.push_back({net, std::move(report), verdict});
}

/// Who came and went: the ids of the units that live are those of the net from now on.
void CudaPopulation::take_events(std::size_t net, EpochReport& report) {
  std::vector<Layer<float>>& layers = runs_[net].current.network.layers;
  for (const EpochPlan::PlannedBirth& planned : plans_[net].births) {
    const auto layer = static_cast<std::size_t>(planned.birth.layer);
    layers[layer].units.push_back(planned.birth.unit);
    report.born.push_back({planned.birth.unit, layer});
  }
  std::vector<std::tuple<int, std::size_t, std::uint32_t>> deaths;  // by step, then as the CPU looks for them
  for (std::size_t l = 0; l < layers.size(); ++l) {
    std::vector<std::uint32_t> units;
    for (std::size_t j = 0; j < layers[l].units.size(); ++j) {
      const int died =
          l + 1 < layers.size() ? engine_->results().died[l][net * nets_->layer(l).unit_stride + j] : alive;
      if (died == alive) {
        living_[l][net].push_back(static_cast<int>(j));
        units.push_back(layers[l].units[j]);
      } else {
        deaths.emplace_back(died, l, layers[l].units[j]);
      }
    }
    layers[l].units = std::move(units);
    if (l + 1 < layers.size()) report.hidden_units.push_back(layers[l].units.size());
  }
  std::ranges::stable_sort(deaths, {}, [](const auto& death) { return std::get<0>(death); });
  for (const auto& [step, layer, unit] : deaths) report.died.push_back({unit, layer});
  gaps_ = gaps_ || !deaths.empty();
}

void CudaPopulation::take_lengths(std::size_t net, EpochReport& report) const {
  const std::vector<Layer<float>>& layers = runs_[net].current.network.layers;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    for (std::size_t j = 0; j < layers[l].units.size(); ++j) {
      const std::size_t slot =
          net * nets_->layer(l).unit_stride + static_cast<std::size_t>(living_[l][net][j]);
      const Lengths& lengths = engine_->results().lengths[l][slot];
      report.lengths.push_back({layers[l].units[j], l, lengths.fan_in, lengths.fan_out});
    }
  }
}

void CudaPopulation::close_gaps() {
  std::vector<std::vector<int>> keep;
  for (std::size_t l = 0; l < nets_->layers(); ++l) {
    const std::size_t stride = nets_->layer(l).unit_stride;
    std::vector<int>& slots = keep.emplace_back(runs_.size() * stride, -1);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      std::ranges::copy(living_[l][i], slots.begin() + static_cast<std::ptrdiff_t>(i * stride));
    }
  }
  nets_->close_gaps(keep);
}

}  // namespace

std::unique_ptr<Population> make_cuda_population(ThreadPool& pool, const Trainer& trainer,
                                                 std::vector<NetData> data, std::vector<NetRun> runs,
                                                 std::size_t gpu) {
  const GpuStatus status = gpu_status({&gpu, 1});
  if (!status.usable) fail("GPU: {}", status.text);
  const TrainingOptions& options = trainer.options();
  const std::string lack = gpu_lacks({.norm = options.norm,
                                      .fixed_size = !options.fixed_size.empty(),
                                      .kink_step = options.kink_step,
                                      .output_scale_step = options.output_scale_step,
                                      .capnorm_rows = options.capnorm_rows});
  if (!lack.empty()) fail("GPU: {}; use `device` cpu", lack);
  const GpuScope here(gpu);
  return std::make_unique<CudaPopulation>(pool, trainer, std::move(data), std::move(runs));
}

}  // namespace coppice
