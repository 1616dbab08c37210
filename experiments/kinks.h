#pragma once

#include "experiments/step.h"

#include <string>
#include <vector>

// Offsets of kinks: units that bend at the mean of their input, and units that bend somewhere around it.
namespace coppice::experiments {

inline constexpr const char* plain_kinks = "at the mean";
inline constexpr const char* half_kinks = "kinks 0.5";
inline constexpr const char* whole_kinks = "kinks 1";
inline constexpr const char* wider_angle = "angle 0.04";
inline constexpr const char* kinks_and_angle = "kinks 1, angle 0.04";

std::vector<Claim> kinks_claims(const std::vector<StepSet>& sets);
std::string kinks_details(const std::vector<StepSet>& sets);

}  // namespace coppice::experiments
