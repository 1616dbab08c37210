#include "coppice/api/make_population.h"

#include "coppice/api/grouped_population.h"
#include "coppice/training/cuda_population.h"

#include <utility>

namespace coppice {

std::unique_ptr<Population> make_population(Device device, ThreadPool& pool, const Trainer& trainer,
                                            std::vector<NetData> data, std::vector<NetRun> runs,
                                            NetOrder order) {
  if (device == Device::cuda) return make_cuda_population(pool, trainer, std::move(data), std::move(runs));
  return std::make_unique<CpuPopulation>(pool, trainer, std::move(data), std::move(runs), order);
}

std::unique_ptr<Population> make_population(Device device, ThreadPool& pool,
                                            std::vector<const Trainer*> trainers, std::vector<NetData> data,
                                            std::vector<NetRun> runs) {
  if (device == Device::cpu) {
    return std::make_unique<CpuPopulation>(pool, std::move(trainers), std::move(data), std::move(runs));
  }
  return std::make_unique<GroupedPopulation>(pool, trainers, std::move(data), std::move(runs),
                                             make_cuda_population);
}

}  // namespace coppice
