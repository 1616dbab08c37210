#include "coppice/api/train.h"

#include "coppice/api/repeat.h"
#include "coppice/api/training.h"
#include "coppice/device/conductor.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>

namespace coppice {

namespace {

/// Brings what happens in the threads of a training to the thread of its caller.
class Relay final : public TrainingObserver {
 public:
  Relay(Conductor& conductor, Observer* observer, std::vector<EpochReport>& history)
      : conductor_(&conductor), observer_(observer), history_(&history) {}

  void on_start(const NetRun&, const PlannedNet&, Device) override {}
  void on_epoch(const NetRun&, const EpochReport& report) override {
    conductor_->post([this, report] {
      if (observer_ != nullptr) observer_->on_epoch(report);
      history_->push_back(report);
      history_->back().lengths.clear();
    });
  }
  bool reads_weights(const NetRun&) const override { return false; }
  void on_note(const std::string& note) override {
    conductor_->post([this, note] {
      notes.push_back(note);
      if (observer_ != nullptr) observer_->on_note(note);
    });
  }

  std::vector<std::string> notes;

 private:
  Conductor* conductor_;
  Observer* observer_;
  std::vector<EpochReport>* history_;
};

}  // namespace

Result train(const Table& table, const Options& options, Observer* observer,
             const std::function<bool()>& stop) {
  Conductor conductor(stop);
  std::vector<EpochReport> history;
  Relay relay(conductor, observer, history);
  std::optional<Training> training;
  const auto start = std::chrono::steady_clock::now();
  bool complete = true;
  conductor.run([&] {
    const auto check = [&] { conductor.check(); };
    training.emplace(table, options, check);
    if (observer != nullptr) {
      conductor.post([observer, info = training->info()] { observer->on_begin(info); });
    }
    training->begin({});
    complete = training->train(
        relay, [&] { return conductor.stopped(); },
        training->options().time_limit.value_or(std::numeric_limits<double>::infinity()));
    // Nets that never learned anything are no result.
    if (!complete && std::ranges::all_of(training->runs(), [](const NetRun& run) { return run.epoch == 0; }))
      conductor.check();
  });
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  Result result;
  Conductor finisher({});  // what was reached is measured, whatever `stop` says
  finisher.run([&] { result = training->finish(); });
  result.stopped = !complete;
  result.seconds = passed.count();
  result.history = std::move(history);
  result.notes.insert(result.notes.end(), relay.notes.begin(), relay.notes.end());
  if (complete) result.repetitions = repetitions(table, options, result, observer, stop);
  return result;
}

}  // namespace coppice
