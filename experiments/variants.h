#pragma once

#include "experiments/by_set.h"
#include "experiments/step.h"

#include <functional>
#include <string>
#include <vector>

// What entries share that change one default setting, with nets of the others at lambda 1e-3, 1e-4 and 1e-5.
namespace coppice::experiments {

/// rectangles-images, convex, generated tables that no setting was chosen by, and MNIST.
std::vector<SetChoice<StepTask>> default_tasks(const Session& session);
std::vector<double> default_lambdas(const Session& session);

/// Test errors at the lambda of the lowest median validation error.
std::vector<double> chosen_errors(const StepArm& arm);

using ArmOfSet = std::function<StepArm(const StepSet&)>;
/// The arm of that name; the first if a set has none.
ArmOfSet arm_named(const std::string& variant);

/// Lower test errors than the first arm's, on every set.
Claim lower_on_every_set(const std::vector<StepSet>& sets, const std::string& text, const ArmOfSet& arm);
/// Lower medians, over the sets; and what they are on average as a share of the first arm's.
Claim lower_over_sets(const std::vector<StepSet>& sets, const std::string& text, const ArmOfSet& arm);
/// No more errors than the best of 500 parametric settings, where figure 3 has those.
Claim below_parametric(const std::vector<StepSet>& sets, const std::string& text, const ArmOfSet& arm);

/// A table per set: the arms at their chosen lambdas. `variant` heads the first column.
std::string arms_details(const std::vector<StepSet>& sets, const std::string& variant,
                         const std::function<std::vector<StepArm>(const StepSet&)>& arms);

}  // namespace coppice::experiments
