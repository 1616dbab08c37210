#include "coppice/api/grouped_population.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace coppice {

namespace {

/// Lets one thread at a time speak to an observer.
class OneAtATime final : public NetObserver {
 public:
  explicit OneAtATime(NetObserver& observer) : observer_(&observer) {}

  void on_epoch(const NetRun& run, const EpochReport& report) override {
    const std::lock_guard lock(mutex_);
    observer_->on_epoch(run, report);
  }
  bool reads_weights(const NetRun& run) const override { return observer_->reads_weights(run); }

 private:
  NetObserver* observer_;
  std::mutex mutex_;
};

}  // namespace

GroupedPopulation::GroupedPopulation(ThreadPool& pool, const std::vector<const Trainer*>& trainers,
                                     std::vector<NetData> data, std::vector<NetRun> runs,
                                     const std::vector<std::size_t>& gpus, const Make& make)
    : runs_(std::move(runs)) {
  std::map<std::pair<const Trainer*, const Dataset*>, std::size_t> dealt;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::size_t place = dealt[{trainers[i], data[i].train}]++ % gpus.size();
    auto group = std::ranges::find_if(groups_, [&](const Group& other) {
      return other.trainer == trainers[i] && other.inputs == data[i].train && other.place == place;
    });
    if (group == groups_.end()) {
      groups_.push_back(
          {.trainer = trainers[i], .inputs = data[i].train, .place = place, .nets = {}, .population = {}});
      group = groups_.end() - 1;
    }
    group->nets.push_back(i);
  }
  for (Group& group : groups_) {
    std::vector<NetData> of_group;
    std::vector<NetRun> nets;
    for (const std::size_t i : group.nets) {
      of_group.push_back(std::move(data[i]));
      nets.push_back(runs_[i]);
    }
    group.population = make(pool, *group.trainer, std::move(of_group), std::move(nets), gpus[group.place]);
  }
}

void GroupedPopulation::train(NetObserver& observer, const std::function<bool()>& stop) {
  OneAtATime shared(observer);
  std::atomic<bool> broken = false;
  std::vector<std::exception_ptr> errors(groups_.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      threads.emplace_back([&, g] {
        const OwnThread own;
        try {
          groups_[g].population->train(shared, [&] { return broken || stop(); });
        } catch (...) {
          errors[g] = std::current_exception();
          broken = true;
        }
      });
    }
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

const std::vector<NetRun>& GroupedPopulation::runs() {
  for (Group& group : groups_) {
    const std::vector<NetRun>& nets = group.population->runs();
    for (std::size_t i = 0; i < group.nets.size(); ++i) runs_[group.nets[i]] = nets[i];
  }
  return runs_;
}

}  // namespace coppice
