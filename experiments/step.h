#pragma once

#include "experiments/comparison.h"
#include "experiments/so_far.h"
#include "experiments/stored.h"

#include <string>
#include <vector>

// The radial step, which is the larger the smaller lambda is: as the paper has it, and kept within limits.
namespace coppice::experiments {

/// A net, and what its journal tells of the epochs in which it grew.
struct StepNet {
  NetResult net = {};
  double flips = 0;   ///< share of the hidden units' steps that turned a fan-in around
  double held = 0;    ///< share whose factor was not trusted
  double length = 0;  ///< median of the first layer's fan-ins at the end of growing
  double angle = 0;   ///< mean, radians

  double test_error() const;
};

/// The nets of one way of taking steps on one set: a net per lambda and seed.
struct StepArm {
  std::string variant = {};
  std::vector<StepNet> nets = {};

  std::vector<double> lambdas() const;
  std::vector<double> at(double lambda, double (*number)(const StepNet&)) const;
  /// That of the lowest median validation error.
  double chosen_lambda() const;
};

struct StepSet {
  std::string title = {};
  std::vector<StepArm> arms = {};  ///< the first is the paper's

  const StepArm* find(const std::string& variant) const;
};

inline constexpr const char* plain_step = "as in the paper";
inline constexpr const char* wide_trust = "trust region 2";
inline constexpr const char* narrow_trust = "trust region 1.1";
inline constexpr const char* relative_trust = "trust region 1.1, relative epsilon 0.001";

inline constexpr const char* exponential_step = "exponential";
inline constexpr const char* relative_shrinking = "relative shrinkage";
inline constexpr const char* forgotten_peak = "peak forgotten";

/// A way of taking steps.
struct StepVariant {
  std::string name = {};
  std::string run = {};  ///< in the names of its runs
  Flags flags = {};
};

struct StepTask {
  std::string title = {};
  DataFiles data = {};
  Flags flags = {};
};

/// Generated sets that nothing was tuned on.
const std::vector<std::string>& generated_tables();

/// A run per variant that is not there so far: all lambdas, all seeds. If it is interrupted, those that ended are shown, the
/// first of the variants being among them.
void train_variants(const Session& session, const std::string& entry, const StepTask& task,
                    const std::vector<StepVariant>& variants, const std::vector<double>& lambdas,
                    std::size_t rank, SoFar<StepSet>& so_far);

std::vector<Claim> step_claims(const std::vector<StepSet>& sets);
std::string step_details(const std::vector<StepSet>& sets);
Rows step_rows(const std::vector<StepSet>& sets);
std::vector<StepSet> stored_steps(const StoredEntry& stored);
Svg draw_steps(const std::vector<StepSet>& sets);

}  // namespace coppice::experiments
