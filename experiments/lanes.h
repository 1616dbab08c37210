#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <set>

namespace coppice::experiments {

/// Lets so many work at a time; of those that wait, the lowest rank comes first.
class Lanes {
 public:
  explicit Lanes(std::size_t count = 1) : count_(count), free_(count) {}

  std::size_t count() const { return count_; }
  std::size_t waiting();

  /// A lane that is free again when this ends.
  class Lane {
   public:
    Lane(Lanes& lanes, std::size_t rank);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

   private:
    Lanes* lanes_;
  };

 private:
  std::size_t count_;
  std::mutex mutex_ = {};
  std::condition_variable freed_ = {};
  std::size_t free_;
  std::multiset<std::size_t> waiting_ = {};
};

}  // namespace coppice::experiments
