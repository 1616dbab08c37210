#include "coppice/run/checkpoint.h"

#include "coppice/core/bytes.h"
#include "coppice/core/file.h"
#include "coppice/training/trainer.h"

#include "tests/support.h"

#include <functional>
#include <gmock/gmock.h>
#include <numeric>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::HasSubstr;

/// A few rows of two classes that a net can be trained on.
class Checkpoint : public ::testing::Test {
 protected:
  Checkpoint() {
    dataset_.inputs = Matrix<float>(60, 3);
    for (std::size_t i = 0; i < 60; ++i) {
      for (std::size_t k = 0; k < 3; ++k)
        dataset_.inputs(i, k) = static_cast<float>((i * (k + 3) + k * k) % 11) / 5 - 1;
      dataset_.labels.push_back(i % 3 == 0 ? 1 : 0);
    }
    data_.train = data_.validation = &dataset_;
    data_.train_rows.resize(45);
    std::iota(data_.train_rows.begin(), data_.train_rows.end(), 0U);
    data_.validation_rows.resize(15);
    std::iota(data_.validation_rows.begin(), data_.validation_rows.end(), 45U);
    data_.classes = 2;
    options_.batch_size = 15;
    options_.unit_lifetime = 2;
    options_.patience = 4;
  }

  NetRun train(const Trainer& trainer, NetRun run, int epochs) {
    Workspace<float> workspace;
    for (int i = 0; i < epochs; ++i) trainer.train_epoch(run, data_, workspace, {});
    return run;
  }
  NetRun trained(int epochs) { return train(trainer_, trainer_.start(3, 1e-2, 9, data_), epochs); }

  Dataset dataset_;
  NetData data_;
  TrainingOptions options_;
  ThreadPool pool_{1};
  Trainer trainer_{pool_, [] {
                     TrainingOptions o;
                     o.batch_size = 15;
                     o.unit_lifetime = 2;
                     o.patience = 4;
                     return o;
                   }()};
};

TEST_F(Checkpoint, BringsAllStateBack) {
  for (const int epochs : {0, 1, 7, 20}) {
    const NetRun run = trained(epochs);
    NetRun again = trainer_.start(3, 1e-2, 9, data_);
    restore_checkpoint(again, checkpoint_bytes(run), "c");
    EXPECT_EQ(checkpoint_bytes(again), checkpoint_bytes(run));
    EXPECT_EQ(again.current.network, run.current.network);
    EXPECT_EQ(again.current.optimizer, run.current.optimizer);
    EXPECT_EQ(again.kept.network, run.kept.network);
    EXPECT_EQ(again.epoch, run.epoch);
    EXPECT_EQ(again.steps, run.steps);
    EXPECT_EQ(again.next_unit, run.next_unit);
    EXPECT_EQ(again.stopped, run.stopped);
    EXPECT_EQ(again.protocol.phase(), run.protocol.phase());
  }
}

TEST_F(Checkpoint, TrainingGoesOnAsIfNothingHadHappened) {
  const std::string whole = checkpoint_bytes(trained(30));
  for (const int cut : {1, 5, 13, 29}) {
    NetRun again = trainer_.start(3, 1e-2, 9, data_);
    restore_checkpoint(again, checkpoint_bytes(trained(cut)), "c");
    Workspace<float> workspace;
    for (int i = cut; i < 30; ++i) trainer_.train_epoch(again, data_, workspace, {});
    EXPECT_TRUE(checkpoint_bytes(again) == whole) << "cut after epoch " << cut;
  }
}

TEST_F(Checkpoint, WhatEveryOptimizerRemembersComesBack) {
  for (const OptimizerKind kind : {OptimizerKind::adarad_m, OptimizerKind::sgd, OptimizerKind::momentum,
                                   OptimizerKind::nesterov, OptimizerKind::rmsprop, OptimizerKind::adam}) {
    TrainingOptions options = trainer_.options();
    options.optimizer = kind;
    const Trainer trainer(pool_, options);
    const NetRun start = trainer.start(3, 1e-2, 9, data_);
    const std::string whole = checkpoint_bytes(train(trainer, start, 12));
    NetRun again = start;
    const NetRun half = train(trainer, start, 7);
    restore_checkpoint(again, checkpoint_bytes(half), "c");
    EXPECT_EQ(again.current, half.current) << static_cast<int>(kind);
    EXPECT_EQ(again.kept.optimizer, half.kept.optimizer) << static_cast<int>(kind);
    EXPECT_TRUE(checkpoint_bytes(train(trainer, again, 5)) == whole) << static_cast<int>(kind);
    if (kind == OptimizerKind::sgd) continue;
    NetRun other = trainer_.start(3, 1e-2, 9, data_);
    EXPECT_THAT(message_of([&] { restore_checkpoint(other, whole, "c.state"); }), HasSubstr("c.state"))
        << "state of another optimizer";
  }
}

TEST_F(Checkpoint, KinksComeBack) {
  TrainingOptions options = trainer_.options();
  options.kinks = 0.7;
  const Trainer trainer(pool_, options);
  const NetRun start = trainer.start(3, 1e-2, 9, data_);
  const NetRun half = train(trainer, start, 7);
  EXPECT_NE(half.current.network.layers[0].kinks, start.current.network.layers[0].kinks);
  NetRun again = start;
  restore_checkpoint(again, checkpoint_bytes(half), "c");
  EXPECT_EQ(again.current, half.current);
  EXPECT_EQ(again.kept, half.kept);
  EXPECT_TRUE(checkpoint_bytes(train(trainer, again, 5)) == checkpoint_bytes(train(trainer, start, 12)));
  NetRun broken = half;
  broken.current.network.layers[0].kinks.pop_back();
  again = start;
  EXPECT_THROW(restore_checkpoint(again, checkpoint_bytes(broken), "c"), Error);
}

