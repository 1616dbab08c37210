#pragma once

#include "coppice/training/net_run.h"
#include "coppice/training/population.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace coppice {

/// Nets that are too many to be trained as one population.
struct ManyNets {
  std::size_t count = 0;
  std::function<NetRun(std::size_t)> start;  ///< the net of an index, when its turn has come
  std::function<std::unique_ptr<Population>(std::vector<NetRun>)> together;
  std::function<void(std::size_t)> halved;  ///< told how many are trained together from now on
};

/// Trains them in populations of at most `most` nets. Where the GPU's memory does not suffice, `most` is halved
/// and the nets go on from where they are; the error is thrown on if it does not suffice for one. False if `stop` ended it.
bool train_in_populations(const ManyNets& nets, std::size_t& most, NetObserver& observer,
                          const std::function<bool()>& stop);

}  // namespace coppice
