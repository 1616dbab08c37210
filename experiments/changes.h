#pragma once

#include "experiments/step.h"

#include <string>
#include <vector>

// What changes of the method do, one at a time and together.
namespace coppice::experiments {

inline constexpr const char* unchanged = "default";
inline constexpr const char* rows_change = "CapNorm over 500 rows";
inline constexpr const char* kinks_change = "kinks that learn";
inline constexpr const char* factor_change = "outputs with a factor";
inline constexpr const char* rule_change = "exponential radial rule";
inline constexpr const char* three_changes = "rows, kinks and rule";
inline constexpr const char* all_changes = "all four";

std::vector<Claim> changes_claims(const std::vector<StepSet>& sets);
std::string changes_details(const std::vector<StepSet>& sets);

}  // namespace coppice::experiments
