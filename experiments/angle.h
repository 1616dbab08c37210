#pragma once

#include "experiments/step.h"

#include <string>
#include <vector>

// The angle that a step turns fan-ins by: that of the program, others, and the one that validation rows choose.
namespace coppice::experiments {

inline constexpr const char* default_angle = "default angle";

/// Of every lambda and seed the net of the lowest validation error, whatever its angle: what a race of angles would take.
StepArm raced(const StepSet& set);

std::vector<Claim> angle_claims(const std::vector<StepSet>& sets);
std::string angle_details(const std::vector<StepSet>& sets);

}  // namespace coppice::experiments
