#include "experiments/why.h"

#include "experiments/by_set.h"
#include "experiments/entries.h"

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

WhyTask image_task(const Session& session, const std::string& title, DataFiles data, double lambda,
                   const Flags& turns) {
  const Counts& counts = session.counts;
  if (counts.short_protocol > 0)
    return {title, std::move(data),       lambda * static_cast<double>(counts.lambda_times),
            8,     {{"effort", "quick"}}, {},
            {}};
  return {title, std::move(data), lambda, 50, {{"effort", "paper"}, {"batch-size", "1000"}}, {}, turns};
}

WhyTask poker_task(const Session& session) {
  const double lambda = 1e-5;
  if (session.counts.short_protocol > 0)
    return {"poker", find_poker(session), lambda, 8, {{"effort", "quick"}}, {{"hidden-layers", "4"}}, {}};
  return {"poker",
          find_poker(session),
          lambda,
          5,
          {{"effort", "paper"}, {"batch-size", "1000"}, {"patience", "10"}, {"fine-patience", "0.5"}},
          {{"hidden-layers", "4"}, {"unit-lifetime", "5"}, {"additions-per-epoch", "10"}},
          {{"angular-step", "10"}},
          10};
}

EntryPage why_page(const Session&, const std::vector<WhySet>& sets) {
  std::vector<std::pair<std::string, std::size_t>> seeds;
  for (const WhySet& set : sets) seeds.emplace_back(set.title, set.arms.front().nets.size());
  return {
      .name = "why",
      .title = "Why nets that size themselves do well",
      .introduction = fmt::format(
          "The paper's comparison changes several things at once: nets that size themselves are trained by "
          "AdaRad, "
          "with CapNorm and with a cap on the outputs, others are not. Here one is changed at a time, {}. "
          "*Same size*: the units of a typical net that sized itself, from random weights, without a "
          "penalty. Steps of momentum and shares of smoothed labels are those of the lowest median "
          "validation "
          "error. *Pruned*: nets of three times the units, trained, cut to the size by the product of the "
          "lengths of fan-in and fan-out, trained on. *Grown without penalty, then cut*: the same of nets "
          "that "
          "grew to twice the units of the widest layer in every layer. *Set back*: the nets that sized "
          "themselves, every unit with the fan-in that it was born with, trained on without growing. Nets "
          "that "
          "are trained on pass through all phases of the protocol, with no units added and a millionth of "
          "lambda. On poker, where units come ten times per epoch, which inputs a unit found at its birth is "
          "known to the epoch alone.",
          seeds_of_sets(seeds, "each")),
      .claims = why_claims(sets),
      .details = why_details(sets)};
}

SetsEntry<WhyTask, WhySet> why_entry(const Session& session) {
  return {
      .name = "why",
      .choices = {{"mnist", "MNIST",
                   [&session] {
                     return image_task(session, "MNIST", find_mnist(session), 3e-4, {{"angular-step", "30"}});
                   }},
                  {"rectangles", "rectangles-images",
                   [&session] {
                     return image_task(session, "rectangles-images", find_rectangles(session), 3e-5,
                                       {{"angle", "0.1"}});
                   }},
                  {"convex", "convex",
                   [&session] {
                     return image_task(session, "convex", find_convex(session), 1e-5, {{"angle", "0.1"}});
                   }},
                  {"poker", "poker", [&session] { return poker_task(session); }}},
      .most = session.counts.why_sets,
      .train = train_why,
      .page = why_page,
      .rows = why_rows,
      .stored = stored_why,
      .draw = draw_why};
}

}  // namespace

void make_why(const Session& session) {
  make_by_set(session, why_entry(session));
}

void judge_why(const Session& session, const StoredEntry& stored) {
  judge_by_set(session, stored, why_entry(session));
}

}  // namespace coppice::experiments
