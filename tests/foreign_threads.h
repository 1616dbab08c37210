#pragma once

#include "coppice/device/product.h"

namespace coppice::test {

/// Whether all threads of this process are its own or this library's: OpenBLAS has started some before main() that take
/// signals like any other.
inline bool no_foreign_threads() {
  return product_library().starts_with("oneDNN");
}

}  // namespace coppice::test
