#include "experiments/changes.h"

#include "coppice/core/fail.h"

#include "experiments/by_set.h"
#include "experiments/entries.h"
#include "experiments/variants.h"

#include <algorithm>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

constexpr const char* wide_convex = "convex, 300 units at first";
constexpr const char* wide_name = "wide-convex";
constexpr std::size_t one_at_a_time = 5;  ///< ways: the default, and each change by itself

std::vector<StepVariant> variants(const Counts& counts) {
  const Flags rows{{"capnorm-rows", "500"}};
  const Flags kinks{{"kinks", "0.1"}, {"kink-step", "0.3"}};
  const Flags factor{{"output-scale-step", "1"}};
  const Flags rule{{"radial-rule", "exponential"}};
  std::vector<StepVariant> all{{unchanged, "plain", {}},
                               {rows_change, "rows", rows},
                               {kinks_change, "kinks", kinks},
                               {factor_change, "factor", factor},
                               {rule_change, "rule", rule},
                               {three_changes, "three", rows + kinks + rule},
                               {all_changes, "four", rows + kinks + rule + factor}};
  all.resize(std::min(all.size(), counts.changes_arms));
  return all;
}

/// Those of other entries, and before them convex with nets as large as the best parametric ones.
std::vector<SetChoice<StepTask>> choices_of(const Session& session) {
  std::vector<SetChoice<StepTask>> choices = default_tasks(session);
  const bool brief = session.counts.short_protocol > 0;
  const Flags wide = brief ? Flags{{"effort", "quick"}} : Flags{{"start-units", "300"}, {"angle", "0.08"}};
  choices.insert(choices.begin(), {wide_name, wide_convex, [&session, wide] {
                                     StepTask task{wide_convex, find_convex(session), wide};
                                     task.data.name = wide_name;
                                     return task;
                                   }});
  return choices;
}

void train_changes(const Session& session, const StepTask& task, std::size_t rank, SoFar<StepSet>& so_far) {
  const bool wide = task.data.name == wide_name;
  std::vector<double> lambdas = wide ? std::vector{1e-7} : std::vector{1e-3, 1e-5, 1e-7};
  if (session.counts.short_protocol > 0) lambdas = default_lambdas(session);
  std::vector<StepVariant> ways = variants(session.counts);
  if (wide) ways.resize(std::min(ways.size(), one_at_a_time));
  Session here = session;
  here.device = Device::cpu;  // so that no way is computed elsewhere than the default beside it
  train_variants(here, "changes", task, ways, lambdas, rank, so_far);
}

EntryPage changes_page(const Session& session, const std::vector<StepSet>& sets) {
  return {
      .name = "changes",
      .title = "Changes of the method, one at a time and together",
      .introduction = fmt::format(
          "Nets of the program's default settings at lambda 1e-3, 1e-5 and 1e-7, {} seeds; of the lambdas "
          "the one of the lowest median validation error is shown. *CapNorm over 500 rows*: its mean and "
          "deviation, and what its gradient takes away, are running ones of the last batches "
          "(`--capnorm-rows 500`). *Kinks that learn*: every hidden unit has an offset kappa, born near 0, "
          "that is trained (`--kinks 0.1 --kink-step 0.3`). *Outputs with a factor*: a common factor on the "
          "capped outputs is trained (`--output-scale-step 1`). *Exponential radial rule*: a length that the "
          "gradient shortens is multiplied by exp(-alpha_r c) instead of 1 - alpha_r c (`--radial-rule "
          "exponential`). On convex also with nets that begin with 300 units per layer, at lambda 1e-7 and "
          "with an angle of 0.08, one change at a time. The values of these settings were tried out on "
          "generated tables before, with seeds 0 to 2.",
          session.counts.seeds),
      .claims = changes_claims(sets),
      .details = changes_details(sets)};
}

SetsEntry<StepTask, StepSet> changes_entry(const Session& session) {
  return {.name = "changes",
          .choices = choices_of(session),
          .most = session.counts.changes_sets,
          .train = train_changes,
          .page = changes_page,
          .rows = step_rows,
          .stored = stored_steps,
          .draw = draw_steps};
}

/// Sets that have the arm.
std::vector<StepSet> with_arm(const std::vector<StepSet>& sets, const char* variant) {
  std::vector<StepSet> some;
  std::ranges::copy_if(sets, std::back_inserter(some),
                       [&](const StepSet& set) { return set.find(variant) != nullptr; });
  return some;
}

}  // namespace

std::vector<Claim> changes_claims(const std::vector<StepSet>& sets) {
  std::vector<Claim> claims;
  for (const char* variant :
       {rows_change, kinks_change, factor_change, rule_change, three_changes, all_changes}) {
    const std::vector<StepSet> some = with_arm(sets, variant);
    if (some.empty()) continue;
    claims.push_back(lower_on_every_set(
        some, fmt::format("{}: lower test errors than the default on every set shown", variant),
        arm_named(variant)));
    claims.push_back(lower_over_sets(some, fmt::format("{}: lower median test errors over the sets", variant),
                                     arm_named(variant)));
    claims.push_back(below_parametric(some,
                                      fmt::format("{}: nonparametric nets err no more often than the best of "
                                                  "500 parametric settings (figure 3: the "
                                                  "median of its seeds)",
                                                  variant),
                                      arm_named(variant)));
  }
  // Of a comparison that no set has nothing is said.
  std::erase_if(claims, [](const Claim& claim) { return claim.measured.empty(); });
  return claims;
}

std::string changes_details(const std::vector<StepSet>& sets) {
  return arms_details(sets, "change", [](const StepSet& set) { return set.arms; });
}

void make_changes(const Session& session) {
  if (session.device == Device::cuda)
    fail("changes: most of them can be trained on processors alone; give --device cpu, or none");
  make_by_set(session, changes_entry(session));
}

void judge_changes(const Session& session, const StoredEntry& stored) {
  judge_by_set(session, stored, changes_entry(session));
}

}  // namespace coppice::experiments
