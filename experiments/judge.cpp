#include "experiments/judge.h"

#include "coppice/core/text.h"

#include "experiments/significance.h"

#include <algorithm>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

std::string p_text(double p) {
  return p < 1e-4 ? "p < 0.0001" : fmt::format("p {:.2g}", p);
}

std::string labelled(const std::string& label, const std::string& text) {
  return label.empty() ? text : fmt::format("{}: {}", label, text);
}

using Test = Difference(std::span<const double>, std::span<const double>);

/// "Mann-Whitney (first lower in): lambda 0.003: 97 % of pairs, p 0.0002; ...".
Judged lower(const std::vector<Compared>& compared, Test* test, const char* name) {
  bool all = !compared.empty();
  bool opposite = false;
  std::vector<std::string> parts;
  for (const Compared& one : compared) {
    const Difference difference = test(one.first, one.second);
    all = all && difference.p < significance_level && difference.share > 0.5;
    opposite = opposite || (difference.share < 0.5 &&
                            difference.p * static_cast<double>(compared.size()) < significance_level);
    parts.push_back(labelled(one.label, fmt::format("lower in {:.0f} % of pairs, {}", 100 * difference.share,
                                                    p_text(difference.p))));
  }
  return {all        ? Verdict::holds
          : opposite ? Verdict::fails
                     : Verdict::undecided,
          fmt::format("{}: {}", name, joined(parts, "; "))};
}

std::vector<double> times(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

Judged alike(const std::vector<Compared>& compared, double margin, Test* test, const char* name) {
  bool all = !compared.empty();
  bool outside = false;
  std::vector<std::string> parts;
  for (const Compared& one : compared) {
    const Difference above = test(times(one.first, 1 + margin), one.second);
    const Difference below = test(times(one.first, 1 - margin), one.second);
    // Each of the two asks in one direction, so half of a two-sided p counts.
    const double inside = std::max(above.share < 0.5 ? above.p / 2 : 1 - above.p / 2,
                                   below.share > 0.5 ? below.p / 2 : 1 - below.p / 2);
    const double beyond = std::min(above.share > 0.5 ? above.p : 1, below.share < 0.5 ? below.p : 1);
    all = all && inside < significance_level;
    outside = outside || beyond * static_cast<double>(compared.size()) < significance_level;
    const Difference plain = test(one.first, one.second);
    parts.push_back(
        labelled(one.label, fmt::format("within {:g} %: {}; differ: first lower in {:.0f} % of pairs, {}",
                                        100 * margin, p_text(inside), 100 * plain.share, p_text(plain.p))));
  }
  return {all       ? Verdict::holds
          : outside ? Verdict::fails
                    : Verdict::undecided,
          fmt::format("{}: {}", name, joined(parts, "; "))};
}

Judged share_beside(const std::string& label, double yes, double no, const char* word, double limit) {
  return {yes < significance_level  ? Verdict::holds
          : no < significance_level ? Verdict::fails
                                    : Verdict::undecided,
          labelled(label, fmt::format("binomial, {} {:g} %: {}", word, 100 * limit, p_text(yes)))};
}

}  // namespace

const char* word_of(Verdict verdict) {
  return verdict == Verdict::holds ? "holds" : verdict == Verdict::fails ? "does not" : "undecided";
}

Judged lower_everywhere(const std::vector<Compared>& compared) {
  return lower(compared, mann_whitney, "Mann-Whitney");
}

Judged lower_in_pairs(const std::vector<Compared>& compared) {
  return lower(compared, signed_rank, "signed ranks");
}

Judged alike_everywhere(const std::vector<Compared>& compared, double margin) {
  return alike(compared, margin, mann_whitney, "Mann-Whitney");
}

Judged alike_in_pairs(const std::vector<Compared>& compared, double margin) {
  return alike(compared, margin, signed_rank, "signed ranks");
}

Judged share_below(const std::string& label, std::size_t successes, std::size_t trials, double limit) {
  return share_beside(label, at_most(successes, trials, limit), at_least(successes, trials, limit), "below",
                      limit);
}

Judged share_above(const std::string& label, std::size_t successes, std::size_t trials, double limit) {
  return share_beside(label, at_least(successes, trials, limit), at_most(successes, trials, limit), "above",
                      limit);
}

Judged share_lower(const std::string& label, const Share& lower, const Share& higher) {
  const double p = shares_test(lower.value, lower.trials, higher.value, higher.trials);
  const Verdict speaks = lower.value < higher.value ? Verdict::holds : Verdict::fails;
  return {p < significance_level ? speaks : Verdict::undecided, labelled(label, p_text(p))};
}

Judged shown_by_runs(std::size_t shown, std::size_t runs) {
  if (runs == 1) return by_rule(shown == 1, "one run, so the rule alone");
  const double p = sign_test(shown, runs);
  const Verdict speaks = 2 * shown > runs ? Verdict::holds : Verdict::fails;
  return {p < significance_level ? speaks : Verdict::undecided,
          fmt::format("sign test: {} of {} runs, {}", shown, runs, p_text(p))};
}

Judged by_rule(bool holds, const std::string& why) {
  return {holds ? Verdict::holds : Verdict::fails, why};
}

Judged all_of(const std::vector<Judged>& parts) {
  const auto any = [&](Verdict verdict) {
    return std::ranges::find(parts, verdict, &Judged::verdict) != parts.end();
  };
  std::vector<std::string> tests;
  for (const Judged& part : parts) tests.push_back(part.test);
  return {any(Verdict::fails)                        ? Verdict::fails
          : any(Verdict::undecided) || parts.empty() ? Verdict::undecided
                                                     : Verdict::holds,
          joined(tests, "; ")};
}

}  // namespace coppice::experiments
