#include "experiments/table2.h"

#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/entries.h"
#include "experiments/logistic.h"
#include "experiments/parametric.h"
#include "experiments/picture.h"
#include "experiments/stored.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// What the paper's table 2 says.
struct Published {
  double lambda = 0;
  const char* units = "";
  double nonparametric = 0;
  double parametric = 0;
};
constexpr std::array<Published, 4> published{{{1e-3, "23-24-15-4", 0.0062, 0.0020},
                                              {1e-5, "94-135-105-35", 0.00022, 0.00003},
                                              {1e-6, "210-251-224-104", 0.00001, 0.00003},
                                              {1e-7, "299-258-259-129", 0, 0.00002}}};
constexpr double published_logistic = 0.499;
constexpr double published_bayes = 0.483;
constexpr double published_tree = 0.268;

Flags poker_flags(const Counts& counts, const std::vector<double>& lambdas) {
  const Flags brief{{"effort", "quick"}};
  const Flags paper{{"effort", "paper"},     {"batch-size", "1000"},        {"angular-step", "10"},
                    {"unit-lifetime", "5"},  {"additions-per-epoch", "10"}, {"patience", "10"},
                    {"fine-patience", "0.5"}};
  return Flags{{"lambda", numbers_text(lambdas)}, {"hidden-layers", "4"}} +
         (counts.short_protocol > 0 ? brief : paper);
}

/// The same protocol for nets of fixed size.
Flags fixed_flags(const Counts& counts) {
  if (counts.short_protocol > 0) return {{"effort", "quick"}};
  return {{"effort", "paper"}, {"batch-size", "1000"}, {"patience", "10"}, {"fine-patience", "0.5"}};
}

/// Sets the paper's numbers beside a row, if it has a net of that lambda.
void add_paper(PokerRow& row, double Published::*error) {
  const auto* found = std::ranges::find(published, row.lambda, &Published::lambda);
  if (found == published.end()) return;
  row.paper_units = found->units;
  row.paper_error = found->*error;
}

PokerRow row_of(const NetResult& net, const char* algorithm) {
  return {.algorithm = algorithm,
          .lambda = net.lambda,
          .units = net.hidden_units,
          .parameters = net.parameters,
          .validation = net.validation_error,
          .error = net.test_error.value_or(std::nan("")),
          .seed = std::to_string(net.seed)};
}

/// RMSprop at the size of each net, with the step that validates best.
std::vector<PokerRow> train_parametric(const Session& session, Parametric& parametric,
                                       const std::vector<NetResult>& nets) {
  SearchSpace space;
  space.kind = SearchKind::grid;
  space.optimizers = {OptimizerKind::rmsprop};
  space.norms = {Norm::batchnorm_affine};
  space.reruns = 1;
  space.normalised_steps.values.resize(9);  // 1 to 10,000 in the paper's terms
  space.normalised_steps.values = from_the_middle(space.normalised_steps.values, session.counts.poker_steps);
  std::vector<PokerRow> rows;
  for (const NetResult& net : nets) {
    space.sizes = {net.hidden_units};
    const TrialResult best = parametric.search(fmt::format("size-{}", size_text(net.hidden_units)), space)
                                 .settings.front()
                                 .runs[0];
    rows.push_back({.algorithm = parametric_net,
                    .lambda = net.lambda,
                    .units = best.trial.hidden,
                    .parameters = best.parameters,
                    .validation = best.validation_error,
                    .error = best.test_error.value_or(std::nan("")),
                    .setting = fmt::format("RMSprop, step {:g}", best.trial.step)});
    add_paper(rows.back(), &Published::parametric);
  }
  return rows;
}

PokerRow train_logistic(const DataFiles& data) {
  const Points train = points_of(read_table(data.train));
  const std::vector<double> weights = fit_logistic(train);
  return {.algorithm = linear_model,
          .parameters = weights.size(),
          .validation = logistic_error(weights, points_of(read_table(data.validation))),
          .error = logistic_error(weights, points_of(read_table(data.test))),
          .seed = "-",
          .setting = "Newton's method",
          .paper_error = published_logistic};
}

Rows cells(const std::vector<PokerRow>& rows, bool for_csv) {
  const auto error = [&](double value) { return for_csv ? csv_number(value) : share_text(value); };
  Rows all;
  if (for_csv) {
    all.push_back({"algorithm", "lambda", "units", "parameters", "validation_error", "test_error", "seed",
                   "setting", "paper_units", "paper_test_error"});
  } else {
    all.push_back({"algorithm", "lambda", "final size", "parameters", "validation error", "test error",
                   "seed", "setting", "paper: size", "paper: test error"});
  }
  for (const PokerRow& row : rows) {
    all.push_back({row.algorithm, std::isfinite(row.lambda) ? fmt::format("{:g}", row.lambda) : "",
                   size_text(row.units), row.parameters > 0 ? std::to_string(row.parameters) : "",
                   error(row.validation), error(row.error), row.seed, row.setting, row.paper_units,
                   std::isfinite(row.paper_error) ? error(row.paper_error) : ""});
  }
  return all;
}

