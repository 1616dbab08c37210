#include "coppice/core/fail.h"
#include "coppice/ranks/agree.h"
#include "coppice/ranks/hand_out.h"
#include "coppice/ranks/lead.h"
#include "coppice/ranks/net_worker.h"
#include "coppice/run/checkpoint.h"

#include <chrono>
#include <map>
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
        queue_(longest_first(training, training.waiting())),
        seats_(seats_of(crew.threads_, queue_.size())),
        taken_(crew.threads_.size()) {}

  void train(const std::function<bool()>& stop) {
    while (!stop()) {
      hand_out();
      if (rank_of_.empty()) return;
      if (auto message = messenger().receive(a_moment)) take(*message);
    }
    stop_all();
  }

 private:
  Messenger& messenger() { return crew_->ranks_->messenger(); }

  void hand_out() {
    while (next_ < queue_.size()) {
      const std::size_t rank = freest(seats_, taken_);
      if (rank == seats_.size()) return;
      give(queue_[next_++], rank);
    }
  }

  void give(std::size_t net, std::size_t rank) {
    const NetRun& run = training_->runs()[net];
    const PlannedNet& planned = training_->planned(net);
    if (rank == 0) {
      local_.begin(training_->task(planned, run), seats_[rank].threads, crew_->checkpoint_every_);
    } else {
      messenger().send(rank, Subject::task,
                       task_bytes({.net = net,
                                   .planned = planned,
                                   .ancestor = training_->ancestor_of(planned),
                                   .teacher = planned.taught ? training_->teacher().bytes() : "",
                                   .checkpoint = run.epoch > 0 ? checkpoint_bytes(run, crew_->fingerprint_)
                                                               : std::string(),
                                   .threads = seats_[rank].threads,
                                   .checkpoint_every = crew_->checkpoint_every_}));
    }
    rank_of_[net] = rank;
    ++taken_[rank];
  }

  void take(const Message& message) {
    if (message.subject == Subject::epoch) {
      take_epoch(read_epoch(message.bytes));
    } else if (message.subject == Subject::stopped) {
      const auto [net, checkpoint] = read_stopped(message.bytes);
      put_back(net, checkpoint);
      free_seat(net);
    } else if (message.subject == Subject::failed) {
      fail("{}: {}", rank_text(message.from, crew_->ranks_->hellos()), message.bytes);
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
    if (!epoch.report.running) free_seat(net);
  }

  void put_back(std::size_t net, const std::string& checkpoint) {
    NetRun run = training_->runs()[net];
    restore_checkpoint(run, checkpoint, "a net of another rank", crew_->fingerprint_);
    training_->put_back(std::move(run));
  }

  void free_seat(std::size_t net) {
    --taken_[rank_of_.at(net)];
    rank_of_.erase(net);
  }

  /// What does not answer in time stays as its last checkpoint.
  void stop_all() {
    local_.stop();
    for (std::size_t rank = 1; rank < taken_.size(); ++rank) messenger().send(rank, Subject::stop, "");
    const auto until = Clock::now() + to_stop;
    while (!rank_of_.empty() && Clock::now() < until) {
      if (auto message = messenger().receive(a_moment)) take(*message);
    }
  }

  RankCrew* crew_;
  Training* training_;
  TrainingObserver* observer_;
  NetWorker local_;
  std::vector<std::size_t> queue_;
  std::size_t next_ = 0;  ///< of the queue
  std::vector<Seat> seats_;
  std::vector<std::size_t> taken_;              ///< places, of each rank
  std::map<std::size_t, std::size_t> rank_of_;  ///< nets that are being trained
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
