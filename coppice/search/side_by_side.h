#pragma once

#include <cstddef>
#include <functional>

namespace coppice {

/// Calls job(i) once for every i in [0, count), `lanes` of them at a time, in threads of their own if that is more than
/// one. No further jobs begin once one returned false or threw; rethrows the first exception, else returns whether
/// all returned true. A job for which the GPU's memory did not suffice (GpuOutOfMemory) beside others is called again in
/// the end, alone.
bool side_by_side(std::size_t count, std::size_t lanes, const std::function<bool(std::size_t)>& job);

}  // namespace coppice
