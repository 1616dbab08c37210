#pragma once

#include "coppice/training/course.h"
#include "coppice/training/epoch_report.h"

#include <cstddef>
#include <limits>

namespace coppice {

struct ProtocolOptions {
  double patience = 100;
  double fine_patience = 5;
  /// Epochs that a useless unit lives: settle waits at least so long, or it would end before any unit could.
  double unit_lifetime = 0;
  /// By how much, relative to the lowest error, an error must be lower to count as improved, and by how much
  /// it must differ to count as changed. 0 for classification; errors of regression never stop improving in
  /// the last digits.
  double tolerance = 0;
  /// Epochs that grow lasts, whatever the errors; 0: patience decides.
  std::size_t grow_epochs = 0;
  double settle_epochs = std::numeric_limits<double>::infinity();  ///< settle lasts no longer
  /// Where epochs of grow are on average no better than an answer that knows no inputs, which has this criterion, steps
  /// are too long for the signal: it grows on with a third of them, so often at most.
  double base_criterion = std::numeric_limits<double>::infinity();
  std::size_t softenings = 0;
  Course course = {};  ///< that a net in anneal follows instead, keeping every state
};

/// What follows from an epoch.
struct Verdict {
  bool keep = false;    ///< the state after this epoch is the one to rewind to from now on
  bool rewind = false;  ///< go back to the kept state
};

/// The training protocol as a state machine over validation errors: pure, no networks in it.
class Protocol {
 public:
  Protocol() = default;
  Protocol(ProtocolOptions options, double step);

  /// Takes the validation error after an epoch and whether units were eliminated in it.
  Verdict advance(double error, bool eliminated);
  void set_failed() { now_.phase = Phase::failed; }

  Phase phase() const { return now_.phase; }
  bool running() const { return now_.phase < Phase::done; }
  bool adds_units() const { return now_.phase == Phase::grow; }
  bool shrinks() const { return now_.phase <= Phase::settle; }  ///< lambda applies; afterwards it is 0
  double step() const {
    return now_.step;
  }  ///< the optimizer's: an angle or alpha_phi where it turns fan-ins
  double lowest_error() const { return now_.lowest; }
  /// How much of an epoch passes between validations: all of it, but for fine_patience < 1 in the anneal
  /// phase.
  double epoch_share() const;
  /// Epochs without success so far (of a phase of fixed length: all of them), and how many end the phase: for an
  /// honest progress display.
  double waited() const { return lasts_fixed_time() ? now_.phase_epochs : now_.waited; }
  double patience() const;
  /// The fewest epochs from here to the end: every success starts a patience anew, so nobody can know more.
  double epochs_to_go() const;

  /// Everything that changes, for checkpoints.
  struct State {
    Phase phase = Phase::grow;
    double step = 0;
    double lowest =
        std::numeric_limits<double>::infinity();  ///< of the run so far; from polish on, of the net as pruned
    double kept_error = std::numeric_limits<double>::infinity();  ///< of the state to rewind to
    double waited = 0;
    double phase_epochs = 0;  ///< epochs of this phase so far
    bool changed = false;     ///< anneal: this round's step changed the error at all
    std::uint64_t softened = 0;
    double average = 0;  ///< of the errors of this phase, the last ones counting most
  };
  const State& state() const { return now_; }
  void restore(const State& state) { now_ = state; }

 private:
  Verdict next_phase();
  Verdict follow_course(double error);
  bool soften();
  double time_limit() const;  ///< epochs after which the phase ends in any case
  bool grows_for_fixed_time() const { return now_.phase == Phase::grow && options_.grow_epochs > 0; }
  bool lasts_fixed_time() const { return grows_for_fixed_time() || options_.course.given(); }

  ProtocolOptions options_;
  double first_step_ = 0;
  State now_;
};

}  // namespace coppice
