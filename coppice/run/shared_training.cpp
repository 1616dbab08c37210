#include "coppice/run/shared_training.h"

#include "coppice/api/repeat.h"
#include "coppice/api/resolve.h"
#include "coppice/core/fail.h"
#include "coppice/device/conductor.h"
#include "coppice/run/checkpoint.h"
#include "coppice/run/configuration.h"
#include "coppice/run/trained_net.h"

#include <algorithm>
#include <utility>

namespace coppice {

namespace {

void refuse_unshared(const Options& options) {
  if (options.time_limit)
    fail_option("time-limit", "`time-limit`: a training that several share has none; use `max-epochs`");
  if (options.device == Device::cuda)
    fail_option("device",
                "`device` cuda: nets that several train are trained by processors; use `device` cpu");
}

/// Collects the epochs of a net and tells them to the thread of its caller.
class Teller final : public NetObserver {
 public:
  Teller(Conductor& conductor, Observer* observer, std::vector<EpochReport>& epochs)
      : conductor_(&conductor), observer_(observer), epochs_(&epochs) {}

  void on_epoch(const NetRun&, const EpochReport& report) override {
    epochs_->push_back(report);
    if (observer_ == nullptr) return;
    conductor_->post([observer = observer_, report] { observer->on_epoch(report); });
  }
  bool reads_weights(const NetRun&) const override { return false; }

 private:
  Conductor* conductor_;
  Observer* observer_;
  std::vector<EpochReport>* epochs_;
};

}  // namespace

SharedTraining::SharedTraining(const Table& table, const Options& options,
                               const std::function<bool()>& stop) {
  refuse_unshared(options);
  RunOptions run;
  run.table = table;
  run.options = options;
  run.options.device = Device::cpu;
  Conductor conductor(stop);
  conductor.run([&] {
    data_ = read_files(run, [&] { return conductor.stopped(); });
    training_ = std::make_unique<Training>(data_.data, data_.options, [&] { conductor.check(); });
    training_->begin({});
  });
  fingerprint_ = settings_fingerprint(training_->options(), data_.checksums);
}

std::string SharedTraining::train(std::size_t net, std::size_t threads, Observer* observer,
                                  const std::function<bool()>& stop) const {
  const std::vector<std::size_t> nets = waiting();
  if (std::ranges::find(nets, net) == nets.end())
    fail("net {} does not wait to be trained; choose one that does", net);
  Conductor conductor(stop);
  std::vector<EpochReport> epochs;
  Teller teller(conductor, observer, epochs);
  NetRun run;
  conductor.run([&] {
    run = training_->trained_alone(net, threads == 0 ? thread_count(training_->options()) : threads, teller,
                                   [&] { return conductor.stopped(); });
    if (run.running()) conductor.check();
  });
  return trained_net_bytes(run, epochs, fingerprint_);
}

void SharedTraining::take(std::string_view bytes, Observer* observer) {
  const TrainedNetBytes trained = read_trained_net(bytes, fingerprint_);
  const std::vector<NetRun>& runs = training_->runs();
  if (trained.net >= runs.size())
    fail("net {} is of a later round; first take all nets of this one", trained.net);
  if (!runs[trained.net].running()) return;
  NetRun run = runs[trained.net];
  restore_checkpoint(run, trained.checkpoint, "the net", fingerprint_);
  Conductor conductor({});
  conductor.run([&] { training_->take(std::move(run)); });
  history_.insert(history_.end(), trained.epochs.begin(), trained.epochs.end());
  if (observer == nullptr) return;
  for (const EpochReport& report : trained.epochs) observer->on_epoch(report);
}

Result SharedTraining::finish(Observer* observer, const std::function<bool()>& stop) {
  const bool stopped = !waiting().empty();
  if (stopped && std::ranges::all_of(training_->runs(), [](const NetRun& run) { return run.epoch == 0; }))
    fail_as(ErrorKind::interrupted, "no net was trained");
  if (stopped) training_->forget_fresh_round();
  Result result;
  Conductor conductor(stop);
  conductor.run([&] { result = training_->finish([&] { conductor.check(); }); });
  result.stopped = stopped;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  result.history = history_;
  if (!stopped) result.repetitions = repetitions(data_.data, data_.options, result, observer, stop);
  return result;
}

}  // namespace coppice
