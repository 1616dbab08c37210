#include "coppice/training/protocol.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

constexpr double step_division = 3;
constexpr double least_gain = 0.01;  ///< relative to the base rate's criterion: less is not learned
constexpr double average_share = 0.1;  ///< of the newest error in their average
/// A step this share of the first turns fan-ins by about a millionth of a radian per iteration: too little to
/// change a validation error. The radial step is not annealed and may make the error flicker for ever, so
/// this ends it.
constexpr double smallest_share = 1e-5;

}  // namespace

double Protocol::epoch_share() const {
  return phase_ == Phase::anneal ? std::min(1.0, options_.fine_patience) : 1.0;
}

double Protocol::patience() const {
  if (phase_ == Phase::anneal) return options_.fine_patience;
  if (grows_for_fixed_time()) return time_limit();
  return phase_ == Phase::settle ? std::max(options_.patience, options_.unit_lifetime) : options_.patience;
}

double Protocol::time_limit() const {
  if (grows_for_fixed_time()) return static_cast<double>(options_.grow_epochs);
  return phase_ == Phase::settle ? options_.settle_epochs : std::numeric_limits<double>::infinity();
}

double Protocol::epochs_to_go() const {
  if (!running()) return 0;
  double epochs = std::min(patience() - waited(), time_limit() - phase_epochs_);
  if (phase_ == Phase::grow)
    epochs += std::min(std::max(options_.patience, options_.unit_lifetime), options_.settle_epochs);
  if (phase_ <= Phase::settle) epochs += options_.patience;
  if (phase_ <= Phase::polish) epochs += options_.fine_patience;
  return epochs;
}

void Protocol::restore(const State& state) {
  phase_ = state.phase;
  step_ = state.step;
  lowest_ = state.lowest;
  kept_error_ = state.kept_error;
  waited_ = state.waited;
  phase_epochs_ = state.phase_epochs;
  changed_ = state.changed;
  softened_ = state.softened;
  average_ = state.average;
}

Verdict Protocol::advance(double error, bool eliminated) {
  const bool improved = error < lowest_ * (1 - options_.tolerance) || std::isinf(lowest_);
  changed_ = changed_ || std::abs(error - kept_error_) > options_.tolerance * kept_error_;
  if (improved) lowest_ = error;
  average_ += (phase_epochs_ > 0 ? average_share : 1) * (error - average_);
  phase_epochs_ += epoch_share();
  if (phase_epochs_ >= time_limit()) {  // what comes next goes on from here: nothing was in vain
    kept_error_ = error;
    next_phase();
    return {.keep = true, .rewind = false};
  }
  if (improved || (phase_ == Phase::settle && eliminated)) {
    kept_error_ = error;
    waited_ = 0;
    return {.keep = true, .rewind = false};
  }
  waited_ += epoch_share();
  if (waited_ < patience() || grows_for_fixed_time()) return {};
  return next_phase();
}

bool Protocol::soften() {
  const bool learned = average_ < (1 - least_gain) * options_.base_criterion;
  if (phase_ != Phase::grow || learned || softened_ >= options_.softenings) return false;
  ++softened_;
  step_ /= step_division;
  return true;
}

Verdict Protocol::next_phase() {
  waited_ = 0;
  phase_epochs_ = 0;
  if (soften()) return {.keep = false, .rewind = true};
  if (phase_ == Phase::polish || phase_ == Phase::anneal) {
    const bool settled = phase_ == Phase::anneal && !changed_;
    if (settled || step_ < smallest_share * first_step_) {
      phase_ = Phase::done;
      return {.keep = false, .rewind = true};
    }
    step_ /= step_division;
    changed_ = false;
    phase_ = Phase::anneal;
  } else {
    phase_ = phase_ == Phase::grow ? Phase::settle : Phase::polish;
    // The lowest error may belong to a larger net that settle has pruned. From here on the size is fixed, so
    // what improves on the pruned net counts: else a net that settle left in a bad state could never be
    // polished.
    if (phase_ == Phase::polish) lowest_ = kept_error_;
  }
  return {.keep = false, .rewind = true};
}

}  // namespace coppice
