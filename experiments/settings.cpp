#include "experiments/settings.h"

#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/by_set.h"
#include "experiments/entries.h"
#include "experiments/picture.h"
#include "experiments/significance.h"

#include <algorithm>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// A set with its lambdas and ways of training, the paper's first.
struct SettingsTask {
  std::string title = {};
  DataFiles data = {};
  Flags flags = {};  ///< of all of them
  std::vector<double> lambdas = {};
  std::vector<StepVariant> variants = {};
};

Flags paper(const Flags& more) {
  return Flags{{"effort", "paper"}, {"batch-size", "1000"}} + more;
}

SettingsTask rectangles_task(const Session& session) {
  const auto alpha = [](const char* value) { return paper({{"angular-step", value}}); };
  const auto angle = [](const char* value) { return paper({{"angle", value}}); };
  return {.title = "rectangles-images",
          .data = find_rectangles(session),
          .lambdas = {3e-5, 1e-6},
          .variants = {
              {papers_settings, "paper", alpha("30")},
              {"alpha_phi 100", "alpha-100", alpha("100")},
              {"alpha_phi 10", "alpha-10", alpha("10")},
              {tenth_alpha, "alpha-3", alpha("3")},
              {"angle 0.1", "angle-0.1", angle("0.1")},
              {"angle 0.03", "angle-0.03", angle("0.03")},
              {small_batches, "batches", {{"effort", "paper"}, {"batch-size", "200"}, {"angle", "0.045"}}},
              {own_settings, "defaults", {}},
              {"default settings, angle 0.045", "defaults-angle", {{"angle", "0.045"}}}}};
}

SettingsTask convex_task(const Session& session) {
  const auto alpha = [](const char* value) { return paper({{"angular-step", value}}); };
  return {.title = "convex",
          .data = find_convex(session),
          .lambdas = {1e-5, 1e-6, 1e-8},
          .variants = {{papers_settings, "paper", alpha("30")},
                       {"alpha_phi 100", "alpha-100", alpha("100")},
                       {"alpha_phi 300", "alpha-300", alpha("300")},
                       {"alpha_phi 1000", "alpha-1000", alpha("1000")},
                       {many_units, "start-100", alpha("30") + Flags{{"start-units", "100"}}},
                       {fast_growth, "add-5", alpha("30") + Flags{{"add-units", "5"}}},
                       {own_settings, "defaults", {}},
                       {wider_angle, "defaults-angle", {{"angle", "0.08"}}},
                       {"default settings, batches of 500, angle 0.1",
                        "defaults-batches",
                        {{"batch-size", "500"}, {"angle", "0.1"}}}}};
}

/// At the largest lambda, where the paper's settings lose all units here. Most of these nets are not finished.
SettingsTask poker_task(const Session& session) {
  const auto hands = [](const char* alpha, const char* lifetime, const Flags& more = {}) {
    return paper({{"additions-per-epoch", "10"},
                  {"patience", "10"},
                  {"fine-patience", "0.5"},
                  {"angular-step", alpha},
                  {"unit-lifetime", lifetime}}) +
           more;
  };
  return {.title = "poker",
          .data = find_poker(session),
          .flags = {{"hidden-layers", "4"}, {"max-epochs", "60"}},
          .lambdas = {1e-3},
          .variants = {{papers_settings, "paper", hands("10", "5")},
                       {triple_alpha, "alpha-30", hands("30", "5")},
                       {"alpha_phi 100", "alpha-100", hands("100", "5")},
                       {many_units, "start-100", hands("10", "5", {{"start-units", "100"}})},
                       {longer_life, "lifetime-20", hands("10", "20")},
                       {"lifetime 50 epochs", "lifetime-50", hands("10", "50")},
                       {own_settings, "defaults", {}}}};
}

/// As `task` has it, or little of it.
SettingsTask at_scale(const Session& session, SettingsTask task) {
  if (session.counts.short_protocol == 0) return task;
  task.flags = {{"effort", "quick"}, {"max-epochs", "20"}};
  task.lambdas = {1e-3};
  for (StepVariant& variant : task.variants)
    std::erase_if(variant.flags,
                  [](const auto& flag) { return flag.first == "effort" || flag.first == "batch-size"; });
  return task;
}

