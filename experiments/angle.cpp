#include "experiments/angle.h"

#include "experiments/by_set.h"
#include "experiments/entries.h"
#include "experiments/variants.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

double validation_of(const StepNet& net) {
  return std::isfinite(net.net.validation_error) ? net.net.validation_error : 1;
}

std::vector<StepVariant> angles(const Counts& counts) {
  std::vector<StepVariant> all{{default_angle, "default", {}}};
  for (const char* angle : {"0.04", "0.08", "0.16", "0.02", "0.32", "0.01"}) {
    if (all.size() > counts.angle_steps) break;
    all.push_back({fmt::format("angle {}", angle), angle, {{"angle", angle}}});
  }
  return all;
}

/// A race among some of the angles would be another one, so the set is whole or not there.
void train_angles(const Session& session, const StepTask& task, std::size_t rank, SoFar<StepSet>& so_far) {
  SoFar<StepSet> whole;
  train_variants(session, "angle", task, angles(session.counts), default_lambdas(session), rank, whole);
  so_far = std::move(whole);
}

EntryPage angle_page(const Session& session, const std::vector<StepSet>& sets) {
  return {
      .name = "angle",
      .title = "The angle of a step: the default, others, and the one that validation rows choose",
      .introduction = fmt::format(
          "Nets of the program's default settings at lambda 1e-3, 1e-4 and 1e-5 with its default angle and "
          "with "
          "others (`--angle`), {} seeds; of the lambdas the one of the lowest median validation error is "
          "shown. "
          "*Race*: of every seed the net whose angle has the lowest validation error, which is what training "
          "with each angle and keeping the best would give. Twonorm to parity are generated tables that no "
          "setting was chosen by.",
          session.counts.seeds),
      .claims = angle_claims(sets),
      .details = angle_details(sets)};
}

SetsEntry<StepTask, StepSet> angle_entry(const Session& session) {
  return {.name = "angle",
          .choices = default_tasks(session),
          .most = session.counts.angle_sets,
          .train = train_angles,
          .page = angle_page,
          .rows = step_rows,
          .stored = stored_steps,
          .draw = draw_steps};
}

}  // namespace

StepArm raced(const StepSet& set) {
  StepArm race{.variant = "race"};
  for (const StepArm& arm : set.arms) {
    for (const StepNet& one : arm.nets) {
      const auto same = std::ranges::find_if(race.nets, [&](const StepNet& other) {
        return other.net.lambda == one.net.lambda && other.net.seed == one.net.seed;
      });
      if (same == race.nets.end()) {
        race.nets.push_back(one);
      } else if (validation_of(one) < validation_of(*same)) {
        *same = one;
      }
    }
  }
  return race;
}

std::vector<Claim> angle_claims(const std::vector<StepSet>& sets) {
  std::vector<Claim> claims{
      lower_on_every_set(sets,
                         "angles that validation rows choose, a net per angle: lower test errors than with "
                         "the default angle on every set",
                         raced),
      lower_over_sets(sets, "and lower median test errors over the sets", raced),
      below_parametric(sets,
                       "with them nonparametric nets err no more often than the best of 500 parametric "
                       "settings (figure 3: the median of its seeds)",
                       raced)};
  if (sets.empty()) return claims;
  for (std::size_t a = 1; a < sets.front().arms.size(); ++a) {
    const std::string variant = sets.front().arms[a].variant;
    claims.push_back(
        lower_over_sets(sets, fmt::format("{} for all: lower median test errors over the sets", variant),
                        arm_named(variant)));
  }
  return claims;
}

std::string angle_details(const std::vector<StepSet>& sets) {
  return arms_details(sets, "angle", [](const StepSet& set) {
    std::vector<StepArm> arms = set.arms;
    arms.push_back(raced(set));
    return arms;
  });
}

void make_angle(const Session& session) {
  make_by_set(session, angle_entry(session));
}

void judge_angle(const Session& session, const StoredEntry& stored) {
  judge_by_set(session, stored, angle_entry(session));
}

}  // namespace coppice::experiments
