#pragma once

#include "coppice/training/net_run.h"

#include <functional>
#include <vector>

namespace coppice {

/// Watches a population in training. Calls come one at a time, in the order of each net's epochs.
class NetObserver {
 public:
  virtual ~NetObserver() = default;
  /// After every epoch; `run` is the net's state from which training goes on.
  virtual void on_epoch(const NetRun& run, const EpochReport& report) = 0;
  /// Whether it looks at the weights in `run`: they may lie on a device, which then has to bring them.
  virtual bool reads_weights(const NetRun&) const { return true; }
};

/// Nets trained side by side, on whatever computes.
class Population {
 public:
  virtual ~Population() = default;

  /// Trains until every net is done or stopped, `stop` says so (asked often) or the observer throws. Then
  /// every net is at the end of an epoch, ready to go on.
  virtual void train(NetObserver& observer, const std::function<bool()>& stop) = 0;

  virtual const std::vector<NetRun>& runs() = 0;
};

}  // namespace coppice
