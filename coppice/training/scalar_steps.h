#pragma once

#include "coppice/device/step_sizes.h"
#include "coppice/network/network.h"
#include "coppice/network/workspace.h"
#include "coppice/training/optimizer.h"
#include "coppice/training/options.h"

namespace coppice {

/// Whether any number learns beside the fan-ins.
inline bool scalars_learn(const TrainingOptions& options) {
  return options.kink_step > 0 || options.output_scale_step > 0;
}

/// Room in the state for what the options have it remember of such numbers, and of the rows before a batch.
template <class T>
void remember_more(const Network<T>& network, const TrainingOptions& options, OptimizerStateOf<T>& state);

/// Moves the offsets kappa of kinks and the factor s on the outputs, with the angle that fan-ins turn by and g the gradient by
/// kappa or by ln s:
///
///   avg = (1-beta) avg + beta g^2;   kappa <- kappa - step angle g / sqrt(avg/cap);   the same of ln s
///
/// An offset is counted in deviations of the unit's input, and a turn by a small angle moves a unit's output by as many of them: so
/// both learn as fast as fan-ins turn where `step` is 1, and are annealed with them.
template <class T>
void move_scalars(const TrainingOptions& options, const StepSizes& sizes, const Workspace<T>& workspace,
                  Network<T>& network, OptimizerStateOf<T>& state);

}  // namespace coppice
