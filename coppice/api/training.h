#pragma once

#include "coppice/api/device.h"
#include "coppice/api/ensemble.h"
#include "coppice/api/plan.h"
#include "coppice/api/prepare.h"
#include "coppice/api/result.h"
#include "coppice/api/teach.h"
#include "coppice/device/threads.h"
#include "coppice/network/row_team.h"
#include "coppice/training/population.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace coppice {

/// Watches a training from inside: in whatever thread does the work, and with the nets themselves.
class TrainingObserver : public NetObserver {
 public:
  /// A net is about to begin.
  virtual void on_start(const NetRun& run, const PlannedNet& planned, Device device) = 0;
  virtual void on_note(const std::string& note) = 0;
};

class Training;

/// Who brings the nets of a round to their end where a training's own threads do not do it alone: other processes, other
/// machines.
class Crew {
 public:
  virtual ~Crew() = default;
  /// Trains until no net of the round runs or `stop` says so. False if others would have to do something first.
  virtual bool train_round(Training& training, TrainingObserver& observer,
                           const std::function<bool()>& stop) = 0;
  /// Puts a net that is about to begin to where one of the crew brought it before, if that is further.
  virtual void restore(NetRun& run) = 0;
};

/// What a net begins as in place of random weights: what another one of that lambda came to.
struct Ancestor {
  Network<float> network;
  double lambda = 0;
};

/// Variant and fixed layers: nets of one kind share options.
using TaskKind = std::pair<std::size_t, std::size_t>;

/// All that training one net needs; the data stays with the Training that gave it.
struct NetTask {
  NetRun run;
  TrainingOptions options;
  NetData data;
  TaskKind kind;
};

/// A training in rounds: the nets it begins with side by side, then those that their results ask for. What train() and a
/// run directory are made of; calls block, and none of them prints or writes.
class Training {
 public:
  /// Prepares the data and finds the lambdas to begin with. `check` may throw, to end it.
  Training(
      const Table& table, const Options& options, const std::function<void()>& check = [] {});

  const Options& options() const { return options_; }  ///< complete
  const PreparedData& data() const { return data_; }
  Device device() const { return device_.device; }
  TrainingInfo info() const;
  /// What computes, by all that rounding depends on: who trains nets of the same run has the same.
  std::string kernels() const;
  /// Every net begun so far.
  const std::vector<NetRun>& runs() const { return runs_; }

  /// Begins the first rounds. `restore` may put each net to where it was before; rounds that are then at their end are
  /// followed by the next.
  void begin(const std::function<void(NetRun&)>& restore);

  /// Who holds the rows, where the options say that several do; before begin(). Else this process holds all of them.
  void set_team(std::unique_ptr<RowTeam> team) { team_ = std::move(team); }

  /// Trains until all is done, `stop` says so or `seconds` have passed. True unless it was `stop`. Where the GPU's memory
  /// does not suffice and the options leave the device open, the processor goes on.
  bool train(TrainingObserver& observer, const std::function<bool()>& stop, double seconds,
             Crew* crew = nullptr);

  // What train() does, in parts that several can share (run/shared_training.h, run/shard.h, ranks/lead.h).

