#include "coppice/core/fail.h"
#include "coppice/ranks/agree.h"
#include "coppice/ranks/hand_out.h"
#include "coppice/ranks/lead.h"
#include "coppice/ranks/net_worker.h"
#include "coppice/run/checkpoint.h"

#include <chrono>
#include <utility>

// How rank 0 hands out the nets of a round, and takes back what is told of them.
namespace coppice {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds a_moment{50};
/// For ranks to bring their nets to the end of an epoch, when all is to stop.
constexpr std::chrono::seconds to_stop{5};

}  // namespace

/// One round, from the first net handed out to the last that ended.
class RankCrew::Round {
 public:
  Round(RankCrew& crew, Training& training, TrainingObserver& observer)
      : crew_(&crew),
        training_(&training),
        observer_(&observer),
        local_(crew.ranks_->messenger(), training, crew.fingerprint_),
        nets_(handed_out(crew, training)) {}

  void train(const std::function<bool()>& stop) {
    while (!stop()) {
      for (const auto& [rank, nets] : nets_.give()) give(nets, rank);
      if (nets_.idle()) return;
      if (auto message = messenger().receive(a_moment)) take(*message);
    }
    stop_all();
  }

 private:
  static HandOut handed_out(const RankCrew& crew, const Training& training) {
    std::vector<std::size_t> queue = longest_first(training, training.waiting());
    std::vector<Seat> seats = training.device() == Device::cuda ? gpu_seats_of(crew.threads_, queue.size())
                                                                : seats_of(crew.threads_, queue.size());
    return {std::move(queue), std::move(seats)};
  }

  Messenger& messenger() { return crew_->ranks_->messenger(); }

  /// On a GPU nets take their steps together, on a processor each is trained alone.
  void give(const std::vector<std::size_t>& nets, std::size_t rank) {
    if (training_->device() == Device::cuda) {
      rank == 0 ? begin_here(nets) : send(nets, rank);
      return;
    }
    for (const std::size_t net : nets) rank == 0 ? begin_here({net}) : send({net}, rank);
  }

  void begin_here(const std::vector<std::size_t>& nets) {
    std::vector<NetTask> tasks;
    for (const std::size_t net : nets)
      tasks.push_back(
          training_->task(training_->planned(net), training_->runs()[net], training_->together(net)));
    local_.begin(std::move(tasks), nets_.threads(0), crew_->checkpoint_every_);
  }

  void send(const std::vector<std::size_t>& nets, std::size_t rank) {
    std::vector<Assignment> tasks;
    for (const std::size_t net : nets) {
      const NetRun& run = training_->runs()[net];
      const PlannedNet& planned = training_->planned(net);
      tasks.push_back(
          {.net = net,
           .planned = planned,
           .ancestor = training_->ancestor_of(planned),
           .teacher = planned.taught ? training_->teacher().bytes() : "",
           .checkpoint = run.epoch > 0 ? checkpoint_bytes(run, crew_->fingerprint_) : std::string(),
           .together = training_->together(net),
           .threads = nets_.threads(rank),
           .checkpoint_every = crew_->checkpoint_every_});
    }
    messenger().send(rank, Subject::task, task_bytes(tasks));
  }

  void take(const Message& message) {
    refuse_failed(message, crew_->ranks_->hellos());
    if (message.subject == Subject::epoch) {
      take_epoch(read_epoch(message.bytes));
    } else if (message.subject == Subject::stopped) {
      const auto [net, checkpoint] = read_stopped(message.bytes);
      put_back(net, checkpoint);
      nets_.ended(net);
    }
  }

  /// Tells it as if the net had been trained here: with its state where that came along.
  void take_epoch(const TrainedEpoch& epoch) {
    const std::size_t net = epoch.report.net;
    if (epoch.checkpoint.empty()) {
      NetRun passing;
      passing.id = net;
      passing.epoch = epoch.report.epoch;
      observer_->on_epoch(passing, epoch.report);
      return;
    }
    put_back(net, epoch.checkpoint);
    observer_->on_epoch(training_->runs()[net], epoch.report);
    if (!epoch.report.running) nets_.ended(net);
  }

  void put_back(std::size_t net, const std::string& checkpoint) {
    NetRun run = training_->runs()[net];
    restore_checkpoint(run, checkpoint, "a net of another rank", crew_->fingerprint_);
    training_->put_back(std::move(run));
  }

  /// What does not answer in time stays as its last checkpoint.
  void stop_all() {
    local_.stop();
    for (std::size_t rank = 1; rank < nets_.ranks(); ++rank) messenger().send(rank, Subject::stop, "");
    const auto until = Clock::now() + to_stop;
    while (!nets_.idle() && Clock::now() < until) {
      if (auto message = messenger().receive(a_moment)) take(*message);
    }
  }

  RankCrew* crew_;
  Training* training_;
  TrainingObserver* observer_;
  NetWorker local_;
  HandOut nets_;
};

RankCrew::RankCrew(Ranks& ranks, const Run& run)
    : ranks_(&ranks),
      fingerprint_(run.fingerprint()),
      checkpoint_every_(run.options().epochs_between_checkpoints()),
      threads_(threads_of(ranks.hellos(), run.options().options.threads)) {}

bool RankCrew::train_round(Training& training, TrainingObserver& observer,
                           const std::function<bool()>& stop) {
  Round(*this, training, observer).train(stop);
  return true;
}

}  // namespace coppice
