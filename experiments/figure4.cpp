#include "experiments/figure4.h"

#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/device/rows.h"
#include "coppice/model/parts.h"

#include "experiments/entries.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

constexpr double analysed_step = 10;

/// The paper's 3e-4.
double analysed_lambda(const Session& session) {
  return 3e-4 * static_cast<double>(session.counts.lambda_times);
}

std::string lambda_text(const Session& session) {
  return fmt::format("{:g}", analysed_lambda(session));
}

/// What all runs of the figure share.
Flags protocol_flags(const Session& session) {
  Flags flags{{"effort", "paper"}};
  if (session.counts.short_protocol == 0) flags.emplace_back("batch-size", "1000");
  return flags;
}

/// A net per seed.
NetsOrder order_of(const Session& session, const std::string& name, const DataFiles& data, Flags flags) {
  if (session.counts.run_seeds > 1) flags.emplace_back("seeds", std::to_string(session.counts.run_seeds));
  return {.name = name, .data = data, .flags = std::move(flags), .bulk = Bulk::keep};
}

/// Reads their journals.
std::vector<NetWithHistory> histories_of(const TrainedNets& nets) {
  std::vector<std::size_t> ids;
  for (const NetResult& net : nets.summary.nets) ids.push_back(net.id);
  const std::string journal = (std::filesystem::path(nets.directory) / "journal.jsonl").string();
  std::vector<NetHistory> histories = read_journal(journal, ids);
  std::vector<NetWithHistory> all;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    NetWithHistory& one = all.emplace_back(NetWithHistory{.nets = nets, .history = std::move(histories[i])});
    one.nets.summary.nets = {nets.summary.nets[i]};
  }
  return all;
}

/// The analysed run alone, of every seed.
std::vector<Figure4> train_analysed(const Session& session) {
  const Counts& counts = session.counts;
  const DataFiles data = find_mnist(session);
  std::vector<Figure4> figures;
  const NetsOrder order = order_of(session, "mnist-analysed", data,
                                   Flags{{"lambda", lambda_text(session)}} + protocol_flags(session) +
                                       Flags{{"angular-step", fmt::format("{:g}", analysed_step)},
                                             {"unit-lifetime", std::to_string(counts.unit_lifetime)},
                                             {"grow-epochs", std::to_string(counts.epochs)},
                                             {"max-epochs", std::to_string(2 * counts.epochs)},
                                             {"patience", "1e9"},
                                             {"keep", "last"}});
  for (NetWithHistory& run : histories_of(train_side_by_side(session, {order}).front())) {
    figures.push_back(
        {.data = data, .run = std::move(run), .epochs = counts.epochs, .lifetime = counts.unit_lifetime});
  }
  return figures;
}

/// Nets of the first analysed run's final size.
NetsOrder compared(const Session& session, const std::string& name, const Figure4& figure, const Flags& own) {
  std::string size = size_text(figure.run.net().hidden_units);
  std::ranges::replace(size, '-', ',');  // as --fixed-size takes it
  return order_of(
      session, name, figure.data,
      Flags{{"fixed-size", size}} + own + protocol_flags(session) +
          Flags{
              {"patience", "1e9"}, {"max-epochs", std::to_string(session.counts.epochs)}, {"keep", "last"}});
}

/// Over seeds, the median of the lowest validation errors ever reached.
double lowest_error(const std::vector<NetWithHistory>& nets) {
  std::vector<double> errors;
  for (const NetWithHistory& net : nets) {
    double lowest = 1;
    for (const EpochRow& row : net.history.epochs) lowest = std::min(lowest, row.validation_error);
    errors.push_back(lowest);
  }
  return spread_of(errors).median;
}

/// SGD: the same step and lambda as the analysed run (parametric nets have no CapNorm on the output). RMSprop: the step
/// with the lowest error.
void train_compared(const Session& session, std::vector<Figure4>& figures) {
  const std::vector<double> steps =
      from_the_middle({3e-4, 1e-3, 3e-3, 1e-2, 3e-2}, session.counts.compared_steps);
  std::vector<NetsOrder> orders{compared(session, "mnist-analysed-sgd", figures.front(),
                                         {{"lambda", lambda_text(session)},
                                          {"optimizer", "sgd"},
                                          {"step", fmt::format("{:g}", analysed_step)},
                                          {"output-capnorm", "off"}})};
  for (const double step : steps)
    orders.push_back(
        compared(session, fmt::format("mnist-analysed-rmsprop-{:g}", step), figures.front(),
                 {{"optimizer", "rmsprop"}, {"norm", "batchnorm"}, {"step", fmt::format("{:g}", step)}}));
  const std::vector<TrainedNets> trained = train_side_by_side(session, orders);
  const std::vector<NetWithHistory> sgd = histories_of(trained.front());
  std::vector<NetWithHistory> best;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    std::vector<NetWithHistory> nets = histories_of(trained[s + 1]);
    for (NetWithHistory& one : nets) {
      one.label = fmt::format("RMSprop, step {:g}", steps[s]);
      one.colour = "blue";
    }
    figures.front().tried.push_back(trained[s + 1].provenance);
    if (best.empty() || lowest_error(nets) < lowest_error(best)) best = std::move(nets);
  }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    figures[i].sgd = sgd[i];
    figures[i].sgd.label = "SGD";
    figures[i].sgd.colour = "red";
    figures[i].rmsprop = best[i];
  }
}

/// Wrong training rows: those of all rows that are not wrong validation rows.
std::size_t training_mistakes(const Model& model, const Table& table) {
  const Prediction prediction = model.predict(table);
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (prediction.class_of(row) != table.text(model.target(), row)) ++wrong;
  const ModelOrigin& origin = model.origin();
  const double validating = origin.validation_error * static_cast<double>(origin.validation_rows);
  return wrong - static_cast<std::size_t>(std::lround(validating));
}

