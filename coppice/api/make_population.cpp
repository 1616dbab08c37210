#include "coppice/api/make_population.h"

#include "coppice/training/cuda_population.h"

#include <utility>

namespace coppice {

std::unique_ptr<Population> make_population(Device device, ThreadPool& pool, const Trainer& trainer,
                                            std::vector<NetData> data, std::vector<NetRun> runs,
                                            NetOrder order) {
  if (device == Device::cuda) return make_cuda_population(pool, trainer, std::move(data), std::move(runs));
  return std::make_unique<CpuPopulation>(pool, trainer, std::move(data), std::move(runs), order);
}

}  // namespace coppice
