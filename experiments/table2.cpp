#include "experiments/table2.h"

#include "coppice/core/text.h"

#include "experiments/comparison.h"
#include "experiments/entries.h"
#include "experiments/logistic.h"
#include "experiments/parametric.h"
#include "experiments/stored.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// What the paper's table 2 says.
struct Published {
  double lambda = 0;
  std::array<std::size_t, 4> units = {};
  double nonparametric = 0;
  double parametric = 0;
};
constexpr std::array<Published, 4> published{{{1e-3, {23, 24, 15, 4}, 0.0062, 0.0020},
                                              {1e-5, {94, 135, 105, 35}, 0.00022, 0.00003},
                                              {1e-6, {210, 251, 224, 104}, 0.00001, 0.00003},
                                              {1e-7, {299, 258, 259, 129}, 0, 0.00002}}};
constexpr double published_logistic = 0.499;
constexpr double published_bayes = 0.483;

Flags poker_flags(const Counts& counts, const std::vector<double>& lambdas, const std::string& alpha = "10",
                  const std::string& patience = "10") {
  const Flags brief{{"effort", "quick"}};
  const Flags paper{{"effort", "paper"},     {"batch-size", "1000"},        {"angular-step", alpha},
                    {"unit-lifetime", "5"},  {"additions-per-epoch", "10"}, {"patience", patience},
                    {"fine-patience", "0.5"}};
  return Flags{{"lambda", numbers_text(lambdas)},
               {"hidden-layers", "4"},
               {"seeds", std::to_string(counts.seeds)}} +
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
  row.paper_units = size_text(found->units);
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

/// The nets of a run whose journal was kept, with when their sizes settled.
std::vector<PokerRow> rows_with_sizes(const TrainedNets& nets, const char* algorithm) {
  std::vector<std::size_t> ids;
  for (const NetResult& net : nets.summary.nets) ids.push_back(net.id);
  const std::vector<NetHistory> histories =
      read_journal((std::filesystem::path(nets.directory) / "journal.jsonl").string(), ids);
  std::vector<PokerRow> rows;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    rows.push_back(row_of(nets.summary.nets[i], algorithm));
    rows.back().settled = settled_after(histories[i]);
  }
  return rows;
}

std::vector<PokerRow> rows_of(const std::vector<NetResult>& nets, const char* algorithm,
                              const std::string& setting = "") {
  std::vector<PokerRow> rows;
  for (const NetResult& net : nets) {
    rows.push_back(row_of(net, algorithm));
    rows.back().setting = setting;
  }
  return rows;
}

/// A size that parametric nets are given, and the lambda of the nets that it comes from.
struct GivenSize {
  double lambda = 0;
  std::vector<std::size_t> units = {};
};

/// Sizes of the typical net of each lambda.
std::vector<GivenSize> typical_sizes(const TrainedNets& nets) {
  std::vector<GivenSize> sizes;
  for (const double lambda : lambdas_of(nets)) {
    const std::vector<NetResult> some = nets.of_lambda(lambda);
    sizes.push_back({lambda, some[representative(some)].hidden_units});
  }
  return sizes;
}

/// RMSprop at each size, with the step that validates best, then again with all seeds.
std::vector<PokerRow> train_parametric(const Session& session, Parametric& parametric,
                                       const std::vector<GivenSize>& sizes, const char* algorithm) {
  SearchSpace space;
  space.kind = SearchKind::grid;
  space.optimizers = {OptimizerKind::rmsprop};
  space.norms = {Norm::batchnorm_affine};
  space.top = 1;
  space.reruns = session.counts.seeds;
  space.normalised_steps.values.resize(9);  // 1 to 10,000 in the paper's terms
  space.normalised_steps.values = from_the_middle(space.normalised_steps.values, session.counts.poker_steps);
  std::vector<PokerRow> rows;
  for (const GivenSize& size : sizes) {
    space.sizes = {size.units};
    const TriedSetting best =
        parametric.search(fmt::format("size-{}", size_text(size.units)), space).settings.front();
    for (const TrialResult& net : best.runs) {
      rows.push_back({.algorithm = algorithm,
                      .lambda = size.lambda,
                      .units = net.trial.hidden,
                      .parameters = net.parameters,
                      .validation = net.validation_error,
                      .error = net.test_error.value_or(std::nan("")),
                      .seed = std::to_string(net.trial.seed),
                      .setting = fmt::format("RMSprop, step {:g}", net.trial.step)});
      add_paper(rows.back(), &Published::parametric);
    }
  }
  return rows;
}

