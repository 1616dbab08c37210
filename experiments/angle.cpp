#include "experiments/angle.h"

#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/by_set.h"
#include "experiments/entries.h"
#include "experiments/significance.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

double test_error_of(const StepNet& net) {
  return net.test_error();
}

double validation_of(const StepNet& net) {
  return std::isfinite(net.net.validation_error) ? net.net.validation_error : 1;
}

/// The lowest median test error of the best of 500 parametric settings, by median validation error (figure 3).
double best_parametric(const std::string& title) {
  return title == "MNIST" ? 0.0149 : title == "rectangles-images" ? 0.1224 : title == "convex" ? 0.2328 : NAN;
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
  const std::vector<double> lambdas =
      session.counts.short_protocol > 0 ? std::vector<double>{1e-3} : std::vector<double>{1e-3, 1e-4, 1e-5};
  SoFar<StepSet> whole;
  train_variants(session, "angle", task, angles(session.counts), lambdas, rank, whole);
  so_far = std::move(whole);
}

std::vector<double> chosen_errors(const StepArm& arm) {
  return arm.at(arm.chosen_lambda(), test_error_of);
}

Claim race_claim(const std::vector<StepSet>& sets) {
  std::vector<Compared> compared;
  std::vector<std::string> parts;
  for (const StepSet& set : sets) {
    compared.push_back({set.title, chosen_errors(raced(set)), chosen_errors(set.arms.front())});
    parts.push_back(fmt::format("{}: {} and {}", set.title,
                                share_text(spread_of(compared.back().first).median),
                                share_text(spread_of(compared.back().second).median)));
  }
  return {
      "angles that validation rows choose, a net per angle: lower test errors than with the default angle on "
      "every set",
      joined(parts, "; "), lower_everywhere(compared), true};
}

/// Over the sets, medians.
Claim over_sets(const std::vector<StepSet>& sets, const std::string& text,
                const std::function<const StepArm(const StepSet&)>& arm) {
  Compared medians;
  for (const StepSet& set : sets) {
    medians.first.push_back(spread_of(chosen_errors(arm(set))).median);
    medians.second.push_back(spread_of(chosen_errors(set.arms.front())).median);
  }
  double ratio = 0;
  for (std::size_t i = 0; i < medians.first.size(); ++i)
    ratio += std::log(medians.first[i] / medians.second[i]) / static_cast<double>(medians.first.size());
  return {text,
          fmt::format("{} sets, on average {:.3f} of the default's error", sets.size(), std::exp(ratio)),
          medians.first.empty() ? Judged{} : lower_in_pairs({medians}), true};
}

Claim parametric_claim(const std::vector<StepSet>& sets) {
  std::vector<Judged> tests;
  std::vector<std::string> parts;
  for (const StepSet& set : sets) {
    const double best = best_parametric(set.title);
    if (!std::isfinite(best)) continue;
    const std::vector<double> errors = chosen_errors(raced(set));
    const auto below =
        static_cast<std::size_t>(std::ranges::count_if(errors, [&](double error) { return error <= best; }));
    tests.push_back(shown_by_runs(below, errors.size()));
    tests.back().test = fmt::format("{}: {}", set.title, tests.back().test);
    parts.push_back(
        fmt::format("{}: {} and {}", set.title, errors_text(spread_of(errors)), share_text(best)));
  }
  return {
      "with them nonparametric nets err no more often than the best of 500 parametric settings (figure 3: "
      "the "
      "median of its seeds)",
      joined(parts, "; "), all_of(tests), true};
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
  const bool brief = session.counts.short_protocol > 0;
  const Flags flags = brief ? Flags{{"effort", "quick"}} : Flags{};
  std::vector<SetChoice<StepTask>> choices{
      {"rectangles", "rectangles-images",
       [&session, flags] {
         return StepTask{"rectangles-images", find_rectangles(session), flags};
       }},
      {"convex", "convex", [&session, flags] {
         return StepTask{"convex", find_convex(session), flags};
       }}};
  for (const std::string& name : generated_tables())
    choices.push_back({name, name, [&session, name, flags] {
                         return StepTask{name, find_generated(session, name), flags};
                       }});
  choices.push_back({"mnist", "MNIST", [&session, flags] {
                       return StepTask{"MNIST", find_mnist(session), flags};
                     }});
  return {.name = "angle",
          .choices = choices,
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
  std::vector<Claim> claims{race_claim(sets),
                            over_sets(sets, "and lower median test errors over the sets", raced),
                            parametric_claim(sets)};
  if (sets.empty()) return claims;
  for (std::size_t a = 1; a < sets.front().arms.size(); ++a) {
    const std::string variant = sets.front().arms[a].variant;
    claims.push_back(over_sets(sets,
                               fmt::format("{} for all: lower median test errors over the sets", variant),
                               [&](const StepSet& set) {
                                 const StepArm* arm = set.find(variant);
                                 return arm == nullptr ? set.arms.front() : *arm;
                               }));
  }
  return claims;
}

std::string angle_details(const std::vector<StepSet>& sets) {
  std::string text;
  for (const StepSet& set : sets) {
    Rows rows{{"angle", "lambda", "units of a typical net", "test error, median (range)",
               "lower than the default in", "angle turned by", "epochs"}};
    std::vector<StepArm> arms = set.arms;
    arms.push_back(raced(set));
    for (const StepArm& arm : arms) {
      const double lambda = arm.chosen_lambda();
      std::vector<NetResult> nets;
      for (const StepNet& one : arm.nets)
        if (one.net.lambda == lambda) nets.push_back(one.net);
      const std::vector<double> errors = chosen_errors(arm);
      const Difference difference = mann_whitney(errors, chosen_errors(set.arms.front()));
      const double angle = spread_of(arm.at(lambda, [](const StepNet& one) { return one.angle; })).median;
      const double epochs = spread_of(arm.at(lambda, [](const StepNet& one) {
                              return static_cast<double>(one.net.epochs);
                            })).median;
      rows.push_back({arm.variant, fmt::format("{:g}", lambda),
                      size_text(nets[representative(nets)].hidden_units), errors_text(spread_of(errors)),
                      &arm == &arms.front()
                          ? "-"
                          : fmt::format("{:.0f} % of pairs, p {:.2g}", 100 * difference.share, difference.p),
                      fmt::format("{:.3g}", angle), count_text(epochs)});
    }
    text += fmt::format("## {}\n\n{}\n", set.title, markdown_table(rows));
  }
  return text;
}

void make_angle(const Session& session) {
  make_by_set(session, angle_entry(session));
}

void judge_angle(const Session& session, const StoredEntry& stored) {
  judge_by_set(session, stored, angle_entry(session));
}

}  // namespace coppice::experiments
