#include "experiments/theory.h"

#include "coppice/data/generate.h"
#include "coppice/device/processor.h"
#include "coppice/search/side_by_side.h"

#include "experiments/entries.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

constexpr double theory_lambda = 3e-3;

struct Asked {
  std::string part;
  std::string penalty;
  Minimisation how;
};

std::vector<std::size_t> widths_of(const Counts& counts) {
  std::vector<std::size_t> widths;
  for (std::size_t width = 1; widths.size() < counts.theory_widths; width *= 2) widths.push_back(width);
  return widths;
}

/// Everything to be minimised; the widest nets first, which take longest.
std::vector<Asked> all_asked(const Counts& counts) {
  const std::vector<std::size_t> widths = widths_of(counts);
  std::vector<Asked> all;
  const auto ask = [&](const std::string& part, const Penalty& penalty, Minimisation how) {
    how.steps = counts.theory_steps;
    all.push_back({.part = part, .penalty = penalty.name, .how = std::move(how)});
  };
  for (std::size_t w = widths.size(); w-- > 0;) {
    for (std::uint64_t seed = 0; seed < counts.seeds; ++seed) {
      Minimisation how{
          .lambda = theory_lambda, .hidden = {widths[w]}, .seed = seed, .activation = Activation::tanh};
      for (const Penalty& penalty : penalties()) {
        how.regularizer = penalty.regularizer;
        ask("theorem", penalty, how);
      }
      how.lambda = 0;
      ask("no penalty", {.name = "none", .regularizer = {}}, how);
    }
  }
  const std::vector<std::size_t> half{std::max<std::size_t>(1, widths.back() / 2)};
  for (std::uint64_t seed = 0; seed < counts.seeds; ++seed) {
    for (const Penalty& penalty : penalties()) {
      for (const std::vector<double>& factors : {std::vector<double>{1, 1}, {4, 0.25}}) {
        Minimisation how{
            .regularizer = penalty.regularizer, .lambda = theory_lambda, .hidden = half, .seed = seed};
        how.regularizer.layer_factors = factors;
        ask("proposition", penalty, how);
      }
    }
    ask("adarad", penalties().front(),
        {.regularizer = penalties().front().regularizer,
         .lambda = theory_lambda,
         .hidden = half,
         .seed = seed,
         .activation = Activation::tanh,
         .adarad = true});
  }
  return all;
}

EntryPage theory_page(const Session& session, const std::vector<TheoryNet>& nets) {
  const Counts& counts = session.counts;
  return {
      .name = "theory",
      .title = "Theorem 1, Proposition 1 and the minimum",
      .introduction = fmt::format(
          "Nets of one hidden layer without any normalisation, as the paper's section 2 has them, on {} rows "
          "of xor (10 inputs, of which the signs of three decide), lambda {:g}, {} seeds. Each begins with "
          "so many random units and goes down the objective by {} steps over all rows, in double: gradient, "
          "then shrinkage (`coppice/training/sgd.h`), with Nesterov's momentum, which begins anew where the "
          "objective would rise; units that end as zero are removed. Nets of the theorem have tanh, which "
          "it admits: where a net has kinks the gradient jumps, and its length at the minimum says "
          "nothing. Nets of the proposition have relu, which is self-similar; lambdas of their two layers "
          "are 1 and 1 or 4 and 1/4 times lambda, and the second kind begins with the first's weights "
          "divided by 4 and 1/4. Where p is 1, fan-ins and fan-outs have the same penalty.",
          counts.theory_rows, theory_lambda, counts.seeds, counts.theory_steps),
      .claims = theory_claims(nets),
      .details = theory_details(nets)};
}

}  // namespace

void make_theory(const Session& session) {
  const Counts& counts = session.counts;
  const std::string command = fmt::format("coppice generate xor --rows {} --seed 1", counts.theory_rows);
  const DataFiles data{.name = "xor",
                       .origin = fmt::format("xor: generated, {} rows", counts.theory_rows),
                       .made_by = {command}};
  const Dataset rows = dataset_of(parse_csv(generate_xor(counts.theory_rows, 1)));
  const std::vector<Asked> asked = all_asked(counts);
  std::vector<TheoryNet> nets(asked.size());
  const auto start = std::chrono::steady_clock::now();
  side_by_side(asked.size(), session.lanes->count(), [&](std::size_t i) {
    check(session);
    nets[i] = summed_up(asked[i].part, asked[i].penalty, asked[i].how, minimise(rows, asked[i].how));
    return true;
  });
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  // By part and rising width, whatever came first.
  std::ranges::stable_sort(nets, [](const TheoryNet& a, const TheoryNet& b) {
    const auto key = [](const TheoryNet& net) {
      return std::tuple(net.part, net.penalty, net.lambdas, net.width, net.seed);
    };
    return key(a) < key(b);
  });
  const Rows cells = theory_rows(nets);
  EntryPage page = theory_page(session, stored_theory({.rows = cells}));
  page.provenances = {{.name = "theory",
                       .command = session.command("theory"),
                       .seeds = seeds_text(0, counts.seeds),
                       .device = device_name("on the CPU", session.lanes->count()),
                       .precision = "fp64",
                       .seconds = passed.count()}};
  page.data = {data};
  write_entry(session, page, cells, draw_theory(nets));
}

void judge_theory(const Session& session, const StoredEntry& stored) {
  EntryPage page = theory_page(session, stored_theory(stored));
  page.provenances = stored.provenances;
  page.data = stored.data;
  page.version = stored.version;
  write_page(session, page);
}

}  // namespace coppice::experiments
