#include "experiments/step.h"

#include "coppice/core/spread.h"
#include "coppice/report/history.h"

#include "experiments/by_set.h"
#include "experiments/entries.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// Those that make sense where the task's flags say how far units turn.
std::vector<StepVariant> variants_of(const StepTask& task) {
  std::vector<StepVariant> all{
      {plain_step, "plain", {}},
      {wide_trust, "trust-2", {{"trust-region", "2"}}},
      {narrow_trust, "trust-1.1", {{"trust-region", "1.1"}}},
      {relative_trust, "relative", {{"trust-region", "1.1"}, {"relative-epsilon", "0.001"}}},
      {exponential_step, "exponential", {{"radial-rule", "exponential"}}},
      {relative_shrinking, "shrinkage", {{"relative-shrinkage", "on"}}},
      {forgotten_peak, "peak", {{"peak-half-life", "10"}}}};
  const bool by_angle = std::ranges::find(task.flags, "angle", &Flags::value_type::first) != task.flags.end();
  if (by_angle) all.pop_back();  // no peak says how far
  return all;
}

/// Those that take longest come last.
std::vector<SetChoice<StepTask>> choices_of(const Session& session) {
  const bool brief = session.counts.short_protocol > 0;
  const Flags paper = brief ? Flags{{"effort", "quick"}} : Flags{{"effort", "paper"}, {"batch-size", "1000"}};
  const Flags turns = brief ? Flags{} : Flags{{"angle", "0.1"}};
  std::vector<SetChoice<StepTask>> all{
      {"rectangles", "rectangles-images",
       [&session, paper, turns] {
         return StepTask{"rectangles-images", find_rectangles(session), paper + turns};
       }},
      {"convex", "convex", [&session, paper, turns] {
         return StepTask{"convex", find_convex(session), paper + turns};
       }}};
  for (const std::string& name : generated_tables())
    all.push_back(
        {name, name, [&session, name, brief] {
           return StepTask{name, find_generated(session, name), {{"effort", brief ? "quick" : "paper"}}};
         }});
  all.push_back({"mnist", "MNIST", [&session, paper, brief] {
                   return StepTask{"MNIST", find_mnist(session),
                                   paper + (brief ? Flags{} : Flags{{"angular-step", "30"}})};
                 }});
  all.push_back(
      {"poker", "poker", [&session, paper, brief] {
         const Flags protocol = brief ? Flags{}
                                      : Flags{{"patience", "10"},
                                              {"fine-patience", "0.5"},
                                              {"unit-lifetime", "5"},
                                              {"additions-per-epoch", "10"},
                                              {"angular-step", "10"}};
         return StepTask{"poker", find_poker(session), paper + protocol + Flags{{"hidden-layers", "4"}}};
       }});
  return all;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// Of the hidden layers; an empty list is all zeros.
double hidden_mean(std::vector<double> layers) {
  if (!layers.empty()) layers.pop_back();
  return mean(layers);
}

StepNet measured(const NetResult& net, const NetHistory& history) {
  StepNet one{.net = net};
  std::vector<double> flips;
  std::vector<double> held;
  std::vector<double> angles;
  std::size_t grown = 0;
  for (const EpochRow& row : history.epochs) {
    if (row.phase != Phase::grow) continue;
    grown = row.epoch;
    flips.push_back(hidden_mean(row.flips));
    held.push_back(hidden_mean(row.held));
    angles.push_back(hidden_mean(row.mean_angle));
  }
  for (const LengthsRow& row : history.lengths) {
    if (row.layer == 0 && row.epoch <= grown && !row.fan_in.empty())
      one.length = spread_of(row.fan_in).median;
  }
  one.flips = mean(flips);
  one.held = mean(held);
  one.angle = mean(angles);
  return one;
}

StepArm arm_of(const StepVariant& variant, const TrainedNets& nets) {
  StepArm arm{.variant = variant.name};
  std::vector<std::size_t> ids;
  for (const NetResult& net : nets.summary.nets) ids.push_back(net.id);
  const std::vector<NetHistory> histories =
      read_journal((std::filesystem::path(nets.directory) / "journal.jsonl").string(), ids);
  for (std::size_t i = 0; i < ids.size(); ++i)
    arm.nets.push_back(measured(nets.summary.nets[i], histories[i]));
  return arm;
}

void train_set(const Session& session, const StepTask& task, std::size_t rank, SoFar<StepSet>& so_far) {
  std::vector<double> lambdas{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
  lambdas.resize(std::min(lambdas.size(), session.counts.step_lambdas));
  train_variants(session, "step", task, variants_of(task), lambdas, rank, so_far);
}

EntryPage step_page(const Session&, const std::vector<StepSet>& sets) {
  std::vector<std::pair<std::string, std::size_t>> seeds;
  for (const StepSet& set : sets) {
    const StepArm& plain = set.arms.front();
    seeds.emplace_back(set.title, plain.nets.size() / plain.lambdas().size());
  }
  return {.name = "step",
          .title = "The radial step: as in the paper, and kept within limits",
          .introduction = fmt::format(
              "AdaRad multiplies the length of a fan-in by 1 - alpha_r c before it turns and shrinks it, and "
              "alpha_r = 1/(50 lambda) is 2e6 at lambda 1e-8. Where CapNorm does not divide (a deviation "
              "below 1) c is not zero, so that the factor may be huge or negative. *Trust region c*: the "
              "factor is kept in [1/c, c] (`--trust-region`). *Relative epsilon*: what keeps the division by "
              "a unit's mean angular part finite is that share of the net's largest "
              "(`--relative-epsilon`). *Exponential*: a length that the gradient shortens is multiplied by "
              "exp(-alpha_r c) "
              "instead (`--radial-rule exponential`), which is never negative. *Relative shrinkage*: fan-ins "
              "longer than 1 "
              "lose a share of their length instead of a length (`--relative-shrinkage on`). *Peak "
              "forgotten*: the largest "
              "mean angular part, by which alpha_phi is multiplied, falls by half in ten epochs "
              "(`--peak-half-life 10`), "
              "where alpha_phi says how far units turn. {}. Flips, angles and lengths are those of the "
              "hidden units while units were added; lengths are of the first layer at the end of that. "
              "Twonorm to parity are generated tables that no setting was chosen by.",
              seeds_of_sets(seeds, "per lambda")),
          .claims = step_claims(sets),
          .details = step_details(sets)};
}

SetsEntry<StepTask, StepSet> step_entry(const Session& session) {
  return {.name = "step",
          .choices = choices_of(session),
          .most = session.counts.step_sets,
          .train = train_set,
          .page = step_page,
          .rows = step_rows,
          .stored = stored_steps,
          .draw = draw_steps};
}

}  // namespace

const std::vector<std::string>& generated_tables() {
  static const std::vector<std::string> names{"twonorm", "ringnorm", "waveform", "xor", "spirals", "parity"};
  return names;
}

void train_variants(const Session& session, const std::string& entry, const StepTask& task,
                    const std::vector<StepVariant>& variants, const std::vector<double>& lambdas,
                    std::size_t rank, SoFar<StepSet>& so_far) {
  const StepSet kept = so_far.set.value_or(StepSet{});
  std::vector<NetsOrder> orders;
  std::vector<const StepVariant*> ordered;
  for (const StepVariant& variant : variants) {
    if (kept.find(variant.name) != nullptr) continue;
    ordered.push_back(&variant);
    orders.push_back(
        {.name = fmt::format("{}-{}-{}", entry, task.data.name, variant.run),
         .data = task.data,
         .flags = Flags{{"lambda", numbers_text(lambdas)}, {"seeds", std::to_string(session.counts.seeds)}} +
                  task.flags + variant.flags,
         .bulk = Bulk::keep});
  }
  std::map<std::string, StepArm> ended;
  std::map<std::string, Provenance> runs;
  const auto show = [&] {
    StepSet set{.title = task.title};
    for (const StepVariant& variant : variants) {
      if (const StepArm* arm = kept.find(variant.name)) set.arms.push_back(*arm);
      if (!ended.contains(variant.name)) continue;
      set.arms.push_back(ended.at(variant.name));
      so_far.add_run(runs.at(variant.name));
    }
    if (!set.arms.empty() && set.arms.front().variant == variants.front().name) so_far.set = std::move(set);
  };
  try {
    train_side_by_side(session, orders, rank, [&](std::size_t i, const TrainedNets& nets) {
      const StepVariant& variant = *ordered[i];
      ended[variant.name] = arm_of(variant, nets);
      runs[variant.name] = nets.provenance;
    });
  } catch (const Interrupted&) {
    show();
    throw;
  }
  show();
}

void make_step(const Session& session) {
  make_by_set(session, step_entry(session));
}

void judge_step(const Session& session, const StoredEntry& stored) {
  judge_by_set(session, stored, step_entry(session));
}

}  // namespace coppice::experiments
