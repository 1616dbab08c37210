#pragma once

#include "coppice/device/product.h"

#include "benchmarks/turns.h"
#include "benchmarks/workload.h"

#include <cstddef>
#include <string>
#include <vector>

namespace coppice {

/// Seconds per epoch, validation and the host's part included, of so many nets of a kind.
Spread epoch_time(const Workload& work, std::size_t nets, Precision precision, double additions_per_epoch,
                  std::size_t epochs);

/// What the operations of one step take by themselves.
struct Part {
  std::string name;
  double seconds = 0;
  double operations = 0;  ///< multiplications and additions; 0 where bytes matter, not operations
  double bytes = 0;
};
std::vector<Part> step_parts(const Workload& work, std::size_t nets, Precision precision);

}  // namespace coppice
