#include "experiments/kinks.h"

#include "experiments/by_set.h"
#include "experiments/entries.h"
#include "experiments/variants.h"

#include <algorithm>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

std::vector<StepVariant> variants(const Counts& counts) {
  std::vector<StepVariant> all{{plain_kinks, "plain", {}},
                               {half_kinks, "0.5", {{"kinks", "0.5"}}},
                               {whole_kinks, "1", {{"kinks", "1"}}},
                               {wider_angle, "angle", {{"angle", "0.04"}}},
                               {kinks_and_angle, "1-angle", {{"kinks", "1"}, {"angle", "0.04"}}}};
  all.resize(std::min(all.size(), counts.kinks_arms));
  return all;
}

void train_kinks(const Session& session, const StepTask& task, std::size_t rank, SoFar<StepSet>& so_far) {
  train_variants(session, "kinks", task, variants(session.counts), default_lambdas(session), rank, so_far);
}

EntryPage kinks_page(const Session& session, const std::vector<StepSet>& sets) {
  return {
      .name = "kinks",
      .title = "Kinks of units: at the mean of their input, and spread around it",
      .introduction = fmt::format(
          "CapNorm takes the mean of a unit's input away, so that every relu bends there. With `--kinks k` "
          "it takes away the mean and kappa times the deviation, y = (z - mu - kappa sigma) / max(sigma, "
          "1), where kappa is drawn from N(0, k^2) at the unit's birth and never changes. Nets of the "
          "program's default settings at lambda 1e-3, 1e-4 and 1e-5, {} seeds; of the lambdas the one of "
          "the lowest median validation error is shown. The same with a larger angle than the default "
          "([angle](angle.md)). Twonorm to parity are generated tables that no setting was chosen by.",
          session.counts.seeds),
      .claims = kinks_claims(sets),
      .details = kinks_details(sets)};
}

SetsEntry<StepTask, StepSet> kinks_entry(const Session& session) {
  return {.name = "kinks",
          .choices = default_tasks(session),
          .most = session.counts.kinks_sets,
          .train = train_kinks,
          .page = kinks_page,
          .rows = step_rows,
          .stored = stored_steps,
          .draw = draw_steps};
}

/// The second beside the first of two arms, which then is the set's first; of the sets that have both.
std::vector<StepSet> beside(const std::vector<StepSet>& sets, const char* first, const char* second) {
  std::vector<StepSet> pairs;
  for (const StepSet& set : sets) {
    const StepArm* one = set.find(first);
    const StepArm* other = set.find(second);
    if (one != nullptr && other != nullptr) pairs.push_back({set.title, {*one, *other}});
  }
  return pairs;
}

}  // namespace

std::vector<Claim> kinks_claims(const std::vector<StepSet>& sets) {
  std::vector<Claim> claims;
  for (const char* variant : {half_kinks, whole_kinks}) {
    const std::vector<StepSet> pairs = beside(sets, plain_kinks, variant);
    claims.push_back(lower_on_every_set(
        pairs, fmt::format("{}: lower test errors than with kinks at the mean on every set", variant),
        arm_named(variant)));
    claims.push_back(lower_over_sets(
        pairs, fmt::format("{}: lower median test errors over the sets", variant), arm_named(variant)));
  }
  claims.push_back(lower_over_sets(beside(sets, wider_angle, kinks_and_angle),
                                   "the same of kinks 1 where both turn by an angle of 0.04",
                                   arm_named(kinks_and_angle)));
  for (const char* variant : {whole_kinks, kinks_and_angle})
    claims.push_back(below_parametric(
        beside(sets, plain_kinks, variant),
        fmt::format("{}: nonparametric nets err no more often than the best of 500 parametric settings "
                    "(figure 3: the median of its seeds)",
                    variant),
        arm_named(variant)));
  return claims;
}

std::string kinks_details(const std::vector<StepSet>& sets) {
  return arms_details(sets, "kinks", [](const StepSet& set) { return set.arms; });
}

void make_kinks(const Session& session) {
  make_by_set(session, kinks_entry(session));
}

void judge_kinks(const Session& session, const StoredEntry& stored) {
  judge_by_set(session, stored, kinks_entry(session));
}

}  // namespace coppice::experiments
