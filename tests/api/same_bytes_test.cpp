#include "coppice/api/train.h"

#include "tests/api/results.h"
#include "tests/api/tables.h"

#include <thread>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using namespace coppice::test;

TEST(Train, TheNumberOfThreadsDoesNotShow) {
  const Mixed data(300);
  Options options = mixed_options("level");
  options.test = 0.2;
  std::vector<std::string> one;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    options.threads = threads;
    const Result result = train(data.table(), options);
    EXPECT_EQ(result.threads, threads);
    if (one.empty()) one = bytes_of(result);
    EXPECT_EQ(bytes_of(result), one) << threads << " threads";
  }
}

TEST(Train, TheNumberOfThreadsDoesNotShowInNetsWithKinks) {
  const Ring ring(300);
  Options options = ring_options();
  const std::vector<std::string> plain = bytes_of(train(ring.table(), options));
  options.kinks = 0;
  EXPECT_EQ(bytes_of(train(ring.table(), options)), plain);
  options.kinks = 1;
  options.threads = 1;
  const std::vector<std::string> one = bytes_of(train(ring.table(), options));
  EXPECT_NE(one, plain);
  options.threads = 3;
  EXPECT_EQ(bytes_of(train(ring.table(), options)), one);
}

TEST(Train, TheNumberOfThreadsDoesNotShowInWhatLearnsBesideFanIns) {
  const Ring ring(300);
  Options options = ring_options();
  const std::vector<std::string> plain = bytes_of(train(ring.table(), options));
  options.kinks = 0.1;
  options.kink_step = 0.3;
  options.output_scale_step = 1;
  options.capnorm_rows = 100;
  options.radial_rule = RadialRule::exponential;
  options.threads = 1;
  const std::vector<std::string> one = bytes_of(train(ring.table(), options));
  EXPECT_NE(one, plain);
  options.threads = 3;
  EXPECT_EQ(bytes_of(train(ring.table(), options)), one);
}

TEST(Train, TwoAtOnceComeToTheSameAsAlone) {
  const Mixed mixed(250);
  const Ring ring(250);
  const Options options = mixed_options("value");
  const auto alone = bytes_of(train(mixed.table(), options));
  const auto ring_alone = bytes_of(train(ring.table(), ring_options()));
  for (int round = 0; round < 3; ++round) {
    std::vector<std::string> here;
    std::vector<std::string> there;
    std::thread other([&] { there = bytes_of(train(ring.table(), ring_options())); });
    here = bytes_of(train(mixed.table(), options));
    other.join();
    EXPECT_EQ(here, alone);
    EXPECT_EQ(there, ring_alone);
  }
}

TEST(Train, AnObserverMayTrainItself) {
  struct Nested final : Observer {
    void on_epoch(const EpochReport&) override {
      if (inner.empty()) inner = bytes_of(train(ring_table(80), ring_options()));
    }
    std::vector<std::string> inner;
  };
  Nested nested;
  const auto outer = bytes_of(train(ring_table(120), ring_options(), &nested));
  EXPECT_EQ(nested.inner, bytes_of(train(ring_table(80), ring_options())));
  EXPECT_EQ(outer, bytes_of(train(ring_table(120), ring_options())));
}

}  // namespace
}  // namespace coppice
