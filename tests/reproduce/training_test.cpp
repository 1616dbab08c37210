#include "coppice/reproduce/training.h"

#include "coppice/device/processor.h"
#include "coppice/reproduce/analysed_run.h"

#include "tests/reproduce/poker_session.h"

#include <gmock/gmock.h>

namespace coppice::reproduce {
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
  EXPECT_EQ(nets.origin.seeds, "0 to 1");
  EXPECT_EQ(nets.origin.device, processor_name() + ", 1 thread");
  EXPECT_EQ(nets.origin.precision, "fp32");
  EXPECT_EQ(nets.origin.command,
            "coppice train poker-train-400.csv --validation poker-validation-200.csv --test "
            "poker-test-200.csv --lambda "
            "0.001,0.0001 --seeds 2 --max-epochs 3");
  EXPECT_FALSE(std::filesystem::exists(nets.directory + "/checkpoints"));

  session.stop = [] { return false; };
  const TrainedNets again = train_nets(session, "run", data, flags("3"));
  EXPECT_THAT(said, HasSubstr("run: already there"));
  EXPECT_EQ(again.summary.nets[3].test_error, nets.summary.nets[3].test_error);
  EXPECT_EQ(again.origin.seconds, nets.origin.seconds);
}

TEST_F(Training, AFolderOfOtherSettingsIsRefused) {
  const DataFiles data = find_poker(session);
  train_nets(session, "run", data, flags("2"));
  EXPECT_THAT(message_of([&] { train_nets(session, "run", data, flags("3")); }),
              AllOf(HasSubstr("other settings"), HasSubstr("--max-epochs 2"), HasSubstr("--work")));
}

TEST_F(Training, WhatTheUserEndedGoesOn) {
  const DataFiles data = find_poker(session);
  const TrainedNets whole = train_nets(session, "whole", data, flags("6"));
  int asked = 0;
  session.stop = [&asked] { return ++asked > 20; };
  EXPECT_THROW(train_nets(session, "parts", data, flags("6")), Interrupted);
  session.stop = [] { return false; };
  const TrainedNets parts = train_nets(session, "parts", data, flags("6"));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(parts.summary.nets[i].test_error, whole.summary.nets[i].test_error);
    EXPECT_EQ(parts.summary.nets[i].train_loss, whole.summary.nets[i].train_loss);
  }
}

TEST(AnalysedRun, LivesAreCountedByTheirBirth) {
  std::vector<Life> lives;
  for (std::size_t born = 1; born <= 100; ++born)
    lives.push_back(
        {.unit = born, .born = born, .end = born + 10, .fate = born <= 15 ? Fate::survived : Fate::died});
  const Survival survival = survival_of(lives, 100);
  EXPECT_DOUBLE_EQ(survival.early, 0.75);
  EXPECT_DOUBLE_EQ(survival.late, 0);
  EXPECT_EQ(epochs_lived(lives, Fate::died), std::vector<double>(85, 10));
}

TEST(Texts, SeedsAndNumbers) {
  EXPECT_EQ(seeds_text(0, 10), "0 to 9");
  EXPECT_EQ(seeds_text(7, 1), "7");
  EXPECT_EQ(numbers_text({3e-3, 1e-8}), "0.003,1e-08");
}

}  // namespace
}  // namespace coppice::reproduce