void train_settings(const Session& session, const SettingsTask& task, std::size_t rank,
                    SoFar<StepSet>& so_far) {
  train_variants(session, "settings", {.title = task.title, .data = task.data, .flags = task.flags},
                 task.variants, task.lambdas, rank, so_far);
}

EntryPage settings_page(const Session&, const std::vector<StepSet>& sets) {
  std::vector<std::pair<std::string, std::size_t>> seeds;
  for (const StepSet& set : sets) {
    const StepArm& first = set.arms.front();
    seeds.emplace_back(set.title, first.nets.size() / first.lambdas().size());
  }
  return {.name = "settings",
          .title = "Other settings where the paper's do not suit",
          .introduction = fmt::format(
              "What [figure 3](figure3.md) and [table 2](table2.md) say about why nets come out otherwise "
              "here than in the paper: one setting is changed at a time, {}. On poker at the largest lambda, "
              "and 60 epochs at most, so that most of these nets are not finished.",
              seeds_of_sets(seeds, "per lambda")),
          .claims = settings_claims(sets),
          .details = settings_details(sets)};
}

SetsEntry<SettingsTask, StepSet> settings_entry(const Session& session) {
  return {.name = "settings",
          .choices = {{"rectangles", "rectangles-images",
                       [&session] { return at_scale(session, rectangles_task(session)); }},
                      {"convex", "convex", [&session] { return at_scale(session, convex_task(session)); }},
                      {"poker", "poker", [&session] { return at_scale(session, poker_task(session)); }}},
          .most = session.counts.settings_sets,
          .train = train_settings,
          .page = settings_page,
          .rows = step_rows,
          .stored = stored_steps,
          .draw = draw_settings};
}

double test_error_of(const StepNet& net) {
  return net.test_error();
}

/// The first way and the second on one set, at those lambdas that both have; nothing if it lacks one of them. No lambdas:
/// at all of them.
std::vector<Compared> compared(const std::vector<StepSet>& sets, const std::string& title, const char* first,
                               const char* second, const std::vector<double>& lambdas = {}) {
  const auto set = std::ranges::find(sets, title, &StepSet::title);
  if (set == sets.end()) return {};
  const StepArm* a = set->find(first);
  const StepArm* b = set->find(second);
  if (a == nullptr || b == nullptr) return {};
  std::vector<Compared> all;
  for (const double lambda : lambdas.empty() ? a->lambdas() : lambdas) {
    const Compared one{fmt::format("lambda {:g}", lambda), a->at(lambda, test_error_of),
                       b->at(lambda, test_error_of)};
    if (!one.first.empty() && !one.second.empty()) all.push_back(one);
  }
  return all;
}

Claim lower(const std::string& text, const std::vector<Compared>& compared) {
  std::vector<std::string> medians;
  for (const Compared& one : compared)
    medians.push_back(fmt::format("{}: {} and {}", one.label, share_text(spread_of(one.first).median),
                                  share_text(spread_of(one.second).median)));
  return {text, joined(medians, "; "), lower_everywhere(compared), true};
}

}  // namespace

std::vector<Claim> settings_claims(const std::vector<StepSet>& sets) {
  const std::string rectangles = "rectangles-images";
  std::vector<Claim> claims{
      lower("rectangles-images: a tenth of the paper's alpha_phi gives lower errors",
            compared(sets, rectangles, tenth_alpha, papers_settings)),
      lower("rectangles-images: so does an angle that fits, with batches of 200: lower than with that "
            "alpha_phi",
            compared(sets, rectangles, small_batches, tenth_alpha)),
      lower("convex: many units to begin with give lower errors at the smallest lambda",
            compared(sets, "convex", many_units, papers_settings, {1e-8})),
      lower("convex: so do five units per epoch",
            compared(sets, "convex", fast_growth, papers_settings, {1e-8})),
      lower("convex: a wider angle mends the default settings",
            compared(sets, "convex", wider_angle, own_settings, {1e-5, 1e-8})),
      lower("poker, lambda 1e-3: three times the paper's alpha_phi lets nets learn",
            compared(sets, "poker", triple_alpha, papers_settings)),
      lower("poker, lambda 1e-3: so does a life of useless units that is four times as long",
            compared(sets, "poker", longer_life, papers_settings)),
      lower("poker, lambda 1e-3: so do the default settings",
            compared(sets, "poker", own_settings, papers_settings))};
  // Of ways that no set has nothing is said.
  std::erase_if(claims, [](const Claim& claim) { return claim.measured.empty(); });
  return claims;
}

