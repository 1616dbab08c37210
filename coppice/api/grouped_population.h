#pragma once

#include "coppice/device/threads.h"
#include "coppice/training/population.h"
#include "coppice/training/trainer.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace coppice {

/// Nets of several kinds, those of one kind as a population of their own on each GPU, to which they are dealt like cards: all
/// populations train at once, each in a thread that waits for its GPU most of the time.
class GroupedPopulation final : public Population {
 public:
  using Make = std::function<std::unique_ptr<Population>(ThreadPool&, const Trainer&, std::vector<NetData>,
                                                         std::vector<NetRun>, std::size_t gpu)>;

  GroupedPopulation(ThreadPool& pool, const std::vector<const Trainer*>& trainers, std::vector<NetData> data,
                    std::vector<NetRun> runs, const std::vector<std::size_t>& gpus, const Make& make);

  void train(NetObserver& observer, const std::function<bool()>& stop) override;
  const std::vector<NetRun>& runs() override;

 private:
  struct Group {
    const Trainer* trainer = nullptr;
    const Dataset* inputs = nullptr;
    std::size_t place = 0;  ///< of its GPU in the list, which may have one twice
    std::vector<std::size_t> nets;
    std::unique_ptr<Population> population;
  };

  std::vector<NetRun> runs_;
  std::vector<Group> groups_;
};

}  // namespace coppice
