#pragma once

#include "coppice/device/product.h"
#include "coppice/device/threads.h"

namespace coppice {

/// Who computes, and how precisely. A pool alone computes in float32.
struct Compute {
  // NOLINTNEXTLINE(google-explicit-constructor)
  Compute(ThreadPool& threads, Precision products = Precision::fp32) : pool(&threads), precision(products) {}

  ThreadPool* pool;
  Precision precision;
};

}  // namespace coppice