std::vector<PokerRow> of_algorithm(const std::vector<PokerRow>& rows, const std::string& algorithm) {
  std::vector<PokerRow> some;
  std::ranges::copy_if(rows, std::back_inserter(some),
                       [&](const PokerRow& row) { return row.algorithm == algorithm; });
  return some;
}

std::string errors_of(const std::vector<PokerRow>& rows) {
  std::vector<std::string> parts;
  for (const PokerRow& row : rows)
    parts.push_back(std::isfinite(row.lambda)
                        ? fmt::format("lambda {:g}: {}", row.lambda, share_text(row.error))
                        : share_text(row.error));
  return joined(parts, "; ");
}

/// Errors as marks on a logarithmic axis, ours filled above the paper's.
Svg draw(const std::vector<PokerRow>& rows) {
  constexpr double width = 900;
  constexpr double line = 24;
  constexpr double left = 330;
  const double height = 60 + line * static_cast<double>(rows.size());
  Svg svg(width, height, "test errors on poker hands");
  const Scale x{.low = 5e-6, .high = 1, .log = true, .from = left, .to = width - 20};
  for (const double tick : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
    svg.line(x(tick), 26, x(tick), height - 30, "grid");
    svg.text(x(tick), height - 14, fmt::format("{:g} %", 100 * tick), "middle");
  }
  svg.text(8, 14, "test error", "start", "name");
  draw_legend(svg, width - 14, 14,
              {{"black", "nonparametric"}, {"red", "parametric"}, {"blue", "others"}, {"grey", "the paper"}});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PokerRow& row = rows[i];
    const double y = 40 + line * static_cast<double>(i);
    const char* colour = row.algorithm.starts_with("nonparametric") ? "mark black"
                         : row.algorithm.starts_with("parametric")  ? "mark red"
                                                                    : "mark blue";
    const std::string lambda = std::isfinite(row.lambda) ? fmt::format(", lambda {:g}", row.lambda) : "";
    const std::string size = row.units.empty() ? "" : fmt::format(" ({})", size_text(row.units));
    svg.text(8, y + 4, row.algorithm + lambda + size);
    const auto place = [&](double error) { return x(std::max(error, x.low)); };
    if (std::isfinite(row.paper_error))
      svg.circle(place(row.paper_error), y, 5, "mark grey", share_text(row.paper_error));
    if (std::isfinite(row.error)) svg.rect(place(row.error) - 4, y - 4, 8, 8, colour, share_text(row.error));
  }
  return svg;
}

}  // namespace

namespace {

std::size_t wrong_rows(const PokerRow& row, std::size_t test_rows) {
  return static_cast<std::size_t>(std::lround(row.error * static_cast<double>(test_rows)));
}

std::string label_of(const PokerRow& row) {
  return std::isfinite(row.lambda) ? fmt::format("lambda {:g}", row.lambda) : "";
}

/// Whether every one of these nets errs less often than that.
Judged all_below(const std::vector<PokerRow>& rows, std::size_t test_rows, double limit) {
  std::vector<Judged> parts;
  for (const PokerRow& row : rows)
    parts.push_back(share_below(label_of(row), wrong_rows(row, test_rows), test_rows, limit));
  return all_of(parts);
}

/// Errors of the nets of one lambda, a net per seed.
std::vector<double> errors_at(const std::vector<PokerRow>& rows, double lambda) {
  std::vector<double> errors;
  for (const PokerRow& row : rows)
    if (row.lambda == lambda) errors.push_back(row.error);
  return errors;
}

/// Large lambdas lose, small ones win: about the two ways of training, so seeds are what is counted.
Claim large_and_small(const std::vector<PokerRow>& own, const std::vector<PokerRow>& parametric) {
  const double large = own.front().lambda;
  const double small = own.back().lambda;
  return {
      "nonparametric nets are worse than parametric ones where lambda is large, slightly better where it is "
      "small",
      fmt::format("lambda {:g}: {} and {}; lambda {:g}: {} and {}", large, share_text(own.front().error),
                  share_text(parametric.front().error), small, share_text(own.back().error),
                  share_text(parametric.back().error)),
      lower_everywhere(
          {{fmt::format("lambda {:g}, parametric", large), errors_at(parametric, large),
            errors_at(own, large)},
           {fmt::format("lambda {:g}", small), errors_at(own, small), errors_at(parametric, small)}})};
}

EntryPage table2_page(const Session& session, const std::vector<PokerRow>& rows) {
  return {
      .name = "table2",
      .title = "Table 2: poker hands",
      .introduction =
          "Does a hand of five cards hold at least a pair, a straight or a flush? Nonparametric nets of four "
          "hidden layers that begin with 10 units each, parametric nets of the sizes they ended with "
          "(RMSprop, batch normalisation with free mean and variance, the step chosen by validation error), "
          "and logistic regression. Grey dots and the last columns are the paper's numbers; an error of 0 "
          "stands at the left end. What is said of single nets is tested on the test rows; what is said of "
          "two ways of training would need several seeds.",
      .claims = table2_claims(rows, session.counts.poker_test),
      .details = markdown_table(cells(rows, false))};
}

}  // namespace

