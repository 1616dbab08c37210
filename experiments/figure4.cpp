#include "experiments/figure4.h"

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

/// Trains one net and reads its journal.
NetWithHistory train_one(const Session& session, const std::string& name, const DataFiles& data,
                         const Flags& flags) {
  NetWithHistory one{.nets = train_nets(session, name, data, flags)};
  const std::string journal = (std::filesystem::path(one.nets.directory) / "journal.jsonl").string();
  one.history = read_journal(journal, {one.net().id}).front();
  return one;
}

/// The analysed run alone.
Figure4 train_analysed(const Session& session) {
  const Counts& counts = session.counts;
  Figure4 figure{.data = find_mnist(session), .epochs = counts.epochs, .lifetime = counts.unit_lifetime};
  figure.run = train_one(session, "mnist-analysed", figure.data,
                         Flags{{"lambda", lambda_text(session)}} + protocol_flags(session) +
                             Flags{{"angular-step", fmt::format("{:g}", analysed_step)},
                                   {"unit-lifetime", std::to_string(counts.unit_lifetime)},
                                   {"grow-epochs", std::to_string(counts.epochs)},
                                   {"max-epochs", std::to_string(2 * counts.epochs)},
                                   {"patience", "1e9"},
                                   {"keep", "last"}});
  return figure;
}

/// A net of the analysed run's final size.
NetWithHistory train_compared(const Session& session, const std::string& name, const Figure4& figure,
                              const Flags& own) {
  std::string size = size_text(figure.run.net().hidden_units);
  std::ranges::replace(size, '-', ',');  // as --fixed-size takes it
  return train_one(
      session, name, figure.data,
      Flags{{"fixed-size", size}} + own + protocol_flags(session) +
          Flags{
              {"patience", "1e9"}, {"max-epochs", std::to_string(session.counts.epochs)}, {"keep", "last"}});
}

/// The same step and lambda as the analysed run. Parametric nets have no CapNorm on the output.
NetWithHistory train_sgd(const Session& session, const Figure4& figure) {
  NetWithHistory net = train_compared(session, "mnist-analysed-sgd", figure,
                                      {{"lambda", lambda_text(session)},
                                       {"optimizer", "sgd"},
                                       {"step", fmt::format("{:g}", analysed_step)},
                                       {"output-capnorm", "off"}});
  net.label = "SGD";
  net.colour = "red";
  return net;
}

double lowest_error(const NetHistory& history) {
  double lowest = 1;
  for (const EpochRow& row : history.epochs) lowest = std::min(lowest, row.validation_error);
  return lowest;
}

/// The step with the lowest validation error ever reached.
NetWithHistory train_rmsprop(const Session& session, Figure4& figure) {
  NetWithHistory best;
  for (const double step : from_the_middle({3e-4, 1e-3, 3e-3, 1e-2, 3e-2}, session.counts.compared_steps)) {
    NetWithHistory one = train_compared(
        session, fmt::format("mnist-analysed-rmsprop-{:g}", step), figure,
        {{"optimizer", "rmsprop"}, {"norm", "batchnorm"}, {"step", fmt::format("{:g}", step)}});
    one.label = fmt::format("RMSprop, step {:g}", step);
    one.colour = "blue";
    figure.tried.push_back(one.nets.provenance);
    if (best.history.epochs.empty() || lowest_error(one.history) < lowest_error(best.history))
      best = std::move(one);
  }
  return best;
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
void measure_nets(Figure4& figure) {
  const Table table = read_table(figure.data.train);
  const auto model_of = [](const NetWithHistory& one) {
    return Model::load((std::filesystem::path(one.nets.directory) / "model.coppice").string());
  };
  for (NetWithHistory* one : {&figure.run, &figure.sgd, &figure.rmsprop})
    one->mistakes = training_mistakes(model_of(*one), table);
  const Model model = model_of(figure.run);
  figure.training_rows = model.origin().train_rows;
  const Matrix<float>& output = model.parts().network.layers.back().weights;
  figure.output_lengths.resize(output.rows());
  row_lengths(output.view(), std::span(figure.output_lengths));
}

}  // namespace

void make_figure4(const Session& session) {
  Figure4 figure = train_analysed(session);
  figure.sgd = train_sgd(session, figure);
  figure.rmsprop = train_rmsprop(session, figure);
  measure_nets(figure);
  const Drawn drawn = draw_figure4(figure);
  const NetResult& net = figure.run.net();
  const EntryPage page{
      .name = "figure4",
      .title = "Figure 4: one training run in detail",
      .introduction = fmt::format(
          "MNIST, lambda {:g}, angular step {:g}, no annealing: {} epochs in which each hidden layer gains a "
          "unit per epoch, then {} without. It ended with {} units (the paper: 193-36) and a test error of "
          "{:.2f} %. Beside it two parametric nets of that size for {} epochs: SGD with the same step and "
          "lambda, and {} with batch normalisation and lambda 0, the best of a few steps by validation "
          "error. Panel A: validation error; B: training cross-entropy; C: units of both layers; D: epochs "
          "that units of the first layer lived; E and F: lengths of fan-ins (blue) and fan-outs (red) of "
          "some units, in pale colours three that came late and stayed. The data file has fewer points of "
          "each curve than the picture; units have numbers in the order in which they were added.",
          analysed_lambda(session), analysed_step, figure.epochs, figure.epochs, size_text(net.hidden_units),
          100 * net.test_error.value_or(0), figure.epochs, figure.rmsprop.label),
      .claims = figure4_claims(figure),
      .provenances = std::vector{figure.run.nets.provenance, figure.sgd.nets.provenance} + figure.tried,
      .data = {figure.data}};
  write_entry(session, page, drawn.rows, drawn.picture);
}

void make_figure5(const Session& session) {
  const Figure4 figure = train_analysed(session);
  const Drawn drawn = draw_figure5(figure);
  const EntryPage page{
      .name = "figure5",
      .title = "Figure 5: how long the second layer's units were there",
      .introduction =
          "The same run as in [figure 4](figure4.md). One bar per unit of the second hidden layer.",
      .claims = figure5_claims(figure),
      .provenances = {figure.run.nets.provenance},
      .data = {figure.data}};
  write_entry(session, page, drawn.rows, drawn.picture);
}

}  // namespace coppice::experiments
