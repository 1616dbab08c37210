#include "coppice/training/protocol.h"

#include "coppice/core/elementary.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

constexpr double step_division = 3;
constexpr double least_gain = 0.01;    ///< relative to the base rate's criterion: less is not learned
constexpr double average_share = 0.1;  ///< of the newest error in their average
/// A step this share of the first turns fan-ins by about a millionth of a radian per iteration: too little to
/// change a validation error. The radial step is not annealed and may make the error flicker for ever, so
/// this ends it.
constexpr double smallest_share = 1e-5;

}  // namespace

Protocol::Protocol(ProtocolOptions options, double step) : options_(options), first_step_(step) {
  now_.step = options_.course.given() ? step / step_division : step;
}

double Protocol::epoch_share() const {
  if (options_.course.given()) return 1;
  return now_.phase == Phase::anneal ? std::min(1.0, options_.fine_patience) : 1.0;
}

double Protocol::patience() const {
  if (options_.course.given()) return options_.course.length();
  if (now_.phase == Phase::anneal) return options_.fine_patience;
  if (grows_for_fixed_time()) return time_limit();
  return now_.phase == Phase::settle ? std::max(options_.patience, options_.unit_lifetime)
                                     : options_.patience;
}

double Protocol::time_limit() const {
  if (grows_for_fixed_time()) return static_cast<double>(options_.grow_epochs);
  return now_.phase == Phase::settle ? options_.settle_epochs : std::numeric_limits<double>::infinity();
}

double Protocol::epochs_to_go() const {
  if (!running()) return 0;
  if (options_.course.given()) return options_.course.length() - now_.phase_epochs;
  double epochs = std::min(patience() - waited(), time_limit() - now_.phase_epochs);
  if (now_.phase == Phase::grow)
    epochs += std::min(std::max(options_.patience, options_.unit_lifetime), options_.settle_epochs);
  if (now_.phase <= Phase::settle) epochs += options_.patience;
  if (now_.phase <= Phase::polish) epochs += options_.fine_patience;
  return epochs;
}

Verdict Protocol::follow_course(double error) {
  const Course& course = options_.course;
  now_.lowest = std::min(now_.lowest, error);
  now_.kept_error = error;
  now_.phase_epochs += 1;
  const double rounds = std::floor(now_.phase_epochs / static_cast<double>(course.epochs));
  now_.step = first_step_ / elementary::pow(step_division, 1 + rounds);
  if (now_.phase_epochs >= course.length()) now_.phase = Phase::done;
  return {.keep = true, .rewind = false};
}

Verdict Protocol::advance(double error, bool eliminated) {
  if (options_.course.given()) return follow_course(error);
  const bool improved = error < now_.lowest * (1 - options_.tolerance) || std::isinf(now_.lowest);
  now_.changed = now_.changed || std::abs(error - now_.kept_error) > options_.tolerance * now_.kept_error;
  if (improved) now_.lowest = error;
  now_.average += (now_.phase_epochs > 0 ? average_share : 1) * (error - now_.average);
  now_.phase_epochs += epoch_share();
  if (now_.phase_epochs >= time_limit()) {  // what comes next goes on from here: nothing was in vain
    now_.kept_error = error;
    next_phase();
    return {.keep = true, .rewind = false};
  }
  if (improved || (now_.phase == Phase::settle && eliminated)) {
    now_.kept_error = error;
    now_.waited = 0;
    return {.keep = true, .rewind = false};
  }
  now_.waited += epoch_share();
  if (now_.waited < patience() || grows_for_fixed_time()) return {};
  return next_phase();
}

bool Protocol::soften() {
  const bool learned = now_.average < (1 - least_gain) * options_.base_criterion;
  if (now_.phase != Phase::grow || learned || now_.softened >= options_.softenings) return false;
  ++now_.softened;
  now_.step /= step_division;
  return true;
}

Verdict Protocol::next_phase() {
  now_.waited = 0;
  now_.phase_epochs = 0;
  if (soften()) return {.keep = false, .rewind = true};
  if (now_.phase == Phase::polish || now_.phase == Phase::anneal) {
    const bool settled = now_.phase == Phase::anneal && !now_.changed;
    if (settled || now_.step < smallest_share * first_step_) {
      now_.phase = Phase::done;
      return {.keep = false, .rewind = true};
    }
    now_.step /= step_division;
    now_.changed = false;
    now_.phase = Phase::anneal;
  } else {
    now_.phase = now_.phase == Phase::grow ? Phase::settle : Phase::polish;
    // The lowest error may belong to a larger net that settle has pruned. From here on the size is fixed, so
    // what improves on the pruned net counts: else a net that settle left in a bad state could never be
    // polished.
    if (now_.phase == Phase::polish) now_.lowest = now_.kept_error;
  }
  return {.keep = false, .rewind = true};
}

}  // namespace coppice
