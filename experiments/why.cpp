#include "experiments/why.h"

#include "coppice/search/side_by_side.h"

#include "experiments/entries.h"

#include <functional>
#include <mutex>

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
          {{"angular-step", "10"}}};
}

/// Those sets that are there, at most so many as the counts say.
std::vector<WhyTask> tasks_of(const Session& session) {
  std::vector<std::function<WhyTask()>> all{
      [&] {
        return image_task(session, "MNIST", find_mnist(session), 3e-4, {{"angular-step", "30"}});
      },
      [&] {
        return image_task(session, "rectangles-images", find_rectangles(session), 3e-5, {{"angle", "0.1"}});
      },
      [&] {
        return image_task(session, "convex", find_convex(session), 1e-5, {{"angle", "0.1"}});
      },
      [&] { return poker_task(session); }};
  std::vector<WhyTask> tasks;
  for (const auto& make : all) {
    if (tasks.size() == session.counts.why_sets) break;
    try {
      tasks.push_back(make());
    } catch (const MissingData& error) {
      session.say(fmt::format("why: left out: {}", error.what()));
    }
  }
  return tasks;
}

EntryPage why_page(const Session& session, const std::vector<WhySet>& sets) {
  return {
      .name = "why",
      .title = "Why nets that size themselves do well",
      .introduction = fmt::format(
          "The paper's comparison changes several things at once: nets that size themselves are trained by "
          "AdaRad, "
          "with CapNorm and with a cap on the outputs, others are not. Here one is changed at a time, {} "
          "seeds "
          "each. *Same size*: the units of a typical net that sized itself, from random weights, without a "
          "penalty. Steps of momentum and shares of smoothed labels are those of the lowest median "
          "validation "
          "error. *Pruned*: nets of three times the units, trained, cut to the size by the product of the "
          "lengths of fan-in and fan-out, trained on. *Grown without penalty, then cut*: the same of nets "
          "that "
          "grew to twice the units of the widest layer in every layer. *Set back*: the nets that sized "
          "themselves, every unit with the fan-in that it was born with, trained on without growing. Nets "
          "that "
          "are trained on pass through all phases of the protocol, with no units added and a millionth of "
          "lambda.",
          session.counts.seeds),
      .claims = why_claims(sets),
      .details = why_details(sets)};
}

}  // namespace

void make_why(const Session& session) {
  const std::vector<WhyTask> tasks = tasks_of(session);
  std::vector<WhySet> sets(tasks.size());
  std::vector<std::vector<Provenance>> made(tasks.size());
  std::mutex mutex;
  // After every set the page is written anew: a call that is interrupted later leaves those that it finished.
  const auto write = [&] {
    std::vector<WhySet> done;
    std::vector<Provenance> runs;
    std::vector<DataFiles> data;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (sets[i].arms.empty()) continue;
      done.push_back(sets[i]);
      runs = runs + made[i];
      data.push_back(tasks[i].data);
    }
    EntryPage page = why_page(session, done);
    page.provenances = runs;
    page.data = data;
    write_entry(session, page, why_rows(done), draw_why(done));
  };
  side_by_side(tasks.size(), session.lanes->count() > 1 ? tasks.size() : 1, [&](std::size_t i) {
    std::vector<Provenance> runs;
    WhySet set = train_why(session, tasks[i], i, runs);
    const std::scoped_lock lock(mutex);
    sets[i] = std::move(set);
    made[i] = std::move(runs);
    write();
    return true;
  });
}

void judge_why(const Session& session, const StoredEntry& stored) {
  const std::vector<WhySet> sets = stored_why(stored);
  EntryPage page = why_page(session, sets);
  page.provenances = stored.provenances;
  page.data = stored.data;
  page.version = stored.version;
  write_entry(session, page, stored.rows, draw_why(sets));
}

}  // namespace coppice::experiments
