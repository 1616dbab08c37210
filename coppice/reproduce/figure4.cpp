#include "coppice/reproduce/figure4.h"

#include "coppice/device/rows.h"
#include "coppice/model/predict.h"
#include "coppice/reproduce/comparison.h"
#include "coppice/reproduce/entries.h"
#include "coppice/search/trial.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace coppice::reproduce {

namespace {

Model model_of(const TrainedNets& nets) {
  return load_model((std::filesystem::path(nets.directory) / nets.summary.nets.front().model).string());
}

double lowest_error(const NetHistory& history) {
  double lowest = 1;
  for (const EpochRow& row : history.epochs) lowest = std::min(lowest, row.validation_error);
  return lowest;
}

/// As --fixed-size takes it.
std::string commas(const std::vector<std::size_t>& units) {
  std::string text = size_text(units);
  std::ranges::replace(text, '-', ',');
  return text;
}

Flags compared_flags(const Session& session, const AnalysedRun& run, const Flags& own) {
  Flags flags{{"fixed-size", commas(run.net().hidden_units)}};
  flags.insert(flags.end(), own.begin(), own.end());
  const Flags shared = analysed_flags(session);
  flags.insert(flags.end(), shared.begin(), shared.end());
  flags.insert(
      flags.end(),
      {{"patience", "1e9"}, {"max-epochs", std::to_string(session.counts.epochs)}, {"keep", "last"}});
  return flags;
}

/// The same step and lambda as the analysed run. Parametric nets have no CapNorm on the output.
Compared train_sgd(const Session& session, const AnalysedRun& run) {
  Compared compared{.label = "SGD", .colour = "red", .nets = {}, .history = {}};
  compared.nets = train_nets(session, "mnist-analysed-sgd", run.data,
                             compared_flags(session, run,
                                            {{"lambda", fmt::format("{:g}", analysed_lambda(session))},
                                             {"optimizer", "sgd"},
                                             {"step", fmt::format("{:g}", analysed_step)},
                                             {"output-capnorm", "off"}}));
  compared.history = history_of(compared.nets);
  return compared;
}

/// The step with the lowest validation error ever reached.
Compared train_rmsprop(const Session& session, const AnalysedRun& run, std::vector<Origin>& tried) {
  Compared best{.label = "RMSprop", .colour = "blue", .nets = {}, .history = {}};
  for (const double step : from_the_middle({3e-4, 1e-3, 3e-3, 1e-2, 3e-2}, session.counts.compared_steps)) {
    Compared one{
        .label = fmt::format("RMSprop, step {:g}", step), .colour = "blue", .nets = {}, .history = {}};
    one.nets = train_nets(
        session, fmt::format("mnist-analysed-rmsprop-{:g}", step), run.data,
        compared_flags(
            session, run,
            {{"optimizer", "rmsprop"}, {"norm", "batchnorm"}, {"step", fmt::format("{:g}", step)}}));
    tried.push_back(one.nets.origin);
    one.history = history_of(one.nets);
    if (best.history.epochs.empty() || lowest_error(one.history) < lowest_error(best.history)) best = one;
  }
  return best;
}

/// Looks at the final nets themselves.
void measure_nets(const Session& session, Figure4& figure) {
  RunOptions options = options_of(session, figure.run.data, {});
  const PreparedData data = prepare_data(options);
  const NetData rows = data.net_data(options.seed);
  ThreadPool pool(thread_count(options));
  const auto mistakes = [&](const TrainedNets& nets) {
    const Matrix<float> scores = predict_scores(pool, model_of(nets), data.train, rows.train_rows);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < rows.train_rows.size(); ++i)
      if (best_class(scores.row(i)) != data.train.labels[rows.train_rows[i]]) ++wrong;
    return wrong;
  };
  figure.training_rows = rows.train_rows.size();
  figure.mistakes = mistakes(figure.run.nets);
  figure.sgd.mistakes = mistakes(figure.sgd.nets);
  figure.rmsprop.mistakes = mistakes(figure.rmsprop.nets);
  const Model model = model_of(figure.run.nets);
  const Matrix<float>& output = model.network.layers.back().weights;
  figure.output_lengths.resize(output.rows());
  row_lengths(output.view(), std::span(figure.output_lengths));
}

}  // namespace

void make_figure4(const Session& session) {
  Figure4 figure;
  figure.run = train_analysed(session);
  figure.sgd = train_sgd(session, figure.run);
  figure.rmsprop = train_rmsprop(session, figure.run, figure.tried);
  figure.epochs = session.counts.epochs;
  figure.lifetime = session.counts.unit_lifetime;
  measure_nets(session, figure);
  const Drawn drawn = draw_figure4(figure);
  Page page{
      .name = "figure4",
      .title = "Figure 4: one training run in detail",
      .introduction = fmt::format(
          "MNIST, lambda {:g}, angular step {:g}, no annealing: {} epochs in which each hidden layer gains a "
          "unit per epoch, "
          "then {} without. It ended with {} units (the paper: 193-36) and a test error of {:.2f} %. "
          "Beside it two parametric nets of that size for {} epochs: SGD with the same step and lambda, and "
          "{} with batch "
          "normalisation and lambda 0, the best of a few steps by validation error. Panel A: validation "
          "error; B: training "
          "cross-entropy; C: units of both layers; D: epochs that units of the first layer lived; E and F: "
          "lengths of fan-ins (blue) and "
          "fan-outs (red) of some units, in pale colours three that came late and stayed. The data file has "
          "fewer points of each curve than the picture; units have numbers in the order in which they were "
          "added.",
          analysed_lambda(session), analysed_step, figure.epochs, figure.epochs,
          size_text(figure.run.net().hidden_units), 100 * figure.run.net().test_error.value_or(0),
          figure.epochs, figure.rmsprop.label),
      .claims = figure4_claims(figure),
      .origins = {figure.run.nets.origin, figure.sgd.nets.origin},
      .data = {figure.run.data}};
  page.origins.insert(page.origins.end(), figure.tried.begin(), figure.tried.end());
  std::vector<std::vector<std::string>> rows{{"panel", "series", "x", "y"}};
  rows.insert(rows.end(), drawn.rows.begin(), drawn.rows.end());
  write_entry(session, page, csv_text(rows), drawn.svg);
}

}  // namespace coppice::reproduce
