#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace coppice {

/// The phases a self-sizing net goes through.
enum class Phase : std::uint8_t {
  grow,    ///< units are added all the time, the penalty removes those that earn nothing
  settle,  ///< nothing is added any more; redundant units die out
  polish,  ///< lambda = 0
  anneal,  ///< the angular step is divided by 3 again and again until it changes nothing
  done,
  failed,  ///< loss or gradient was not finite
};
std::string_view phase_name(Phase phase);

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
  Protocol(ProtocolOptions options, double angular_step)
      : options_(options), first_step_(angular_step), angular_step_(angular_step) {}

  /// Takes the validation error after an epoch and whether units were eliminated in it.
  Verdict advance(double error, bool eliminated);
  void set_failed() { phase_ = Phase::failed; }

  Phase phase() const { return phase_; }
  bool running() const { return phase_ < Phase::done; }
  bool adds_units() const { return phase_ == Phase::grow; }
  bool shrinks() const { return phase_ <= Phase::settle; }  ///< lambda applies; afterwards it is 0
  double angular_step() const { return angular_step_; }
  double lowest_error() const { return lowest_; }
  /// How much of an epoch passes between validations: all of it, but for fine_patience < 1 in the anneal
  /// phase.
  double epoch_share() const;
  /// Epochs without success so far (of a grow phase of fixed length: all of them), and how many end the phase: for an
  /// honest progress display.
  double waited() const { return grows_for_fixed_time() ? phase_epochs_ : waited_; }
  double patience() const;

  /// Everything that changes, for checkpoints.
  struct State {
    Phase phase = Phase::grow;
    double angular_step = 0;
    double lowest = std::numeric_limits<double>::infinity();
    double kept_error = std::numeric_limits<double>::infinity();
    double waited = 0;
    double phase_epochs = 0;
    bool changed = false;
  };
  State state() const {
    return {phase_, angular_step_, lowest_, kept_error_, waited_, phase_epochs_, changed_};
  }
  void restore(const State& state);

 private:
  Verdict next_phase();
  double time_limit() const;  ///< epochs after which the phase ends in any case
  bool grows_for_fixed_time() const { return phase_ == Phase::grow && options_.grow_epochs > 0; }

  ProtocolOptions options_;
  double first_step_ = 0;
  Phase phase_ = Phase::grow;
  double angular_step_ = 0;
  double lowest_ =
      std::numeric_limits<double>::infinity();  ///< of the run so far; from polish on, of the net as pruned
  double kept_error_ = std::numeric_limits<double>::infinity();  ///< of the state to rewind to
  double waited_ = 0;
  double phase_epochs_ = 0;  ///< epochs of this phase so far
  bool changed_ = false;     ///< anneal: this round's step changed the error at all
};

}  // namespace coppice
