// Nets that several train are those of a training alone.
#include "coppice/run/shared_training.h"

#include "coppice/api/train.h"

#include "tests/api/results.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <algorithm>
#include <deque>
#include <gmock/gmock.h>
#include <thread>
#include <tuple>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::HasSubstr;

template <class Action>
ErrorKind kind_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no Error was thrown";
  return ErrorKind::internal;
}

/// Trains the waiting nets in turn, last ones first, and hands them to all.
Result trained_by(std::deque<SharedTraining>& sharers) {
  std::size_t turn = 0;
  while (!sharers.front().waiting().empty()) {
    std::vector<std::string> trained;
    std::vector<std::size_t> nets = sharers.front().waiting();
    std::ranges::reverse(nets);
    for (const std::size_t net : nets)
      trained.push_back(sharers[turn++ % sharers.size()].train(net, 1, nullptr, {}));
    for (SharedTraining& sharer : sharers) {
      EXPECT_EQ(sharer.waiting().size(), nets.size());
      for (const std::string& bytes : trained) sharer.take(bytes, nullptr);
    }
  }
  return sharers.back().finish(nullptr, {});
}

Result shared(const Table& table, const Options& options, std::size_t count) {
  std::deque<SharedTraining> sharers;
  for (std::size_t i = 0; i < count; ++i) sharers.emplace_back(table, options);
  return trained_by(sharers);
}

using EpochKey = std::tuple<std::size_t, std::size_t, std::size_t, double, double, double,
                            std::vector<std::size_t>, bool, double, double, double>;
/// What both tell of all epochs, net after net.
std::vector<EpochKey> epochs_of(const Result& result) {
  std::vector<EpochKey> all;
  for (const EpochReport& e : result.history)
    all.emplace_back(e.net, e.epoch, e.steps, e.train_loss, e.validation_error, e.lambda, e.hidden_units,
                     e.running, e.waited, e.patience, e.to_go);
  std::ranges::sort(all);
  return all;
}

void expect_same(const Result& one, const Result& other) {
  EXPECT_EQ(bytes_of(one), bytes_of(other));
  EXPECT_EQ(one.chosen, other.chosen);
  EXPECT_EQ(one.notes, other.notes);
  EXPECT_EQ(epochs_of(one), epochs_of(other));
  EXPECT_FALSE(one.stopped);
}

/// Nets that end by themselves: after a limit there are no further rounds.
Options without_limit(Options options) {
  options.lambdas.clear();
  options.max_epochs.reset();
  options.patience = 3;
  return options;
}

TEST(SharedTraining, FindsThePathAndTheEnsembleOfATrainingAlone) {
  Options options = without_limit(ring_options());
  options.ensemble = 3;
  const Table table = ring_table(200);
  const Result alone = train(table, options);
  EXPECT_FALSE(alone.nets.back().members.empty()) << "there is no ensemble";
  expect_same(shared(table, options, 1), alone);
  expect_same(shared(table, options, 3), alone);
}

TEST(SharedTraining, FillsABudgetWithTheSameNets) {
  const Mixed mixed(200);
  for (const char* target : {"word", "value"}) {
    Options options = without_limit(mixed_options(target));
    options.max_parameters = 20;
    const Result alone = train(mixed.table(), options);
    const auto narrowed = [&](const NetResult& net) { return net.inputs < alone.nets.front().inputs; };
    EXPECT_TRUE(std::ranges::any_of(alone.nets, narrowed)) << "none of them sees some columns alone";
    const auto begun_again = [](const NetResult& net) { return net.beginning > 0; };
    EXPECT_TRUE(std::ranges::any_of(alone.nets, begun_again));
    expect_same(shared(mixed.table(), options, 2), alone);
  }
}

TEST(SharedTraining, RepeatsAsATrainingAlone) {
  Options options = ring_options();
  options.repeat = 2;
  const Result alone = train(ring_table(200), options);
  const Result together = shared(ring_table(200), options, 2);
  ASSERT_EQ(together.repetitions.size(), 2U);
  EXPECT_EQ(together.repetitions[1].validation_error, alone.repetitions[1].validation_error);
}

TEST(SharedTraining, ThreadsTrainItsNetsAtOnce) {
  Options options = ring_options();
  options.lambdas = {1e-2, 3e-3, 1e-3, 3e-4};
  const Table table = ring_table(200);
  SharedTraining training(table, options);
  std::vector<std::string> trained(training.waiting().size());
  {
    std::vector<std::jthread> threads;
    for (const std::size_t net : training.waiting())
      threads.emplace_back([&, net] { trained[net] = training.train(net, 1, nullptr, {}); });
  }
  for (const std::string& bytes : trained) training.take(bytes, nullptr);
  expect_same(training.finish(nullptr, {}), train(table, options));
}

