#include "experiments/lanes.h"

namespace coppice::experiments {

std::size_t Lanes::waiting() {
  const std::scoped_lock lock(mutex_);
  return waiting_.size();
}

Lanes::Lane::Lane(Lanes& lanes, std::size_t rank) : lanes_(&lanes) {
  std::unique_lock lock(lanes.mutex_);
  const auto me = lanes.waiting_.insert(rank);
  lanes.freed_.wait(lock, [&] { return lanes.free_ > 0 && *lanes.waiting_.begin() == rank; });
  lanes.waiting_.erase(me);
  --lanes.free_;
  lanes.freed_.notify_all();  // the next in rank, if there is a lane left
}

Lanes::Lane::~Lane() {
  {
    const std::scoped_lock lock(lanes_->mutex_);
    ++lanes_->free_;
  }
  lanes_->freed_.notify_all();
}

}  // namespace coppice::experiments
