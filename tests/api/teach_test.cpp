#include "coppice/api/teach.h"

#include "coppice/analysis/answers.h"
#include "coppice/api/resolve.h"
#include "coppice/api/train.h"
#include "coppice/api/training.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include "tests/api/results.h"
#include "tests/api/tables.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using test::bytes_of;
using test::ring_table;

Options taught_options(Distil distil) {
  Options options = test::ring_options();
  options.lambdas.clear();
  options.path = 2;
  options.max_epochs.reset();
  options.hidden_layers = 2;
  options.encode = Encode::plain;
  options.ensemble = 3;
  options.distil = distil;
  options.refit = Refit::off;
  return options;
}

// Each once for all tests.
const Result& taught() {
  static const Result result = train(ring_table(200), taught_options(Distil::on));
  return result;
}
const Result& teachers() {
  static const Result result = train(ring_table(200), taught_options(Distil::off));
  return result;
}

const NetResult& chosen_of(const Result& result) {
  return result.nets[result.chosen.value()];
}

TEST(Teach, TheModelIsOneNetThatAnEnsembleTaught) {
  const NetResult& net = chosen_of(taught());
  EXPECT_TRUE(net.taught);
  EXPECT_TRUE(net.members.empty());
  EXPECT_EQ(taught().model().parts().nets(), 1U);
  EXPECT_EQ(taught().model().origin().train_rows, 200U);
  for (const NetResult& other : taught().nets) {
    EXPECT_TRUE(other.members.empty()) << "an ensemble was not asked for";
    EXPECT_TRUE(other.taught || other.dominated) << other.id << " only taught";
  }
}

TEST(Teach, TheTeachersAreTheNetsOfTheEnsemble) {
  const std::vector<std::string> own = bytes_of(taught());
  const std::vector<std::string> before = bytes_of(teachers());
  const auto nets = static_cast<std::size_t>(
      std::ranges::count(teachers().nets, true, [](const NetResult& net) { return net.members.empty(); }));
  ASSERT_GT(own.size(), nets);
  for (std::size_t i = 0; i < nets; ++i) EXPECT_EQ(own[i], before[i]);
  EXPECT_TRUE(taught().nets[nets].taught);
}

TEST(Teach, ItsErrorsAreItsTeachersAndWhatItAnswersWorse) {
  const NetResult& ensemble = chosen_of(teachers());
  ASSERT_EQ(ensemble.members.size(), 3U);
  double best = HUGE_VAL;
  for (const NetResult& net : taught().nets) {
    if (!net.taught) continue;
    EXPECT_GE(net.validation_error, ensemble.validation_error);
    EXPECT_GE(net.log_loss.value(), ensemble.log_loss.value());
    EXPECT_EQ(net.standard_error, ensemble.standard_error);
    EXPECT_EQ(net.judges, ensemble.judges);
    best = std::min(best, net.criterion.value());
  }
  EXPECT_EQ(chosen_of(taught()).criterion, best);
  EXPECT_LT(best, ensemble.criterion.value() + 0.1) << "it learned what they know";
  EXPECT_EQ(taught().model().parts().conformity.scores, teachers().model().parts().conformity.scores);
  EXPECT_EQ(taught().model().origin().validation_error, chosen_of(taught()).validation_error);
}

/// An ensemble and what it teaches.
struct Lessons {
  explicit Lessons(const Table& table, const Options& options)
      : data(prepare(table, options).data), ensemble(train(table, options).model()) {
    rows = lessons(pool, data, ensemble, 5);
  }
  mutable ThreadPool pool{2};
  PreparedData data;
  Model ensemble;
  PreparedData rows;
};

TEST(Teach, ClassesAreCopiesThatCountByTheirProbabilities) {
  const Lessons lessons(ring_table(200), taught_options(Distil::off));
  const Dataset& train = lessons.rows.train;
  // Copies of a row follow each other: the table's rows first.
  std::size_t at = 0;
  std::vector<double> shares(2);
  for (const std::uint32_t row : lessons.data.rows) {
    const auto scores =
        ask(lessons.pool, lessons.ensemble.folded(), lessons.data.train, std::vector{row}).scores;
    probabilities(scores.row(0), lessons.ensemble.temperature(), shares);
    double sum = 0;
    for (std::uint32_t label = 0; label < 2; ++label) {
      if (shares[label] < 0.01) continue;
      ASSERT_LT(at, train.rows());
      EXPECT_EQ(train.labels[at], label);
      EXPECT_TRUE(std::ranges::equal(train.inputs.row(at), lessons.data.train.inputs.row(row)));
      EXPECT_NEAR(train.weights[at], 3 * shares[label], 0.04) << "but for answers below a hundredth";
      sum += train.weights[at++];
    }
    EXPECT_NEAR(sum, 3, 1e-5) << "as much as three that are made up";
  }
  const double total = std::accumulate(train.weights.begin(), train.weights.end(), 0.0);
  EXPECT_NEAR(total, (3 + 5) * 200, 1e-2) << "five are made for each";
}

TEST(Teach, CopiesOfARowAreOnOneSide) {
  const Lessons lessons(ring_table(200), taught_options(Distil::off));
  const PreparedData& rows = lessons.rows;
  EXPECT_EQ(rows.rows.size() + rows.validation_rows.size(), rows.train.rows());
  std::map<std::vector<float>, double> weight;  // of a row on this side
  for (const std::uint32_t row : rows.validation_rows) {
    const auto values = rows.train.inputs.row(row);
    weight[{values.begin(), values.end()}] += rows.train.weights[row];
  }
  for (const auto& [inputs, sum] : weight)
    EXPECT_NEAR(sum, std::round(sum), 1e-5) << "all copies, of a row that may be made twice";
  EXPECT_GT(weight.size(), 100U) << "a tenth, of which few are the same";
  EXPECT_LE(weight.size(), 120U);
}

