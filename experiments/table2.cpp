#include "experiments/table2.h"

#include "coppice/core/text.h"
#include "coppice/search/side_by_side.h"

#include "experiments/comparison.h"
#include "experiments/entries.h"
#include "experiments/logistic.h"
#include "experiments/parametric.h"
#include "experiments/stored.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <mutex>
#include <utility>

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

/// The table as it comes to be: parts that are trained side by side where there are lanes, each with its rows.
class Maker {
 public:
  explicit Maker(const Session& session)
      : session_(&session),
        data_(find_poker(session)),
        lambdas_(from_the_middle({1e-3, 1e-5, 1e-6, 1e-7}, session.counts.poker_lambdas)),
        parametric_(session, data_, fixed_flags(session.counts)) {}

  void make() {
    std::vector<std::function<void()>> jobs{[this] { add_others(); }};
    for (const double lambda : lambdas_)
      jobs.emplace_back([this, lambda] { train_parametric(parametric_net, lambda, train_own(lambda), 1); });
    if (session_->counts.short_protocol == 0) {
      // Of smaller lambdas our own nets come out about as large as the paper's, so theirs can wait.
      for (const Published& one : published)
        jobs.emplace_back([this, &one] {
          train_parametric(published_size_net, one.lambda, {one.units.begin(), one.units.end()},
                           &one == &published.front() ? 1 : 4);
        });
      for (const char* alpha : {"30", "100", "300"})
        jobs.emplace_back([this, alpha] { train_patient(alpha); });
      jobs.emplace_back([this] { train_defaults(); });
      jobs.emplace_back([this] { train_on_mnist(); });
    }
    side_by_side(jobs.size(), session_->lanes->count() > 1 ? jobs.size() : 1, [&](std::size_t i) {
      jobs[i]();
      return true;
    });
  }

 private:
  struct Part {
    std::string algorithm = {};
    double order = 0;  ///< among those of the same algorithm
    std::vector<PokerRow> rows = {};
    std::vector<Provenance> made = {};
  };

  static std::size_t place_of(const std::string& algorithm) {
    static const std::vector<std::string> order{
        linear_model, own_net, parametric_net, default_net, mnist_net, published_size_net, patient_net};
    return static_cast<std::size_t>(std::ranges::find(order, algorithm) - order.begin());
  }

  /// Writes the page after every part: a call that is interrupted leaves those that it finished.
  void add(Part part) {
    const std::scoped_lock lock(mutex_);
    parts_.push_back(std::move(part));
    std::ranges::sort(parts_, {}, [](const Part& one) {
      return std::pair{place_of(one.algorithm), one.order};
    });
    std::vector<PokerRow> rows;
    std::vector<Provenance> made;
    for (const Part& one : parts_) {
      rows = rows + one.rows;
      made = made + one.made;
    }
    const auto there = [&](const char* algorithm) {
      return std::ranges::find(parts_, algorithm, &Part::algorithm) != parts_.end();
    };
    if (!there(linear_model) || !there(own_net) || !there(parametric_net)) return;
    EntryPage page = table2_page(*session_, rows);
    page.provenances = made + std::vector{parametric_.provenance()};
    page.data = {data_};
    write_entry(*session_, page, table2_rows(rows), draw_table2(rows));
  }

  /// Runs of a lower rank come before others.
  TrainedNets train(const std::string& name, const DataFiles& data, const Flags& flags, std::size_t rank,
                    Bulk bulk = Bulk::remove) const {
    return train_side_by_side(*session_, {{.name = name, .data = data, .flags = flags, .bulk = bulk}}, rank)
        .front();
  }

  void add_others() {
    add({.algorithm = linear_model,
         .rows = {train_logistic(data_),
                  {.algorithm = "naive Bayes (OpenML)", .seed = "-", .paper_error = published_bayes},
                  {.algorithm = "decision tree (OpenML)", .seed = "-", .paper_error = 0.268}}});
  }

  /// Returns the size of a typical net.
  std::vector<std::size_t> train_own(double lambda) {
    const TrainedNets nets = train(fmt::format("poker-adarad-{:g}", lambda), data_,
                                   poker_flags(session_->counts, {lambda}), 0, Bulk::keep);
    std::vector<PokerRow> rows = rows_with_sizes(nets, own_net);
    for (PokerRow& row : rows) add_paper(row, &Published::nonparametric);
    add({.algorithm = own_net, .order = -lambda, .rows = rows, .made = {nets.provenance}});
    return nets.summary.nets[representative(nets.summary.nets)].hidden_units;
  }