/// Looks at the final nets themselves.
void measure_nets(Figure4& figure, const Table& table) {
  const auto model_of = [](const NetWithHistory& one) {
    return Model::load(
        (std::filesystem::path(one.nets.directory) / fmt::format("net-{}.coppice", one.net().id)).string());
  };
  for (NetWithHistory* one : {&figure.run, &figure.sgd, &figure.rmsprop})
    one->mistakes = training_mistakes(model_of(*one), table);
  const Model model = model_of(figure.run);
  figure.training_rows = model.origin().train_rows;
  figure.validation_rows = model.origin().validation_rows;
  for (const std::vector<float>& divisors : model.parts().statistics.divisor) {
    const auto units = static_cast<double>(divisors.size());
    figure.not_divided.push_back(static_cast<double>(std::ranges::count(divisors, 1.0F)) / units);
  }
  const Matrix<float>& output = model.parts().network.layers.back().weights;
  figure.output_lengths.resize(output.rows());
  row_lengths(output.view(), std::span(figure.output_lengths));
}

/// Of one run the number of the paper's, of several how many they are.
std::string runs_text(const Counts& counts) {
  return counts.run_seeds == 1 ? "" : fmt::format(" {} seeds; pictures are of the first.", counts.run_seeds);
}

EntryPage figure5_page(const Session& session, const std::vector<RunMeasures>& runs) {
  return {.name = "figure5",
          .title = "Figure 5: how long the second layer's units were there",
          .introduction =
              "The same run as in [figure 4](figure4.md). One bar per unit of the second hidden layer." +
              runs_text(session.counts),
          .claims = figure5_claims(runs, session.counts.unit_lifetime)};
}

EntryPage figure4_page(const Session& session, const std::vector<RunMeasures>& runs, const std::string& ended,
                       const std::string& rmsprop) {
  const Counts& counts = session.counts;
  return {
      .name = "figure4",
      .title = "Figure 4: one training run in detail",
      .introduction = fmt::format(
          "MNIST, lambda {:g}, angular step {:g}, no annealing: {} epochs in which each hidden layer gains a "
          "unit per epoch, then {} without.{} It ended with {}. Beside it two parametric nets of that size "
          "for "
          "{} epochs: SGD with the same step and lambda, and {} with batch normalisation and lambda 0, the "
          "best "
          "of a few steps by validation error. Panel A: validation error; B: training cross-entropy; C: "
          "units of "
          "both layers; D: epochs that units of the first layer lived; E and F: lengths of fan-ins (blue) "
          "and "
          "fan-outs (red) of some units, in pale colours three that came late and stayed. The data file has "
          "fewer points of each curve than the picture; units have numbers in the order in which they were "
          "added; its rows \"claims\" hold what the claims are judged by, x being the seed.",
          analysed_lambda(session), analysed_step, counts.epochs, counts.epochs, runs_text(counts), ended,
          counts.epochs, rmsprop),
      .claims = figure4_claims(runs, counts.unit_lifetime)};
}

}  // namespace

void make_figure4(const Session& session) {
  std::vector<Figure4> figures = train_analysed(session);
  train_compared(session, figures);
  Figure4& first = figures.front();
  const Table table = read_table(first.data.train);
  std::vector<RunMeasures> runs;
  for (Figure4& figure : figures) {
    measure_nets(figure, table);
    runs.push_back(measures_of(figure));
  }
  const Drawn drawn = draw_figure4(first);
  const NetResult& net = first.run.net();
  EntryPage page = figure4_page(session, runs,
                                fmt::format("{} units (the paper: 193-36) and a test error of {:.2f} %",
                                            size_text(net.hidden_units), 100 * net.test_error.value_or(0)),
                                first.rmsprop.label);
  page.provenances = std::vector{first.run.nets.provenance, first.sgd.nets.provenance} + first.tried;
  page.data = {first.data};
  const Rows told{{"run", size_text(net.hidden_units), "", csv_number(net.test_error.value_or(std::nan("")))},
                  {"run", first.rmsprop.label, "", ""}};
  write_entry(session, page, drawn.rows + told + measure_rows(runs), drawn.picture);
}

void judge_figure4(const Session& session, const StoredEntry& stored) {
  std::vector<std::string> told;
  for (std::size_t row = 1; row < stored.rows.size(); ++row) {
    if (stored.cell(row, "panel") != "run") continue;
    told.push_back(stored.cell(row, "series"));
    if (told.size() == 1)
      told.front() = fmt::format("{} units (the paper: 193-36) and a test error of {:.2f} %", told.front(),
                                 100 * stored.number(row, "y"));
  }
  EntryPage page = figure4_page(session, stored_measures(stored), told.at(0), told.at(1));
  page.provenances = stored.provenances;
  page.data = stored.data;
  page.version = stored.version;
  write_page(session, page);
}

void make_figure5(const Session& session) {
  const std::vector<Figure4> figures = train_analysed(session);
  const Figure4& first = figures.front();
  std::vector<RunMeasures> runs;
  for (const Figure4& figure : figures)
    runs.push_back(life_measures(figure.run, figure.epochs, figure.lifetime));
  const Drawn drawn = draw_figure5(first);
  EntryPage page = figure5_page(session, runs);
  page.provenances = {first.run.nets.provenance};
  page.data = {first.data};
  write_entry(session, page, drawn.rows + measure_rows(runs, true), drawn.picture);
}

void judge_figure5(const Session& session, const StoredEntry& stored) {
  EntryPage page = figure5_page(session, stored_measures(stored));
  page.provenances = stored.provenances;
  page.data = stored.data;
  page.version = stored.version;
  write_page(session, page);
}

}  // namespace coppice::experiments
