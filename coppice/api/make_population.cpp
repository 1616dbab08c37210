#include "coppice/api/make_population.h"

#include "coppice/api/grouped_population.h"
#include "coppice/training/cuda_population.h"

#include <utility>

namespace coppice {

std::unique_ptr<Population> make_population(const ChosenDevice& device, ThreadPool& pool,
                                            const Trainer& trainer, std::vector<NetData> data,
                                            std::vector<NetRun> runs, NetOrder order) {
  if (device.device == Device::cuda) {
    std::vector<const Trainer*> trainers(runs.size(), &trainer);
    return make_population(device, pool, std::move(trainers), std::move(data), std::move(runs));
  }
  return std::make_unique<CpuPopulation>(pool, trainer, std::move(data), std::move(runs), order);
}

std::unique_ptr<Population> make_population(const ChosenDevice& device, ThreadPool& pool,
                                            std::vector<const Trainer*> trainers, std::vector<NetData> data,
                                            std::vector<NetRun> runs) {
  if (device.device == Device::cpu) {
    return std::make_unique<CpuPopulation>(pool, std::move(trainers), std::move(data), std::move(runs));
  }
  return std::make_unique<GroupedPopulation>(pool, trainers, std::move(data), std::move(runs), device.gpus,
                                             make_cuda_population);
}

}  // namespace coppice