  /// Nets of the round that are not at their end, by their ids; none: all is done.
  std::vector<std::size_t> waiting() const;
  /// A net of the round, trained alone by so many threads: what train() makes of it. Changes nothing here, and several
  /// threads may ask at once.
  NetRun trained_alone(std::size_t net, std::size_t threads, NetObserver& observer,
                       const std::function<bool()>& stop) const;
  /// Takes it back. A round that is then at its end is followed by the next.
  void take(NetRun run);
  /// The same, and the round stays: for a crew.
  void put_back(NetRun run) { runs_[run.id] = std::move(run); }
  /// Trains these nets of the round side by side, by the threads or the GPU that train() uses.
  void train_nets(std::span<const std::size_t> nets, TrainingObserver& observer,
                  const std::function<bool()>& stop);
  std::size_t first_of_round() const { return first_; }
  const PlannedNet& planned(std::size_t net) const { return planned_[net]; }
  /// What a net began as, if that was another one.
  std::optional<Ancestor> ancestor_of(const PlannedNet& net) const;
  /// Who teaches nets that are taught.
  const Model& teacher() const { return teacher_->ensemble.model; }
  /// Makes ready for nets that this one teaches, for who did not plan them.
  void attend(const Model& teacher);
  /// The net as it begins, for who did not plan it.
  NetRun begun(std::size_t id, const PlannedNet& net, const std::optional<Ancestor>& ancestor);
  /// How many nets of the round are of this one's kind and see what it sees: a GPU would take them together.
  std::size_t together(std::size_t net) const;
  /// A net of the plan, or one that begun() gave, ready to be trained. `together` as above: whoever trains the others, a
  /// GPU cuts its sums as if they were all there.
  NetTask task(const PlannedNet& net, NetRun run, std::size_t together) const;
  /// The nets of the tasks, trained together, at their end or where `stop` ended it.
  std::vector<NetRun> trained(std::vector<NetTask> tasks, std::size_t threads, NetObserver& observer,
                              const std::function<bool()>& stop) const;
  /// Forgets the round if no net of it was trained: for who ends before all is done.
  void forget_fresh_round();

  /// Every net so far as a model, measured, and the one that the options pick. `check` may throw, to end it.
  Result finish(const std::function<void()>& check = [] {});

  /// What analysis.json says about one of those models, of that index. `file`: where the data lies.
  std::string analysis_text(const Result& result, std::size_t index, const std::string& file);

 private:
  Training(Prepared prepared, const std::function<void()>& check);
  std::vector<std::string> warnings() const;
  PlanOptions path_options() const;
  PlanOptions taught_options() const;
  PlanOptions plan_options();
  std::vector<PlannedNet> next_round();
  std::vector<PlannedNet> last_round();
  std::vector<PlannedNet> taught_round();
  void begin_round(const std::vector<PlannedNet>& planned);
  bool begin_next_round();
  bool round_ended() const;
  bool refit_ended() const;
  const NetState& kept_state(const NetRun& run) const;
  /// Of the nets that are not taught, or of those that are: by their indices among them.
  std::vector<TrainedNet> trained_nets(bool taught = false);
  std::size_t first_taught() const;
  bool teaches() const { return options_.distil == Distil::on; }
  /// What a planned net is trained with, and on.
  TrainingOptions options_for(const PlannedNet& net) const;
  const PreparedData& data_for(const PlannedNet& net);
  const PreparedData& seen_by(
      const PlannedNet& net) const;  ///< of a net for which data_for() was asked before
  NetData net_data(const PlannedNet& net);
  NetShare share_for(const PlannedNet& net) const;
  /// By kind and inputs: what nets that a GPU takes together share.
  using Trainers = std::map<std::pair<TaskKind, const Dataset*>, Trainer>;
  std::unique_ptr<Population> population_of(std::vector<NetTask> tasks, ThreadPool& pool,
                                            Trainers& trainers) const;
  bool is_fixed(const PlannedNet& net) const;
  FixedNets fixed_nets();
  void measure_nets(Result& result, const std::function<void()>& check);
  struct Ensemble {
    NetResult net;
    MeasuredNet measured;
  };
  std::optional<Ensemble> ensemble_in(const Result& result);
  std::vector<Member> members_of(const Result& result, std::span<const std::size_t> nets);

  PreparedData data_;
  std::map<Columns, PreparedData> narrowed_;  ///< for nets that do not see all columns
  Options options_;
  Options lesson_options_;               ///< of nets that are taught
  std::optional<Teacher> teacher_;       ///< of those that are planned here
  std::optional<PreparedData> lessons_;  ///< for them
  std::unique_ptr<RowTeam> team_;        ///< whom tasks ask, if the options say so
  ThreadPool pool_;
  ChosenDevice device_;
  std::vector<Variant> variants_;
  std::vector<double> lambdas_;
  std::vector<double> variant_scales_;  ///< of lambda, one per variant
  std::function<void(NetRun&)> restore_ = [](NetRun&) {};
  std::vector<PlannedNet> planned_;  ///< one per net
  std::vector<NetRun> runs_;
  std::size_t first_ = 0;  ///< net of the round
  bool more_ = false;      ///< the round is not at its end
};

}  // namespace coppice
