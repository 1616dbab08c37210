#pragma once

#include "coppice/api/device.h"
#include "coppice/training/cpu_population.h"
#include "coppice/training/population.h"
#include "coppice/training/trainer.h"

#include <memory>
#include <vector>

namespace coppice {

/// The nets as a population on that device. A GPU takes them all together, whatever the order.
std::unique_ptr<Population> make_population(const ChosenDevice& device, ThreadPool& pool,
                                            const Trainer& trainer, std::vector<NetData> data,
                                            std::vector<NetRun> runs,
                                            NetOrder order = NetOrder::side_by_side);

/// The same with a trainer for each net. A GPU takes those together that have the same trainer and inputs, and all such
/// groups at once; several GPUs share each group, and trainers tell how large it is (nets_together).
std::unique_ptr<Population> make_population(const ChosenDevice& device, ThreadPool& pool,
                                            std::vector<const Trainer*> trainers, std::vector<NetData> data,
                                            std::vector<NetRun> runs);

}  // namespace coppice
