#include "coppice/search/in_populations.h"

#include "coppice/device/gpu.h"

#include <gmock/gmock.h>
#include <map>

namespace coppice {
namespace {

using ::testing::ElementsAre;

constexpr std::size_t epochs_needed = 3;

/// Stands for a GPU that holds only so many nets: trains an epoch of each in turn and may find out late.
class SmallGpu final : public Population {
 public:
  SmallGpu(std::vector<NetRun> runs, std::size_t room, bool late)
      : runs_(std::move(runs)), room_(room), late_(late) {
    if (!late && runs_.size() > room) throw GpuOutOfMemory("too small");
  }
  void train(NetObserver& observer, const std::function<bool()>& stop) override {
    for (bool first = true; std::ranges::any_of(runs_, &NetRun::running); first = false) {
      if (stop()) return;
      for (NetRun& run : runs_) {
        if (!run.running()) continue;
        ++run.epoch;
        run.stopped = run.epoch == epochs_needed;
        observer.on_epoch(run, {});
      }
      if (late_ && first && runs_.size() > room_) throw GpuOutOfMemory("too small");
    }
  }
  const std::vector<NetRun>& runs() override { return runs_; }

 private:
  std::vector<NetRun> runs_;
  std::size_t room_;
  bool late_;
};

struct Epochs final : NetObserver {
  void on_epoch(const NetRun& run, const EpochReport&) override { ++of[run.id]; }
  std::map<std::size_t, std::size_t> of;
};

NetRun begin(std::size_t id) {
  NetRun run;
  run.id = id;
  return run;
}

class InPopulations : public ::testing::TestWithParam<bool> {
 protected:
  ManyNets nets(std::size_t count, std::size_t room) {
    return {.count = count,
            .start = begin,
            .together =
                [this, room](std::vector<NetRun> runs) {
                  sizes_.push_back(runs.size());
                  return std::make_unique<SmallGpu>(std::move(runs), room, GetParam());
                },
            .halved = [this](std::size_t most) { halved_.push_back(most); }};
  }
  std::vector<std::size_t> sizes_;   ///< of the populations tried
  std::vector<std::size_t> halved_;  ///< what the user was told
  Epochs epochs_;
};

TEST_P(InPopulations, EveryNetIsTrainedToItsEndOnce) {
  std::size_t most = 4;
  EXPECT_TRUE(train_in_populations(nets(10, 100), most, epochs_, [] { return false; }));
  EXPECT_THAT(sizes_, ElementsAre(4, 4, 2));
  ASSERT_EQ(epochs_.of.size(), 10U);
  for (const auto& [id, count] : epochs_.of) EXPECT_EQ(count, epochs_needed) << id;
  EXPECT_TRUE(halved_.empty());
}

TEST_P(InPopulations, WithoutMemoryHalfAsManyGoOnFromWhereTheyAre) {
  std::size_t most = 100;
  EXPECT_TRUE(train_in_populations(nets(10, 3), most, epochs_, [] { return false; }));
  EXPECT_THAT(halved_, ElementsAre(5, 3));
  EXPECT_EQ(most, 3U);
  ASSERT_EQ(epochs_.of.size(), 10U);
  for (const auto& [id, count] : epochs_.of) EXPECT_EQ(count, epochs_needed) << id;
}

TEST_P(InPopulations, AGpuThatHoldsNoNetAtAllIsAnError) {
  std::size_t most = 4;
  const auto train = [&] { return train_in_populations(nets(4, 0), most, epochs_, [] { return false; }); };
  EXPECT_THROW(train(), GpuOutOfMemory);
}

TEST_P(InPopulations, AStopLeavesTheRest) {
  std::size_t most = 2;
  EXPECT_FALSE(train_in_populations(nets(6, 100), most, epochs_, [&] { return epochs_.of[2] == 1; }));
  EXPECT_EQ(epochs_.of[1], epochs_needed);
  EXPECT_EQ(epochs_.of[3], 1U);
  EXPECT_EQ(epochs_.of[4], 0U);
}

INSTANTIATE_TEST_SUITE_P(AtOnceAndLate, InPopulations, ::testing::Bool());

}  // namespace
}  // namespace coppice
