#pragma once

#include "coppice/training/options.h"

#include "experiments/page.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coppice::experiments {

/// Operations per weight and step.
struct Operations {
  std::size_t multiplications = 0;
  std::size_t divisions = 0;
  std::size_t roots = 0;

  bool operator==(const Operations&) const = default;
};

/// Counts the signs * and / and the word sqrt in what is done to every weight.
Operations count_operations(std::string_view formula);
/// "4 multiplications, 1 division, 1 square root".
std::string operations_text(const Operations& operations);

/// One optimizer, with or without shrinkage of fan-ins.
struct Method {
  std::string name;
  OptimizerKind kind = OptimizerKind::sgd;
  bool shrinks = false;
  /// What every weight w with gradient g needs; numbers that a unit or the whole net shares are single letters or words.
  std::string formula;
  std::string as_computed;          ///< the same as the code of this program has it
  std::optional<Operations> paper;  ///< what the paper's table 1 says
  bool runs = true;                 ///< this program has it
  std::string memory;               ///< beside weights and gradients
};

std::vector<Method> all_methods();

/// What a method was found to cost.
struct Cost {
  Method method;
  double seconds = std::nan("");           ///< per weight, processor
  std::optional<double> gpu_seconds = {};  ///< per weight, a whole step

  Operations needed() const { return count_operations(method.formula); }
};

std::vector<Claim> table1_claims(const std::vector<Cost>& costs);

/// Seconds per weight of the optimizer's step alone: one thread, a net of MNIST's size. The fastest of those that take
/// `seconds` together.
double measure_step(const Method& method, double seconds);

/// Seconds of a whole training step on the GPU, with gradients, per weight; nothing if the GPU cannot take this method.
std::optional<double> measure_gpu_step(const Method& method);

}  // namespace coppice::experiments