  /// RMSprop at that size, with the step that validates best, then again with all seeds.
  void train_parametric(const char* algorithm, double lambda, const std::vector<std::size_t>& units,
                        std::size_t rank) {
    SearchSpace space;
    space.kind = SearchKind::grid;
    space.optimizers = {OptimizerKind::rmsprop};
    space.norms = {Norm::batchnorm_affine};
    space.top = 1;
    space.reruns = session_->counts.seeds;
    space.normalised_steps.values.resize(9);  // 1 to 10,000 in the paper's terms
    space.normalised_steps.values =
        from_the_middle(space.normalised_steps.values, session_->counts.poker_steps);
    space.sizes = {units};
    const auto search = [&] {
      const Lanes::Lane lane(*session_->lanes, session_->first_rank + rank);
      return parametric_.search(fmt::format("size-{}", size_text(units)), space);
    };
    const Tried tried = search();
    Part part{.algorithm = algorithm, .order = -lambda};
    for (const TrialResult& net : tried.settings.front().runs) {
      part.rows.push_back({.algorithm = algorithm,
                           .lambda = lambda,
                           .units = net.trial.hidden,
                           .parameters = net.parameters,
                           .validation = net.validation_error,
                           .error = net.test_error.value_or(std::nan("")),
                           .seed = std::to_string(net.trial.seed),
                           .setting = fmt::format("RMSprop, step {:g}", net.trial.step)});
      add_paper(part.rows.back(), &Published::parametric);
    }
    add(std::move(part));
  }

  /// Nets of the paper's largest lambda, which its own settings lose here: more patience, larger steps.
  void train_patient(const std::string& alpha) {
    constexpr std::size_t rank = 2;
    const TrainedNets nets =
        train("poker-patient-" + alpha, data_,
              poker_flags(session_->counts, {published.front().lambda}, alpha, "50"), rank);
    Part part{.algorithm = patient_net,
              .order = *parse_number(alpha),
              .rows = rows_of(nets.summary.nets, patient_net, fmt::format("alpha_phi {}", alpha)),
              .made = {nets.provenance}};
    for (PokerRow& row : part.rows) add_paper(row, &Published::nonparametric);
    add(std::move(part));
  }

  /// Nets that the program makes when it is told lambda and depth alone.
  void train_defaults() {
    constexpr std::size_t rank = 3;
    const TrainedNets nets = train("poker-defaults", data_,
                                   {{"lambda", numbers_text(lambdas_)},
                                    {"hidden-layers", "4"},
                                    {"seeds", std::to_string(session_->counts.seeds)}},
                                   rank);
    add({.algorithm = default_net,
         .rows = rows_of(nets.summary.nets, default_net),
         .made = {nets.provenance}});
  }

  /// Nets whose sizes are to settle later than those on poker hands; none without MNIST.
  void train_on_mnist() {
    constexpr std::size_t rank = 3;
    try {
      const TrainedNets nets = train("mnist-settling", find_mnist(*session_),
                                     {{"lambda", "0.003,0.001,0.0003"},
                                      {"seeds", std::to_string(session_->counts.seeds)},
                                      {"angular-step", "30"},
                                      {"effort", "paper"},
                                      {"batch-size", "1000"}},
                                     rank, Bulk::keep);
      add({.algorithm = mnist_net, .rows = rows_with_sizes(nets, mnist_net), .made = {nets.provenance}});
    } catch (const MissingData& error) {
      session_->say(fmt::format("table2: sizes on MNIST left out: {}", error.what()));
    }
  }

  const Session* session_;
  DataFiles data_;
  std::vector<double> lambdas_;
  Parametric parametric_;
  std::mutex mutex_ = {};
  std::vector<Part> parts_ = {};
};

}  // namespace

void make_table2(const Session& session) {
  Maker(session).make();
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
  page.before = stored.before;
  write_picture(session, page.name, draw_table2(rows));
  write_page(session, page);
}

}  // namespace coppice::experiments
