// Nets of several kinds on several GPUs, without one: populations that only remember what they were given.
#include "coppice/api/grouped_population.h"

#include <map>
#include <mutex>
#include <numeric>

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// An epoch is all there is to train.
class Recorded final : public Population {
 public:
  explicit Recorded(std::vector<NetRun> runs) : runs_(std::move(runs)) {}
  void train(NetObserver& observer, const std::function<bool()>&) override {
    for (NetRun& run : runs_) {
      run.epoch = 1;
      observer.on_epoch(run, {});
    }
  }
  const std::vector<NetRun>& runs() override { return runs_; }

 private:
  std::vector<NetRun> runs_;
};

class Counted final : public NetObserver {
 public:
  void on_epoch(const NetRun& run, const EpochReport&) override { ids.push_back(run.id); }
  std::vector<std::size_t> ids;
};

struct Given {
  std::size_t gpu = 0;
  std::vector<std::size_t> nets;
  auto operator<=>(const Given&) const = default;
};

TEST(GroupedPopulation, NetsOfAKindAreDealtToTheGpus) {
  ThreadPool pool(1);
  const Trainer one(pool, {});
  const Trainer other(pool, {});
  const Dataset data;
  std::vector<Given> made;
  const auto make = [&](ThreadPool&, const Trainer&, const std::vector<NetData>&, std::vector<NetRun> runs,
                        std::size_t gpu) {
    Given given{.gpu = gpu, .nets = {}};
    for (const NetRun& run : runs) given.nets.push_back(run.id);
    made.push_back(std::move(given));
    return std::make_unique<Recorded>(std::move(runs));
  };
  const auto population = [&](const std::vector<std::size_t>& gpus) {
    std::vector<NetRun> runs(7);
    for (std::size_t i = 0; i < runs.size(); ++i) runs[i].id = i;
    NetData seen;
    seen.train = &data;
    made.clear();
    return GroupedPopulation(pool, {&one, &one, &other, &one, &other, &one, &one},
                             std::vector<NetData>(7, seen), std::move(runs), gpus, make);
  };
  GroupedPopulation two = population({3, 5});
  EXPECT_EQ(made, (std::vector<Given>{{3, {0, 3, 6}}, {5, {1, 5}}, {3, {2}}, {5, {4}}}));
  Counted counted;
  two.train(counted, [] { return false; });
  std::ranges::sort(counted.ids);
  std::vector<std::size_t> all(7);
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(counted.ids, all);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(two.runs()[i].id, i) << "in their order";
    EXPECT_EQ(two.runs()[i].epoch, 1U);
  }
  population({0});
  EXPECT_EQ(made, (std::vector<Given>{{0, {0, 1, 3, 5, 6}}, {0, {2, 4}}}));
  population({0, 0});
  EXPECT_EQ(made.size(), 4U) << "one that comes twice has two populations";
}

}  // namespace
}  // namespace coppice
