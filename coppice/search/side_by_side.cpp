#include "coppice/search/side_by_side.h"

#include "coppice/core/arithmetic.h"
#include "coppice/device/gpu.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace coppice {

bool side_by_side(std::size_t count, std::size_t lanes, const std::function<bool(std::size_t)>& job) {
  lanes = std::min(lanes, count);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> going_on = true;
  std::mutex mutex;
  std::exception_ptr error;
  std::vector<std::size_t> alone;
  const auto fail_with = [&](std::exception_ptr what) {
    going_on = false;
    const std::scoped_lock lock(mutex);
    if (!error) error = std::move(what);
  };
  const auto work = [&, arithmetic = arithmetic()] {
    const WithArithmetic as_caller(arithmetic);
    for (std::size_t i = next++; i < count && going_on; i = next++) {
      try {
        if (!job(i)) going_on = false;
      } catch (const GpuOutOfMemory&) {
        if (lanes == 1) return fail_with(std::current_exception());
        const std::scoped_lock lock(mutex);
        alone.push_back(i);
      } catch (...) {
        fail_with(std::current_exception());
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t lane = 1; lane < lanes; ++lane) others.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
  for (const std::size_t i : alone) going_on = going_on && job(i);
  return going_on;
}

}  // namespace coppice