TEST(Teach, NumbersAreWhatTheEnsembleSays) {
  Options options = taught_options(Distil::off);
  options.task = Task::regression;
  options.target = "x1";
  const Lessons lessons(ring_table(120), options);
  const Answers answers = ask(lessons.pool, lessons.ensemble.folded(), lessons.data.train, lessons.data.rows);
  ASSERT_EQ(lessons.rows.train.rows(), 6 * 120U);
  for (std::size_t i = 0; i < 120; ++i) {
    EXPECT_EQ(lessons.rows.train.targets[i], answers.scores(i, 0));
    EXPECT_EQ(lessons.rows.train.weights[i], 3);
    EXPECT_EQ(lessons.rows.train.weights[120 + i], 1);
  }
}

TEST(Teach, RowsKeepTheirWeights) {
  Table table = ring_table(120);
  std::vector<float> weights;
  for (int i = 0; i < 120; ++i) weights.push_back(static_cast<float>(1 + i % 3));
  table.add_numbers("copies", weights);
  Options options = taught_options(Distil::off);
  options.weight = "copies";
  const Lessons lessons(table, options);
  const std::vector<float>& all = lessons.rows.train.weights;
  EXPECT_NEAR(std::accumulate(all.begin(), all.end(), 0.0), (3 + 5) * 240, 1e-2);
}

TEST(Teach, AnyNumberOfThreadsComesToTheSame) {
  Options options = taught_options(Distil::on);
  options.threads = 1;
  EXPECT_EQ(bytes_of(train(ring_table(200), options)), bytes_of(taught()));
}

TEST(Teach, TestRowsAreAskedAndNotLearnedFrom) {
  Options options = taught_options(Distil::on);
  options.test = 0.25;
  const Table table = ring_table(200);
  const Result result = train(table, options);
  ASSERT_TRUE(chosen_of(result).test_error);
  EXPECT_EQ(result.model().origin().train_rows, 150U);
  const PreparedData data = prepare(table, options).data;
  std::vector<std::uint32_t> held = data.test_rows;
  ThreadPool pool(1);
  const Answers answers = ask(pool, result.model().folded(), data.train, held);
  EXPECT_EQ(answers.metrics(result.model().parts()).error, *chosen_of(result).test_error);
}

/// Stops in a net, a few epochs after it began.
struct StopIn final : TrainingObserver {
  std::size_t net;
  std::atomic<bool> reached = false;  ///< asked by every thread of the pool
  explicit StopIn(std::size_t id) : net(id) {}
  void on_start(const NetRun& /*run*/, const PlannedNet& /*planned*/, Device /*device*/) override {}
  void on_note(const std::string& /*note*/) override {}
  void on_epoch(const NetRun& run, const EpochReport& report) override {
    reached = reached || (run.id == net && report.epoch >= 2);
  }
};

TEST(Teach, ATrainingThatIsStoppedBeforeOneHasLearnedKeepsABestTeacher) {
  const auto first = static_cast<std::size_t>(std::ranges::find_if(taught().nets, &NetResult::taught) -
                                              taught().nets.begin());
  Training training(ring_table(200), taught_options(Distil::on));
  training.begin({});
  StopIn observer(first);
  EXPECT_FALSE(training.train(
      observer, [&] { return observer.reached.load(); }, HUGE_VAL));
  const Result result = training.finish();
  ASSERT_GT(result.nets.size(), first);
  EXPECT_FALSE(chosen_of(result).taught);
  EXPECT_EQ(chosen_of(result).fold, 0U);
}

TEST(Teach, WhoseOneNetIsTaughtByItself) {
  Options options;
  EXPECT_EQ(nets_of_teacher(options, false, 300), 0U) << "the ensemble itself is the model";
  options.ensemble = 1;
  EXPECT_EQ(nets_of_teacher(options, false, 300), 10U);
  EXPECT_EQ(nets_of_teacher(options, false, 10'000), 5U);
  EXPECT_EQ(nets_of_teacher(options, false, 10'001), 0U) << "it learns as well by itself";
  EXPECT_EQ(nets_of_teacher(options, false, 20), 0U);
  EXPECT_EQ(nets_of_teacher(options, true, 300), 0U) << "images";
  for (const auto& change : std::vector<void (*)(Options&)>{
           [](Options& o) { o.lambdas = {1e-3}; }, [](Options& o) { o.max_parameters = 100; },
           [](Options& o) { o.effort = Effort::quick; }, [](Options& o) { o.effort = Effort::paper; },
           [](Options& o) { o.refit = Refit::on; }, [](Options& o) { o.validation = 0.2; },
           [](Options& o) { o.distil = Distil::off; }}) {
    Options other = options;
    change(other);
    EXPECT_EQ(nets_of_teacher(other, false, 300), 0U);
  }
  options.distil = Distil::on;
  options.lambdas = {1e-3};
  EXPECT_EQ(nets_of_teacher(options, false, 300), 10U) << "asked for";
  options.ensemble = 4;
  EXPECT_EQ(nets_of_teacher(options, false, 300), 4U);
}

}  // namespace
}  // namespace coppice