std::string settings_details(const std::vector<StepSet>& sets) {
  std::string text;
  for (const StepSet& set : sets) {
    Rows rows{{"settings", "lambda", "units of a typical net", "parameters, median",
               "test error, median (range)", "lower than with the paper's in", "epochs, median"}};
    for (const StepArm& arm : set.arms) {
      for (const double lambda : arm.lambdas()) {
        std::vector<NetResult> nets;
        for (const StepNet& one : arm.nets)
          if (one.net.lambda == lambda) nets.push_back(one.net);
        const auto median = [&](double (*number)(const StepNet&)) {
          return count_text(spread_of(arm.at(lambda, number)).median);
        };
        const std::vector<double> errors = arm.at(lambda, test_error_of);
        const Difference difference = mann_whitney(errors, set.arms.front().at(lambda, test_error_of));
        rows.push_back(
            {arm.variant, fmt::format("{:g}", lambda), size_text(nets[representative(nets)].hidden_units),
             median([](const StepNet& one) { return static_cast<double>(one.net.parameters); }),
             errors_text(spread_of(errors)),
             &arm == &set.arms.front()
                 ? "-"
                 : fmt::format("{:.0f} % of pairs, p {:.2g}", 100 * difference.share, difference.p),
             median([](const StepNet& one) { return static_cast<double>(one.net.epochs); })});
      }
    }
    text += fmt::format("## {}\n\n{}\n", set.title, markdown_table(rows));
  }
  return text;
}

/// Of every set a line per way, a mark per lambda.
Svg draw_settings(const std::vector<StepSet>& sets) {
  constexpr double names = 300;
  constexpr double width = 700;
  constexpr double line = 22;
  static const std::vector<std::string> colours{"black", "red", "blue"};
  double height = 10;
  for (const StepSet& set : sets) height += 50 + line * static_cast<double>(set.arms.size());
  Svg svg(width, height, "test errors of nets trained with several settings");
  double top = 10;
  for (const StepSet& set : sets) {
    std::vector<double> medians;
    const std::vector<double> lambdas = set.arms.front().lambdas();
    for (const StepArm& arm : set.arms)
      for (const double lambda : lambdas) medians.push_back(spread_of(arm.at(lambda, test_error_of)).median);
    const Spread range = spread_of(medians);
    const Scale x{.low = range.low,
                  .high = std::max(range.high, range.low + 1e-9),
                  .log = false,
                  .from = names + 20,
                  .to = width - 20};
    svg.text(8, top + 16, set.title, "start", "name");
    svg.text(x.from, top + 16, share_text(range.low));
    svg.text(x.to, top + 16, share_text(range.high), "end");
    Legend legend;
    for (std::size_t l = 0; l < lambdas.size(); ++l)
      legend.emplace_back(colours[l % colours.size()], fmt::format("lambda {:g}", lambdas[l]));
    draw_legend(svg, width - 90, top + 16, legend);
    for (std::size_t a = 0; a < set.arms.size(); ++a) {
      const double y = top + 40 + line * static_cast<double>(a);
      svg.text(8, y + 4, set.arms[a].variant);
      for (std::size_t l = 0; l < lambdas.size(); ++l) {
        const double median = spread_of(set.arms[a].at(lambdas[l], test_error_of)).median;
        svg.rect(x(median) - 4, y - 4, 8, 8, "mark " + colours[l % colours.size()],
                 fmt::format("lambda {:g}: {}", lambdas[l], share_text(median)));
      }
    }
    top += 50 + line * static_cast<double>(set.arms.size());
  }
  return svg;
}

void make_settings(const Session& session) {
  make_by_set(session, settings_entry(session));
}

void judge_settings(const Session& session, const StoredEntry& stored) {
  judge_by_set(session, stored, settings_entry(session));
}

}  // namespace coppice::experiments
