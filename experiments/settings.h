#pragma once

#include "experiments/step.h"

#include <string>
#include <vector>

// Other settings than the paper's on sets that those do not suit.
namespace coppice::experiments {

// Ways that claims look for.
inline constexpr const char* papers_settings = "the paper's";
inline constexpr const char* tenth_alpha = "alpha_phi 3";
inline constexpr const char* small_batches = "batches of 200, angle 0.045";
inline constexpr const char* many_units = "100 units to begin with";
inline constexpr const char* fast_growth = "5 units per epoch";
inline constexpr const char* own_settings = "default settings";
inline constexpr const char* wider_angle = "default settings, angle 0.08";
inline constexpr const char* triple_alpha = "alpha_phi 30";
inline constexpr const char* longer_life = "lifetime 20 epochs";

std::vector<Claim> settings_claims(const std::vector<StepSet>& sets);
std::string settings_details(const std::vector<StepSet>& sets);
Svg draw_settings(const std::vector<StepSet>& sets);

}  // namespace coppice::experiments