TEST_F(Checkpoint, WhatLearnsBesideFanInsAndWhatIsRememberedComesBack) {
  TrainingOptions options = trainer_.options();
  options.kinks = 0.1;
  options.kink_step = 0.5;
  options.output_scale_step = 1;
  options.capnorm_rows = 40;
  const Trainer trainer(pool_, options);
  const NetRun start = trainer.start(3, 1e-2, 9, data_);
  const NetRun half = train(trainer, start, 7);
  NetRun again = start;
  restore_checkpoint(again, checkpoint_bytes(half), "c");
  EXPECT_EQ(again.current, half.current);
  EXPECT_EQ(again.kept, half.kept);
  EXPECT_NE(half.current.network.output_scale, 1);
  EXPECT_TRUE(checkpoint_bytes(train(trainer, again, 5)) == checkpoint_bytes(train(trainer, start, 12)));
  const std::string bytes = checkpoint_bytes(half);
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    again = start;
    EXPECT_THROW(restore_checkpoint(again, bytes.substr(0, size), "c"), Error);
  }
  NetRun broken = half;
  broken.current.optimizer.layers[0].kink_average.pop_back();
  again = start;
  EXPECT_THROW(restore_checkpoint(again, checkpoint_bytes(broken), "c"), Error);
}

TEST_F(Checkpoint, TruncatedAtAnyLengthIsAnError) {
  const std::string bytes = checkpoint_bytes(trained(2));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    NetRun again = trainer_.start(3, 1e-2, 9, data_);
    EXPECT_THAT(message_of([&] { restore_checkpoint(again, bytes.substr(0, size), "c.state"); }),
                HasSubstr("c.state"))
        << size;
  }
}

TEST_F(Checkpoint, AFlippedBitAnywhereIsAnError) {
  const std::string bytes = checkpoint_bytes(trained(2));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1U << (at % 8)));
    NetRun again = trainer_.start(3, 1e-2, 9, data_);
    EXPECT_THROW(restore_checkpoint(again, flipped, "c"), Error) << at;
  }
}

TEST_F(Checkpoint, AnotherNetIsRefused) {
  const std::string bytes = checkpoint_bytes(trained(2));
  for (const auto& [id, lambda, seed] : {std::tuple{4UL, 1e-2, 9UL}, {3UL, 1e-3, 9UL}, {3UL, 1e-2, 8UL}}) {
    NetRun other = trainer_.start(id, lambda, seed, data_);
    EXPECT_THAT(message_of([&] { restore_checkpoint(other, bytes, "c"); }), HasSubstr("another net"));
  }
}

TEST_F(Checkpoint, BytesAfterTheEndWithTheRightChecksumAreRefused) {
  constexpr std::size_t start = 21 + 4;
  std::string longer = checkpoint_bytes(trained(1)) + "x";
  const std::uint32_t sum = checksum(std::string_view(longer).substr(start));
  std::memcpy(longer.data() + 21, &sum, sizeof sum);
  NetRun again = trainer_.start(3, 1e-2, 9, data_);
  EXPECT_THROW(restore_checkpoint(again, longer, "c"), Error);
}

TEST_F(Checkpoint, PartsOfDifferentSizesAreRefused) {
  const auto refuse = [&](const std::function<void(NetState&)>& alter) {
    NetRun run = trained(1);
    alter(run.current);
    NetRun again = trainer_.start(3, 1e-2, 9, data_);
    EXPECT_THROW(restore_checkpoint(again, checkpoint_bytes(run), "c"), Error);
  };
  refuse([](NetState& state) { state.network.layers[0].units.pop_back(); });
  refuse([](NetState& state) { state.optimizer.layers[0].average.pop_back(); });
  refuse([](NetState& state) { state.optimizer.layers[0].capacity.pop_back(); });
  refuse([](NetState& state) { state.optimizer.layers[1].mean_capacity.push_back(1); });
}

TEST_F(Checkpoint, AbsurdSizesWithTheRightChecksumAreRefused) {
  const std::string bytes = checkpoint_bytes(trained(1));
  constexpr std::size_t start = 21 + 4;
  std::size_t refused = 0;
  std::size_t taken = 0;
  for (std::size_t at = start; at + 8 <= bytes.size(); at += 1) {
    std::string absurd = bytes;
    const std::uint64_t size = ~0ULL >> (at % 3);
    std::memcpy(absurd.data() + at, &size, sizeof size);
    const std::uint32_t sum = checksum(std::string_view(absurd).substr(start));
    std::memcpy(absurd.data() + 21, &sum, sizeof sum);
    NetRun again = trainer_.start(3, 1e-2, 9, data_);
    try {
      restore_checkpoint(again, absurd, "c");  // weights may be anything; sizes may not
      ++taken;
      EXPECT_EQ(checkpoint_bytes(again).size(), bytes.size()) << at;
    } catch (const Error& error) {
      ++refused;
      EXPECT_THAT(error.what(), ::testing::StartsWith("c: ")) << at;
    }
  }
  EXPECT_GT(refused, 100U) << "numbers of layers, units, rows, columns, events";
  EXPECT_GT(taken, refused) << "most of it are weights";
}

}  // namespace
}  // namespace coppice