/// Nets that the program makes when it is told lambda and depth alone.
std::vector<PokerRow> train_defaults(const Session& session, const DataFiles& data,
                                     const std::vector<double>& lambdas, std::vector<Provenance>& made) {
  const TrainedNets nets = train_nets(session, "poker-defaults", data,
                                      {{"lambda", numbers_text(lambdas)},
                                       {"hidden-layers", "4"},
                                       {"seeds", std::to_string(session.counts.seeds)}});
  made.push_back(nets.provenance);
  return rows_of(nets.summary.nets, default_net);
}

/// Nets whose sizes are to settle later than those on poker hands; none without MNIST.
std::vector<PokerRow> train_on_mnist(const Session& session, std::vector<Provenance>& made) {
  try {
    const TrainedNets nets = train_nets(session, "mnist-settling", find_mnist(session),
                                        {{"lambda", "0.003,0.001,0.0003"},
                                         {"seeds", std::to_string(session.counts.seeds)},
                                         {"angular-step", "30"},
                                         {"effort", "paper"},
                                         {"batch-size", "1000"}},
                                        Bulk::keep);
    made.push_back(nets.provenance);
    return rows_with_sizes(nets, mnist_net);
  } catch (const MissingData& error) {
    session.say(fmt::format("table2: sizes on MNIST left out: {}", error.what()));
    return {};
  }
}

/// Nets of the paper's largest lambda, which its own settings lose here: more patience, larger steps.
std::vector<PokerRow> train_patient(const Session& session, const DataFiles& data,
                                    std::vector<Provenance>& made) {
  const std::vector<std::string> alphas{"30", "100", "300"};
  std::vector<NetsOrder> orders;
  for (const std::string& alpha : alphas)
    orders.push_back({.name = fmt::format("poker-patient-{}", alpha),
                      .data = data,
                      .flags = poker_flags(session.counts, {published.front().lambda}, alpha, "50")});
  const std::vector<TrainedNets> nets = train_side_by_side(session, orders);
  std::vector<PokerRow> rows;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    made.push_back(nets[i].provenance);
    rows = rows + rows_of(nets[i].summary.nets, patient_net, fmt::format("alpha_phi {}", alphas[i]));
  }
  for (PokerRow& row : rows) add_paper(row, &Published::nonparametric);
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

/// Tables that were made before do not tell of it.
double settled_of(const StoredEntry& stored, std::size_t row) {
  const bool told = std::ranges::find(stored.rows.front(), "settled") != stored.rows.front().end();
  return told ? stored.number(row, "settled") : std::nan("");
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
          "stands at the left end. What is said of errors below a limit is tested on the test rows, of the "
          "median net.",
      .claims = table2_claims(rows, session.counts.poker_test),
      .details = table2_details(rows)};
}

}  // namespace

void make_table2(const Session& session) {
  const Counts& counts = session.counts;
  const DataFiles data = find_poker(session);
  const std::vector<double> lambdas = from_the_middle({1e-3, 1e-5, 1e-6, 1e-7}, counts.poker_lambdas);
  const TrainedNets nets =
      train_nets(session, "poker-adarad", data, poker_flags(counts, lambdas), Bulk::keep);
  Parametric parametric(session, data, fixed_flags(counts));
  std::vector<PokerRow> rows{
      train_logistic(data),
      {.algorithm = "naive Bayes (OpenML)", .seed = "-", .paper_error = published_bayes},
      {.algorithm = "decision tree (OpenML)", .seed = "-", .paper_error = 0.268}};
  for (const PokerRow& row : rows_with_sizes(nets, own_net)) {
    rows.push_back(row);
    add_paper(rows.back(), &Published::nonparametric);
  }
  rows = rows + train_parametric(session, parametric, typical_sizes(nets), parametric_net);
  std::vector<Provenance> made{nets.provenance};
  // After every part: a call that is interrupted later leaves those that it finished.
  const auto write = [&] {
    EntryPage page = table2_page(session, rows);
    page.provenances = made + std::vector{parametric.provenance()};
    page.data = {data};
    write_entry(session, page, table2_rows(rows), draw_table2(rows));
  };
  write();
  if (counts.short_protocol > 0) return;
  rows = rows + train_defaults(session, data, lambdas, made);
  rows = rows + train_on_mnist(session, made);
  write();
  // Of other lambdas nets come out as large as the paper's.
  const Published& largest = published.front();
  rows = rows + train_parametric(session, parametric,
                                 {{largest.lambda, {largest.units.begin(), largest.units.end()}}},
                                 published_size_net);
  rows = rows + train_patient(session, data, made);
  write();
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
                    .paper_error = stored.number(row, "paper_test_error"),
                    .settled = settled_of(stored, row)});
  }
  EntryPage page = table2_page(session, rows);
  page.provenances = stored.provenances;
  page.data = stored.data;
  page.version = stored.version;
  write_page(session, page);
}

}  // namespace coppice::experiments