TEST(SharedTraining, TellsEpochsInTheCallersThread) {
  SharedTraining training(ring_table(200), ring_options());
  Witness there;
  Witness here;
  training.take(training.train(0, 2, &there, {}), &here);
  EXPECT_EQ(there.epochs.size(), 12U);
  EXPECT_EQ(here.epochs.size(), 12U);
  EXPECT_EQ(there.threads, std::set{std::this_thread::get_id()});
}

TEST(SharedTraining, ANetIsTakenOnce) {
  Options options = ring_options();
  options.lambdas = {1e-2, 1e-3};
  SharedTraining training(ring_table(200), options);
  const std::string bytes = training.train(0, 1, nullptr, {});
  Witness witness;
  training.take(bytes, &witness);
  training.take(bytes, &witness);
  EXPECT_EQ(witness.epochs.size(), 12U);
  EXPECT_EQ(training.waiting(), std::vector<std::size_t>{1});
  const Result result = training.finish(nullptr, {});
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.nets.size(), 2U);
}

TEST(SharedTraining, StopsWhereItIsAskedTo) {
  Options endless = ring_options();
  endless.max_epochs.reset();
  endless.grow_epochs = 1'000'000;  // a busy machine asks late
  SharedTraining training(ring_table(200), endless);
  Witness witness;
  const auto stop = [&] { return witness.epochs.size() >= 2; };
  EXPECT_EQ(kind_of([&] { training.train(0, 1, &witness, stop); }), ErrorKind::interrupted);
  EXPECT_EQ(kind_of([&] { training.finish(nullptr, {}); }), ErrorKind::interrupted);
  EXPECT_EQ(training.waiting().size(), 1U) << "it can be trained anew";
  expect_same(shared(ring_table(200), ring_options(), 1), train(ring_table(200), ring_options()));
}

TEST(SharedTraining, EndsBetweenRoundsWithTheNetsOfThoseBefore) {
  Options options = without_limit(ring_options());
  options.ensemble = 2;
  SharedTraining training(ring_table(200), options);
  const std::vector<std::size_t> first = training.waiting();
  for (const std::size_t net : first) training.take(training.train(net, 1, nullptr, {}), nullptr);
  EXPECT_FALSE(training.waiting().empty());
  const Result result = training.finish(nullptr, {});
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.nets.size(), first.size());
}

TEST(SharedTraining, RefusesWhatCannotBeShared) {
  Options options = ring_options();
  options.time_limit = 5;
  EXPECT_THAT(message_of([&] { SharedTraining(ring_table(200), options); }), HasSubstr("`time-limit`"));
  options = ring_options();
  options.device = Device::cuda;
  EXPECT_THAT(message_of([&] { SharedTraining(ring_table(200), options); }), HasSubstr("`device` cuda"));
}

TEST(SharedTraining, RefusesNetsOfOtherTrainings) {
  const Table table = ring_table(200);
  Options options = ring_options();
  SharedTraining training(table, options);
  const std::string bytes = training.train(0, 1, nullptr, {});
  const auto refusal = [](SharedTraining& by, const std::string& net) {
    return message_of([&] { by.take(net, nullptr); });
  };
  options.threads = 1;
  SharedTraining fewer_threads(table, options);
  fewer_threads.take(bytes, nullptr);
  options.patience = 77;
  SharedTraining other_settings(table, options);
  EXPECT_THAT(refusal(other_settings, bytes), HasSubstr("other data or with other settings"));
  SharedTraining other_rows(ring_table(200, 2), ring_options());
  EXPECT_THAT(refusal(other_rows, bytes), HasSubstr("other data or with other settings"));
  for (const std::size_t at : {std::size_t{20}, bytes.size() / 2, bytes.size() - 1}) {
    std::string altered = bytes;
    altered[at] = static_cast<char>(altered[at] ^ 1);
    EXPECT_THAT(refusal(training, altered), HasSubstr("altered")) << at;
  }
  EXPECT_THAT(refusal(training, bytes.substr(0, 30)), HasSubstr("altered"));
  EXPECT_THAT(refusal(training, bytes.substr(1)), HasSubstr("no net"));
  EXPECT_THAT(message_of([&] { training.train(5, 1, nullptr, {}); }), HasSubstr("net 5 does not wait"));
}

TEST(SharedTraining, RefusesNetsOfLaterRounds) {
  Options options = without_limit(ring_options());
  options.ensemble = 2;
  const Table table = ring_table(200);
  SharedTraining ahead(table, options);
  SharedTraining behind(table, options);
  for (const std::size_t net : ahead.waiting()) ahead.take(ahead.train(net, 1, nullptr, {}), nullptr);
  const std::string later = ahead.train(ahead.waiting().front(), 1, nullptr, {});
  EXPECT_THAT(message_of([&] { behind.take(later, nullptr); }), HasSubstr("of a later round"));
}

}  // namespace
}  // namespace coppice
