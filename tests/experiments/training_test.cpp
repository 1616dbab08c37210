#include "experiments/training.h"

#include "coppice/device/processor.h"

#include "tests/experiments/poker_session.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

using Training = test::PokerSession;

Flags flags(const std::string& epochs) {
  return {{"lambda", "0.001,0.0001"}, {"seeds", "2"}, {"max-epochs", epochs}};
}

TEST_F(Training, NetsAreTrainedByTheFlagsOfTrainAndReadLater) {
  const DataFiles data = find_poker(session);
  const TrainedNets nets = train_nets(session, "run", data, flags("3"));
  ASSERT_EQ(nets.summary.nets.size(), 4U);
  EXPECT_EQ(nets.of_lambda(1e-3).size(), 2U);
  EXPECT_EQ(nets.provenance.seeds, "0 to 1");
  EXPECT_EQ(nets.provenance.device, processor_name() + ", 1 thread");
  EXPECT_EQ(nets.provenance.precision, "fp32");
  EXPECT_EQ(nets.provenance.command,
            "coppice train poker-train-400.csv --validation poker-validation-200.csv --test "
            "poker-test-200.csv --lambda "
            "0.001,0.0001 --seeds 2 --max-epochs 3");
  EXPECT_FALSE(std::filesystem::exists(nets.directory + "/checkpoints"));

  session.stop = [] { return false; };
  const TrainedNets again = train_nets(session, "run", data, flags("3"));
  EXPECT_THAT(said, HasSubstr("run: already there"));
  EXPECT_EQ(again.summary.nets[3].test_error, nets.summary.nets[3].test_error);
  EXPECT_EQ(again.provenance.seconds, nets.provenance.seconds);
}

TEST_F(Training, AFolderOfOtherSettingsIsRefused) {
  const DataFiles data = find_poker(session);
  train_nets(session, "run", data, flags("2"));
  EXPECT_THAT(message_of([&] { train_nets(session, "run", data, flags("3")); }),
              AllOf(HasSubstr("other settings"), HasSubstr("--max-epochs 2"), HasSubstr("--work")));
}

TEST_F(Training, WhatTheUserEndedGoesOn) {
  const DataFiles data = find_poker(session);
  const TrainedNets whole = train_nets(session, "whole", data, flags("300"));
  session.stop = [this] { return std::filesystem::exists(path("work/small/parts/journal.jsonl")); };
  EXPECT_THROW(train_nets(session, "parts", data, flags("300")), Interrupted);
  session.stop = [] { return false; };
  const TrainedNets parts = train_nets(session, "parts", data, flags("300"));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(parts.summary.nets[i].test_error, whole.summary.nets[i].test_error);
    EXPECT_EQ(parts.summary.nets[i].train_loss, whole.summary.nets[i].train_loss);
  }
}

/// An idx file of images of two by two pixels, or of labels.
std::string idx(std::size_t count, bool images) {
  std::string bytes{0, 0, 8, static_cast<char>(images ? 3 : 1)};
  const auto add = [&](std::size_t number) {
    bytes += {0, 0, static_cast<char>(number >> 8U), static_cast<char>(number & 0xFFU)};
  };
  add(count);
  if (images) {
    add(2);
    add(2);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!images) bytes += static_cast<char>(i % 2);
    for (std::size_t pixel = 0; images && pixel < 4; ++pixel)
      bytes += static_cast<char>(i % 2 == 0 ? pixel * 20 : 100 - pixel * (i % 9));
  }
  return bytes;
}

TEST_F(Training, ANetThatGoesOnLearnsFromTheTrainingPart) {
  std::filesystem::create_directories(path("data/mnist"));
  write("data/mnist/train-images-idx3-ubyte", idx(300, true));
  write("data/mnist/train-labels-idx1-ubyte", idx(300, false));
  write("data/mnist/t10k-images-idx3-ubyte", idx(40, true));
  write("data/mnist/t10k-labels-idx1-ubyte", idx(40, false));
  const DataFiles data{.name = "mnist", .train = path("data/mnist")};
  const auto model_in = [](const TrainedNets& nets) {
    return Model::load(nets.directory + "/net-0.coppice");
  };
  const Flags brief{{"lambda", "0.01"}, {"max-epochs", "3"}};
  const Model model = model_in(train_nets(session, "first", data, brief));
  EXPECT_EQ(model.origin().train_rows, 250U);
  const Model on = model_in(train_nets(session, "on", data, brief, Bulk::remove, model));
  EXPECT_EQ(on.origin().train_rows, 250U);
}

TEST_F(Training, AFolderOfSomethingElseIsRefused) {
  std::filesystem::create_directories(path("work/small/run"));
  write("work/small/run/config.json", "{}");
  EXPECT_THAT(message_of([&] { train_nets(session, "run", find_poker(session), flags("2")); }),
              AllOf(HasSubstr("not begun here"), HasSubstr("--work")));
}

TEST(Texts, DevicesAreNamedAsPagesDo) {
  EXPECT_EQ(device_name("on NVIDIA H200", 2), "NVIDIA H200");
  EXPECT_EQ(device_name("on NVIDIA H200, products in tf32", 2), "NVIDIA H200");
  EXPECT_EQ(device_name("on the CPU (this build has no CUDA), products in fp32", 2),
            processor_name() + ", 2 threads");
  EXPECT_EQ(device_name("on the CPU", 1), processor_name() + ", 1 thread");
}

TEST(Texts, SeedsAndNumbers) {
  EXPECT_EQ(seeds_text(0, 10), "0 to 9");
  EXPECT_EQ(seeds_text(7, 1), "7");
  EXPECT_EQ(numbers_text({3e-3, 1e-8}), "0.003,1e-08");
}

}  // namespace
}  // namespace coppice::experiments
