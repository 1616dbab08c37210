#include "coppice/search/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace coppice {

bool side_by_side(std::size_t count, std::size_t lanes, const std::function<bool(std::size_t)>& job) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> going_on = true;
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    for (std::size_t i = next++; i < count && going_on; i = next++) {
      try {
        if (!job(i)) going_on = false;
      } catch (...) {
        going_on = false;
        const std::scoped_lock lock(mutex);
        if (!error) error = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t lane = 1; lane < std::min(lanes, count); ++lane) others.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
  return going_on;
}

}  // namespace coppice