std::vector<Claim> table2_claims(const std::vector<PokerRow>& rows, std::size_t test_rows) {
  constexpr double guessing = 0.4;
  constexpr double few = 0.01;
  const std::vector<PokerRow> own = of_algorithm(rows, own_net);
  const std::vector<PokerRow> parametric = of_algorithm(rows, parametric_net);
  const std::vector<PokerRow> linear = of_algorithm(rows, linear_model);
  const PokerRow& best = *std::ranges::min_element(own, {}, &PokerRow::validation);
  std::vector<Claim> claims{
      {"linear models are about as good as guessing (here: an error above 40 %)", errors_of(linear),
       share_above("", wrong_rows(linear.front(), test_rows), test_rows, guessing)},
      {"nonparametric nets err on less than 1 % of the hands, whatever lambda", errors_of(own),
       all_below(own, test_rows, few)},
      {"parametric nets of the same sizes do, too", errors_of(parametric),
       all_below(parametric, test_rows, few)},
      {"the best net by validation error is far better than the best tree published at OpenML, 26.8 % (here: "
       "a "
       "tenth of its error)",
       share_text(best.error), share_below("", wrong_rows(best, test_rows), test_rows, 0.1 * published_tree),
       true}};
  if (own.size() > 1) claims.push_back(large_and_small(own, parametric));
  const std::vector<PokerRow> defaults = of_algorithm(rows, default_net);
  if (!defaults.empty()) {
    claims.push_back(
        {"with this program's default settings every lambda learns, the largest too (here: below 40 %)",
         errors_of(defaults), all_below(defaults, test_rows, guessing), true});
  }
  return claims;
}

void make_table2(const Session& session) {
  const Counts& counts = session.counts;
  const DataFiles data = find_poker(session);
  const std::vector<double> lambdas = from_the_middle({1e-3, 1e-5, 1e-6, 1e-7}, counts.poker_lambdas);
  const TrainedNets nets = train_nets(session, "poker-adarad", data, poker_flags(counts, lambdas));
  Parametric parametric(session, data, fixed_flags(counts));
  std::vector<PokerRow> rows{
      train_logistic(data),
      {.algorithm = "naive Bayes (OpenML)", .seed = "-", .paper_error = published_bayes},
      {.algorithm = "decision tree (OpenML)", .seed = "-", .paper_error = published_tree}};
  for (const NetResult& net : nets.summary.nets) {
    rows.push_back(row_of(net, own_net));
    add_paper(rows.back(), &Published::nonparametric);
  }
  rows = rows + train_parametric(session, parametric, nets.summary.nets);
  std::vector<Provenance> provenances{nets.provenance, parametric.provenance()};
  if (counts.short_protocol == 0) {
    const TrainedNets defaults = train_nets(session, "poker-defaults", data,
                                            {{"lambda", numbers_text(lambdas)}, {"hidden-layers", "4"}});
    for (const NetResult& net : defaults.summary.nets) rows.push_back(row_of(net, default_net));
    provenances.push_back(defaults.provenance);
  }
  EntryPage page = table2_page(session, rows);
  page.provenances = provenances;
  page.data = {data};
  write_entry(session, page, cells(rows, true), draw(rows));
}

void judge_table2(const Session& session, const StoredEntry& stored) {
  std::vector<PokerRow> rows;
  for (std::size_t row = 1; row < stored.rows.size(); ++row) {
    rows.push_back({.algorithm = stored.cell(row, "algorithm"),
                    .lambda = stored.number(row, "lambda"),
                    .units = stored.units(row),
                    .parameters = stored.whole(row, "parameters"),
                    .validation = stored.number(row, "validation_error"),
                    .error = stored.number(row, "test_error"),
                    .seed = stored.cell(row, "seed"),
                    .setting = stored.cell(row, "setting"),
                    .paper_units = stored.cell(row, "paper_units"),
                    .paper_error = stored.number(row, "paper_test_error")});
  }
  EntryPage page = table2_page(session, rows);
  page.provenances = stored.provenances;
  page.data = stored.data;
  page.version = stored.version;
  write_page(session, page);
}

}  // namespace coppice::experiments
