#include "coppice/api/prepare.h"
#include "coppice/api/train.h"
#include "coppice/api/training.h"
#include "coppice/api/variant.h"
#include "coppice/core/error.h"
#include "coppice/model/folding.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include "tests/api/results.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <cmath>
#include <gmock/gmock.h>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coppice {
namespace {

using test::bytes_of;
using test::message_of;
using test::ring_table;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Options ensemble_options() {
  Options options = test::ring_options();
  options.lambdas.clear();
  options.path = 2;
  options.max_epochs.reset();
  return options;
}

/// One for all tests: it takes a second.
const Result& trained() {
  static const Result result = train(ring_table(300), ensemble_options());
  return result;
}

TEST(Ensemble, TheBestNetOfEveryFoldAnswers) {
  const Result& result = trained();
  ASSERT_TRUE(result.chosen);
  const NetResult& chosen = result.nets[*result.chosen];
  ASSERT_EQ(chosen.members.size(), 10U);
  EXPECT_EQ(chosen.id, result.nets.size() - 1);
  std::size_t parameters = 0;
  std::size_t epochs = 0;
  for (std::size_t fold = 0; fold < 10; ++fold) {
    const NetResult& member = result.nets[chosen.members[fold]];
    EXPECT_EQ(member.fold, fold);
    parameters += member.parameters;
    epochs += member.epochs;
  }
  EXPECT_EQ(chosen.parameters, parameters);
  EXPECT_EQ(chosen.parameters, result.model().parameters());
  EXPECT_EQ(chosen.epochs, epochs);
  EXPECT_EQ(result.model().nets(), 10U);
  EXPECT_EQ(result.model().origin().train_rows, 300U);
  EXPECT_LT(chosen.validation_error, 0.12) << "a ring is learned";
  for (const NetResult& net : result.nets) {
    if (net.fold > 0) {
      EXPECT_TRUE(net.dominated) << "it was validated on other rows than those of the front";
    }
  }
}

TEST(Ensemble, VariantsOfDepthAndEncodingAreTried) {
  std::set<std::pair<std::size_t, bool>> kinds;
  for (const NetResult& net : trained().nets) {
    if (net.members.empty() && net.fold == 0) kinds.emplace(net.hidden_units.size(), net.bins);
  }
  EXPECT_EQ(kinds.size(), 6U);
}

TEST(Ensemble, EveryRowIsMeasuredByAJudgeThatDidNotLearnFromIt) {
  const Result& result = trained();
  const NetResult& chosen = result.nets[*result.chosen];
  const PreparedData data = prepare(ring_table(300), ensemble_options()).data;
  ThreadPool pool(1);
  std::size_t wrong = 0;
  double log_loss = 0;
  for (std::size_t fold = 0; fold < 10; ++fold) {
    const std::size_t judge = chosen.judges[fold];
    ASSERT_EQ(result.nets[judge].fold, fold);
    const NetData net =
        data.net_data(result.nets[judge].seed, {.plain = !result.nets[judge].bins, .fold = fold});
    const Matrix<float> scores =
        predict_scores(pool, result.models[judge].folded(), *net.validation, net.validation_rows);
    for (std::size_t i = 0; i < scores.rows(); ++i) {
      const std::uint32_t label = net.validation->labels[net.validation_rows[i]];
      wrong += best_class(scores.row(i)) != label ? 1 : 0;
      log_loss -= std::log(probabilities(scores.row(i), result.model().temperature())[label]);
    }
  }
  EXPECT_DOUBLE_EQ(chosen.validation_error, static_cast<double>(wrong) / 300);
  EXPECT_NEAR(*chosen.log_loss, log_loss / 300, 1e-6);
}

TEST(Ensemble, IsAnalysedByItsJudgesWhateverInputsTheyTake) {
  std::size_t differ = 0;
  for (std::uint64_t seed = 0; seed < 30 && differ == 0; ++seed) {
    Options options = ensemble_options();
    options.seed = seed;
    options.ensemble = 5;
    options.hidden_layers = 1;
    Training training(ring_table(50, seed), options);
    training.begin({});
    struct Nothing final : TrainingObserver {
      void on_start(const NetRun& /*run*/, const PlannedNet& /*planned*/, Device /*device*/) override {}
      void on_note(const std::string& /*note*/) override {}
      void on_epoch(const NetRun& /*run*/, const EpochReport& /*report*/) override {}
    } nothing;
    ASSERT_TRUE(training.train(
        nothing, [] { return false; }, HUGE_VAL));
    const Result result = training.finish();
    const NetResult& net = result.nets.back();
    ASSERT_EQ(net.judges.size(), 5U);
    const bool plain = std::ranges::none_of(net.judges, [&](std::size_t i) { return result.nets[i].bins; });
    if (plain != net.bins) continue;  // judges take what the members do
    ++differ;
    const nlohmann::json told =
        nlohmann::json::parse(training.analysis_text(result, result.nets.size() - 1, ""));
    std::size_t counted = 0;
    for (const nlohmann::json& row : told.at("confusion").at("counts"))
      for (const nlohmann::json& cell : row) counted += cell.get<std::size_t>();
    EXPECT_EQ(counted, 50U) << told.at("confusion");
    EXPECT_EQ(told.at("importance").at("permutation").size(), 2U) << told.at("importance");
  }
  EXPECT_EQ(differ, 1U) << "there was such an ensemble";
}

TEST(Ensemble, ScoresAreThoseOfTheNetsAveraged) {
  const Result& result = trained();
  const Model again = Model::from_bytes(result.model().bytes());
  const Table table = ring_table(50, 9);
  const Prediction together = again.predict(table);
  std::vector<double> odds(50);  // logarithms
  for (const std::size_t i : result.nets[*result.chosen].members) {
    const Prediction one = result.models[i].predict(table);
    for (std::size_t row = 0; row < 50; ++row) {
      const auto p = one.probabilities_of(row);
      odds[row] += std::log(p[1] / p[0]) * result.models[i].temperature() / 10;
    }
  }
  for (std::size_t row = 0; row < 50; ++row) {
    const auto p = together.probabilities_of(row);
    EXPECT_NEAR(std::log(p[1] / p[0]) * again.temperature(), odds[row], 1e-3 * (1 + std::abs(odds[row])));
  }
}

TEST(Ensemble, TheSameBytesForAnyNumberOfThreads) {
  Options options = ensemble_options();
  options.threads = 1;
  EXPECT_EQ(bytes_of(train(ring_table(300), options)), bytes_of(trained()));
}

TEST(Ensemble, NumbersTestRowsAndPlainNets) {
  const test::Ring ring(400);
  Table table;
  table.add_numbers("x0", ring.x0);
  table.add_numbers("x1", ring.x1);
  std::vector<float> radius;
  for (std::size_t i = 0; i < 400; ++i) radius.push_back(std::hypot(ring.x0[i], ring.x1[i]));
  table.add_numbers("radius", radius);
  Options options = ensemble_options();
  options.target = std::string("radius");
  options.task.reset();
  options.ensemble = 3;
  options.encode = Encode::plain;
  options.hidden_layers = 1;
  options.test = 0.25;
  const Result result = train(table, options);
  const NetResult& chosen = result.nets[*result.chosen];
  EXPECT_EQ(chosen.members.size(), 3U);
  EXPECT_FALSE(chosen.bins);
  ASSERT_TRUE(chosen.test_error);
  EXPECT_LT(*chosen.test_error, 0.1);
  EXPECT_EQ(result.model().origin().test_error, chosen.test_error);
  EXPECT_EQ(result.model().inputs(), 2U);
  const Prediction predicted = result.model().predict(table);
  double squares = 0;
  for (std::size_t i = 0; i < 400; ++i) squares += std::pow(predicted.values[i] - radius[i], 2) / 400;
  EXPECT_LT(squares, 0.1);
}

TEST(Ensemble, ABudgetThatTheEnsembleExceedsTakesASingleNet) {
  Options options = ensemble_options();
  options.ensemble = 3;
  options.max_parameters = 60;
  const Result result = train(ring_table(300), options);
  ASSERT_TRUE(result.chosen);
  EXPECT_LE(result.nets[*result.chosen].parameters, 60U);
}

TEST(Ensemble, RefusedWhereItsRowsOrSeedsAreToldOtherwise) {
  Options options = ensemble_options();
  options.ensemble = 3;
  options.validation = 0.2;
  EXPECT_THAT(message_of([&] { train(ring_table(300), options); }), HasSubstr("`validation`"));
  options.validation = {};
  options.seeds = 2;
  EXPECT_THAT(message_of([&] { train(ring_table(300), options); }), HasSubstr("`seeds` 2"));
  options.seeds.reset();
  options.ensemble = 301;
  EXPECT_THAT(message_of([&] { train(ring_table(300), options); }), HasSubstr("300"));
}

TEST(Ensemble, ATrainingBeginsWithOneNet) {
  Options options = ensemble_options();
  options.warm_start = trained().model();
  EXPECT_THAT(message_of([&] { train(ring_table(300), options); }), HasSubstr("averages 10 nets"));
  options.warm_start = trained().models[trained().nets[*trained().chosen].members[0]];
  EXPECT_EQ(train(ring_table(300), options).nets.back().members.size(), 0U) << "and stays with one";
}

TEST(Ensemble, WithASeedForEachOfItsNetsATrainingBeginsWithAllOfThem) {
  const Model model = trained().model();
  const ModelParts& parts = model.parts();
  Options options;
  options.warm_start = model;
  options.lambdas = {1e-3};
  options.seeds = parts.nets();
  options.max_steps = 0;
  options.device = Device::cpu;
  const Result result = train(ring_table(300), options);
  ASSERT_EQ(result.models.size(), parts.nets());
  for (std::size_t i = 0; i < parts.nets(); ++i) {
    Network<float> network = parts.net(i).network;
    if (parts.net(i).plain) widen(network, parts.encoding.plain_inputs(), parts.encoding.inputs());
    for (std::size_t l = 0; l < network.layers.size(); ++l)
      EXPECT_EQ(result.models[i].parts().network.layers[l].weights, network.layers[l].weights) << i;
  }
  options.seeds = parts.nets() - 1;
  EXPECT_THAT(message_of([&] { train(ring_table(300), options); }), HasSubstr("with `seeds` 10 each"));
}

TEST(Variants, OnlyWhatWasLeftOpenVaries) {
  Options complete;
  complete.hidden_layers = 2;
  const auto count = [&](const Options& given, bool bins) {
    return variants_of(given, complete, bins).size();
  };
  Options given;
  EXPECT_EQ(count(given, true), 6U);
  EXPECT_EQ(count(given, false), 3U) << "no column has bins";
  given.hidden_layers = 2;
  EXPECT_EQ(count(given, true), 2U);
  given.encode = Encode::bins;
  EXPECT_THAT(variants_of(given, complete, true), ElementsAre(Variant{.hidden_layers = 2, .bins = true}));
  given.hidden_layers.reset();
  EXPECT_EQ(count(given, true), 3U);
  EXPECT_EQ(variants_of(given, complete, true).front(), (Variant{.hidden_layers = 2, .bins = true}));
  given.lambdas = {1e-3};
  EXPECT_EQ(count(given, true), 1U);
}

}  // namespace
}  // namespace coppice
