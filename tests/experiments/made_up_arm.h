#pragma once

#include "experiments/step.h"

#include <cstddef>
#include <string>

namespace coppice::experiments {

/// Six seeds at one lambda; validation and test errors go together.
inline StepArm made_up_arm(const std::string& variant, double error) {
  StepArm made{.variant = variant};
  for (std::size_t seed = 0; seed < 6; ++seed) {
    StepNet one{.angle = 0.02};
    one.net.lambda = 1e-3;
    one.net.seed = seed;
    one.net.hidden_units = {4, 2};
    one.net.phase = "done";
    one.net.validation_error = error * (1 + 0.002 * static_cast<double>(seed));
    one.net.test_error = one.net.validation_error;
    made.nets.push_back(one);
  }
  return made;
}

}  // namespace coppice::experiments
