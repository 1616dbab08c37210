#pragma once

#include <cstddef>
#include <string>
#include <vector>

// How claims are judged: by a test whose result stands beside them, with a third answer where it decides nothing.
namespace coppice::experiments {

enum class Verdict { holds, fails, undecided };

/// "holds", "does not", "undecided".
const char* word_of(Verdict verdict);

/// A verdict and the test that gave it: its name, effect size and p.
struct Judged {
  Verdict verdict = Verdict::undecided;
  std::string test = {};
};

/// A test has spoken if its p is below this.
constexpr double significance_level = 0.05;

/// Two samples of a claim, of as many nets, seeds or images.
struct Compared {
  std::string label;
  std::vector<double> first;
  std::vector<double> second;
};

/// Whether the first's numbers are lower in every comparison (Mann-Whitney): holds if each test says so; fails if one of
/// them, at the level divided by their number, says the opposite.
Judged lower_everywhere(const std::vector<Compared>& compared);

/// The same of pairs (signed ranks).
Judged lower_in_pairs(const std::vector<Compared>& compared);

/// Whether the second's numbers lie within that share of the first's, either way, in every comparison: holds if two
/// tests each time say that they are neither higher nor lower than that; fails if one of them, at the level divided by
/// their number, says that they are.
Judged alike_everywhere(const std::vector<Compared>& compared, double margin);

/// Whether the second's numbers lie within that share of the first's, in pairs.
Judged alike_in_pairs(const std::vector<Compared>& compared, double margin);

/// Whether a share, of which `successes` of `trials` were seen, is below or above a limit (binomial).
Judged share_below(const std::string& label, std::size_t successes, std::size_t trials, double limit);
Judged share_above(const std::string& label, std::size_t successes, std::size_t trials, double limit);

/// Whether one share is lower than another, each of so many trials.
struct Share {
  double value = 0;
  double trials = 0;
};
Judged share_lower(const std::string& label, const Share& lower, const Share& higher);

/// Whether runs show something: so many of them do (sign test). One run has no test: the rule alone decides.
Judged shown_by_runs(std::size_t shown, std::size_t runs);

/// What no chance decides, such as a count.
Judged by_rule(bool holds, const std::string& why);

/// All of them: fails if one does, holds if all do.
Judged all_of(const std::vector<Judged>& parts);

}  // namespace coppice::experiments
